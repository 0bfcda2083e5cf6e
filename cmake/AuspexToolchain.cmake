# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Finds LLVM and Clang 22 and sets the flags every target shares. With no cache
# variable given this configures a Release build against Debian's packages.

if(NOT CMAKE_BUILD_TYPE AND NOT CMAKE_CONFIGURATION_TYPES)
  set(CMAKE_BUILD_TYPE Release CACHE STRING "Build type" FORCE)
endif()

find_package(LLVM 22.1 REQUIRED CONFIG HINTS /usr/lib/llvm-22/lib/cmake/llvm)
find_package(Clang REQUIRED CONFIG HINTS "${LLVM_LIBRARY_DIR}/cmake/clang")
message(STATUS "LLVM ${LLVM_PACKAGE_VERSION} in ${LLVM_DIR}")

set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_CXX_VISIBILITY_PRESET hidden)
set(CMAKE_VISIBILITY_INLINES_HIDDEN ON)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)

# Every room is linked twice (into the tool with static LLVM, into the plugins
# with libLLVM.so), so the flags are those of LLVM's own build. Programs are
# compiled with -fPIC too, not -fPIE: they read the same precompiled headers.
add_compile_options(-fPIC -Wall -Wextra -Wno-unused-parameter -fno-exceptions
                    -ffunction-sections -fdata-sections)
if(NOT LLVM_ENABLE_RTTI)
  add_compile_options(-fno-rtti)
endif()
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  # False positives of GCC 12 in the headers of LLVM and libstdc++.
  add_compile_options(-Wno-maybe-uninitialized -Wno-redundant-move
                      -Wno-comment -Wno-restrict)
else()
  # What std::stable_sort of libstdc++ 12 calls.
  add_compile_options(-Wno-deprecated-declarations)
endif()
separate_arguments(AUSPEX_LLVM_DEFINITIONS NATIVE_COMMAND "${LLVM_DEFINITIONS}")
add_definitions(${AUSPEX_LLVM_DEFINITIONS})
include_directories(SYSTEM ${LLVM_INCLUDE_DIRS} ${CLANG_INCLUDE_DIRS})
include_directories("${CMAKE_CURRENT_SOURCE_DIR}/include"
                    "${CMAKE_CURRENT_BINARY_DIR}/include")

# What ccache needs to know precompiled headers again by their content.
find_program(AUSPEX_CCACHE ccache)
if(AUSPEX_CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  set(CMAKE_CXX_COMPILER_LAUNCHER
    "${CMAKE_COMMAND}" -E env CCACHE_SLOPPINESS=pch_defines,time_macros
    "${AUSPEX_CCACHE}")
  if(CMAKE_CXX_COMPILER_ID STREQUAL "Clang")
    add_compile_options("SHELL:-Xclang -fno-pch-timestamp")
  else()
    add_compile_options($<$<COMPILE_LANGUAGE:CXX>:-fpch-preprocess>)
  endif()
endif()

# Static LLVM links in half a second with lld and in ten with bfd.
find_program(AUSPEX_LLD NAMES ld.lld)
if(AUSPEX_LLD)
  add_link_options(-fuse-ld=lld)
endif()
add_link_options(-Wl,--gc-sections)
