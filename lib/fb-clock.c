#include <config.h>
#include "fb-clock.h"
