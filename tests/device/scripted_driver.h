#pragma once
// What a test may ask of the scripted driver (scripted_driver.cpp), beside CUDA's own functions.

#include <cstddef>

extern "C" {

// Launches of kernels whose code is this text, so far.
std::size_t scripted_launches(const char* code);
// A card as new; what was not given back is forgotten.
void scripted_reset();
// At most so many modules are loaded at once; more are refused for want of memory.
void scripted_module_limit(std::size_t most);
// What modules do from now on that a compiler made; of right, wrong, fault, endless.
void scripted_wider(const char* code);
// The card's memory, as the driver tells of it; a new card has none that is known.
void scripted_memory(int clock_khz, int bus_bits);
// So many readings from now on say that the card throttles; until the last of them kernels take three times as long.
void scripted_throttle(std::size_t readings);
// Counts as one of them; whether the card throttles.
bool scripted_read_throttling();
// Profilers' sessions: the kernels of the last one, the microseconds of each.
void scripted_open_session();
std::size_t scripted_close_session();
std::size_t scripted_session_kernels();
double scripted_session_kernel(std::size_t number);
std::size_t scripted_sessions();
bool scripted_is_endless();
// Spoils every byte of all buffers, as a stray write would.
void scripted_stray_writes();
}
