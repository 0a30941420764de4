# Third-party libraries, all Debian packages (tools/packages.txt says why each is there). Static
# archives are named by file, so that a missing one stops the configuration and not a user's machine.

find_package(Threads REQUIRED)
add_library(whygpu_deps INTERFACE)

function(whygpu_static_library name)
  string(TOUPPER WHYGPU_LIB_${name} variable)
  find_library(${variable} NAMES lib${name}.a)
  if(NOT ${variable})
    message(FATAL_ERROR "lib${name}.a is not installed: run ./dev setup")
  endif()
  target_link_libraries(whygpu_deps INTERFACE ${${variable}})
endfunction()

foreach(name archive zstd z re2)
  whygpu_static_library(${name})
endforeach()
target_link_libraries(whygpu_deps INTERFACE Threads::Threads ${CMAKE_DL_LIBS})

foreach(header tl/expected.hpp nlohmann/json.hpp toml++/toml.h CLI/CLI.hpp fmt/format-inl.h)
  string(MAKE_C_IDENTIFIER WHYGPU_HAVE_${header} variable)
  find_file(${variable} ${header})
  if(NOT ${variable})
    message(FATAL_ERROR "${header} is not installed: run ./dev setup")
  endif()
endforeach()
