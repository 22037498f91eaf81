# clang is linked statically, so that the program runs on machines without it; only src/cuda_source/clang sees its headers.
include(Clang)
target_link_libraries(optiml_cuda_source ${scope} optiml_base)
list(FILTER sources EXCLUDE REGEX "/clang/")
set_target_properties(optiml_cuda_source PROPERTIES SOURCES "${sources}")
optiml_link_clang(optiml_cuda_source)
target_link_libraries(optiml_cuda_source PRIVATE ${ISL_LIBRARY})
# Its own library, since clang is built without run-time type information, and its headers do not pass our warnings. They poison their
# allocator's memory where sanitizers are on, of which the library that we link knows nothing.
file(GLOB clang_sources CONFIGURE_DEPENDS ${folder}/clang/*.cpp)
add_library(optiml_clang_front_end OBJECT ${clang_sources})
target_link_libraries(optiml_clang_front_end PRIVATE optiml_base)
target_include_directories(optiml_clang_front_end SYSTEM PRIVATE ${CLANG_INCLUDE_DIRS} ${LLVM_INCLUDE_DIRS})
target_compile_options(optiml_clang_front_end PRIVATE ${OPTIML_WARNINGS} -fno-rtti -Wno-unused-parameter -fno-sanitize=all)
target_precompile_headers(optiml_clang_front_end PRIVATE ${standard_headers} <clang/AST/ASTContext.h> <clang/AST/Attr.h>
  <clang/AST/DeclTemplate.h> <clang/AST/ExprCXX.h> <clang/AST/StmtVisitor.h> <clang/Basic/SourceManager.h> <clang/Lex/Lexer.h>)
target_sources(optiml_cuda_source PRIVATE $<TARGET_OBJECTS:optiml_clang_front_end>)
