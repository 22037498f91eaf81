#pragma once
// Part of the public headers, so that programs which link the library have the same definitions.

#include "optiml/result.h"
