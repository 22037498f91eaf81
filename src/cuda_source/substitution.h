#pragma once

#include <map>
#include <string>

#include "cuda_source/syntax.h"

namespace optiml::cuda_source {

// The expression's text with variables replaced by other expressions' texts, which are put in parentheses only where the operators
// around them need it. Error (user): a variable stands inside a macro use.
Result<std::string> substitute(const SourceFile& source, ExpressionId expression, const std::map<VariableId, std::string>& values);

}  // namespace optiml::cuda_source
