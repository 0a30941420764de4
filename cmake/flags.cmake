# Language, warnings, sanitizers, linker and cache: one interface target, whygpu_flags.

option(WHYGPU_TESTS "build the tests" OFF)
option(WHYGPU_FUZZ "build the fuzzers (clang)" OFF)
option(WHYGPU_BENCH "build the benchmarks" OFF)
set(WHYGPU_SANITIZE "" CACHE STRING "sanitizers, as for -fsanitize=")

set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)

add_library(whygpu_flags INTERFACE)
target_compile_options(whygpu_flags INTERFACE
  $<$<COMPILE_LANGUAGE:CXX>:-Wall;-Wextra;-Wpedantic;-Wshadow;-Wconversion;-Wnon-virtual-dtor;-Werror>
  -ffunction-sections -fdata-sections -fno-omit-frame-pointer)
target_link_options(whygpu_flags INTERFACE -Wl,--gc-sections)

if(WHYGPU_SANITIZE)
  target_compile_options(whygpu_flags INTERFACE -fsanitize=${WHYGPU_SANITIZE} -fno-sanitize-recover=all)
  target_link_options(whygpu_flags INTERFACE -fsanitize=${WHYGPU_SANITIZE})
endif()

# A faster linker and ccache where they are installed; nothing depends on them.
find_program(WHYGPU_MOLD mold)
find_program(WHYGPU_LLD NAMES ld.lld ld.lld-19)
if(WHYGPU_MOLD)
  target_link_options(whygpu_flags INTERFACE -fuse-ld=mold)
elseif(WHYGPU_LLD AND CMAKE_CXX_COMPILER_ID STREQUAL "Clang")
  target_link_options(whygpu_flags INTERFACE --ld-path=${WHYGPU_LLD})
endif()
find_program(WHYGPU_CCACHE ccache)
if(WHYGPU_CCACHE)
  set(CMAKE_CXX_COMPILER_LAUNCHER ${WHYGPU_CCACHE})
endif()

# The release program carries everything but glibc. Sanitizers bring run-time libraries of their own.
add_library(whygpu_static INTERFACE)
if(NOT WHYGPU_SANITIZE)
  target_link_options(whygpu_static INTERFACE -static-libstdc++ -static-libgcc)
endif()
