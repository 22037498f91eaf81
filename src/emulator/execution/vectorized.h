#pragma once
// OPTIML_VECTORIZED before a function: it is compiled for several levels of x86-64 and the program picks the one for its CPU.
// For loops over the 32 lanes that must be fast and that a compiler vectorises by itself.

// Not under sanitizers, which are not ready yet when the choice is made.
#if defined(__x86_64__) && !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
#define OPTIML_VECTORIZED __attribute__((target_clones("default", "arch=x86-64-v3", "arch=x86-64-v4")))
#else
#define OPTIML_VECTORIZED
#endif
