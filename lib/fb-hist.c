#include <config.h>
#include "fb-hist.h"
