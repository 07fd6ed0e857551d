#include <config.h>
#include "fb-stats.h"
