# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# A room is one word: include/auspex/X, lib/X, test/X. Its library is AuspexX.

# auspex_add_room(<Room> [HEADERS <kind>] SOURCES <file>... [USES <Room>...])
#
# A static library that names no LLVM library: the program or plugin at the end
# chooses between static LLVM and libLLVM.so. The kind of headers is Support
# where none is given.
function(auspex_add_room room)
  cmake_parse_arguments(ARG "" "HEADERS" "SOURCES;USES" ${ARGN})
  if(NOT ARG_HEADERS)
    set(ARG_HEADERS Support)
  endif()
  add_library(Auspex${room} STATIC ${ARG_SOURCES})
  auspex_use_headers(Auspex${room} ${ARG_HEADERS})
  foreach(used IN LISTS ARG_USES)
    target_link_libraries(Auspex${room} PUBLIC Auspex${used})
  endforeach()
endfunction()

# auspex_embed_files(<generated.cpp> FUNCTION <name> HEADER <header> FILES <file>...)
#
# Makes files part of the program, which then needs none of them and does not
# search. <header> declares llvm::ArrayRef<EmbeddedFile> auspex::<name>(). Glob
# the files with CONFIGURE_DEPENDS, and a new one is picked up by the next build.
function(auspex_embed_files output)
  cmake_parse_arguments(ARG "" "FUNCTION;HEADER" "FILES" ${ARGN})
  set(script "${PROJECT_SOURCE_DIR}/cmake/EmbedFiles.cmake")
  add_custom_command(
    OUTPUT "${output}"
    COMMAND "${CMAKE_COMMAND}" "-DOUTPUT=${output}" "-DHEADER=${ARG_HEADER}"
            "-DFUNCTION=${ARG_FUNCTION}" "-DFILES=${ARG_FILES}" -P "${script}"
    DEPENDS ${ARG_FILES} "${script}"
    COMMENT "Embedding ${ARG_FUNCTION}"
    VERBATIM)
endfunction()

# auspex_link_static_llvm(<target> <component>...)
#
# Links the static LLVM components into a program: it starts in 3 ms instead of
# the 9 ms that libLLVM.so takes to load.
function(auspex_link_static_llvm target)
  llvm_map_components_to_libnames(libs ${ARGN})
  target_link_libraries(${target} PRIVATE ${libs})
endfunction()
