#pragma once
// Everything that programs which link OptiML use. No function prints, ends the process or throws.

#include "optiml/evaluation.h"
#include "optiml/log.h"
#include "optiml/one_evaluation.h"
#include "optiml/optimize.h"
#include "optiml/result.h"
#include "optiml/settings.h"
#include "optiml/stream.h"
#include "optiml/summary.h"
