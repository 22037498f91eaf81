#include "cli/program.h"

int main(int argument_count, char** arguments) { return optiml::cli::run_program(argument_count, arguments); }
