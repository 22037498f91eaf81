#pragma once

#include "cuda_source/syntax.h"

namespace optiml::cuda_source {

// Sets Variable::is_written and address_taken from the tree.
void mark_written_variables(SourceFile& source);

// The variable whose own storage an lvalue expression lies in (`a` for a[1][2], v.x, (a)); none if it goes through a pointer.
VariableId storage_root(const SourceFile& source, ExpressionId expression);

}  // namespace optiml::cuda_source
