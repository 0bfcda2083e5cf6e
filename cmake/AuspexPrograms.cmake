# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# auspex_add_executable(<name> <source>... [ARCH sm_NN] [RELOCATABLE])
#
# A program of CUDA and other sources that has its device code inside and runs
# without a GPU. CMake's CUDA language is not needed, nor is a toolkit. What is
# set for the target (include directories, definitions, options, C++ standard)
# counts for its CUDA sources too. RELOCATABLE: device code of one source uses
# that of another.

if(TARGET auspex-clang++)
  set(AUSPEX_CLANGXX "$<TARGET_FILE:auspex-clang++>")
else()
  find_program(AUSPEX_CLANGXX auspex-clang++
               HINTS "${CMAKE_CURRENT_LIST_DIR}/../../../bin" REQUIRED)
endif()

function(auspex_add_executable name)
  cmake_parse_arguments(ARG "RELOCATABLE" "ARCH" "" ${ARGN})
  set(flags)
  if(ARG_ARCH)
    list(APPEND flags "--offload-arch=${ARG_ARCH}")
  endif()
  if(ARG_RELOCATABLE)
    list(APPEND flags -fgpu-rdc)
  endif()
  set(includes "$<TARGET_PROPERTY:${name},INCLUDE_DIRECTORIES>")
  set(definitions "$<TARGET_PROPERTY:${name},COMPILE_DEFINITIONS>")
  set(options "$<TARGET_PROPERTY:${name},COMPILE_OPTIONS>")
  set(standard "$<TARGET_PROPERTY:${name},CXX_STANDARD>")

  set(sources)
  set(objects)
  foreach(source IN LISTS ARG_UNPARSED_ARGUMENTS)
    if(NOT source MATCHES "\\.cu$")
      list(APPEND sources "${source}")
      continue()
    endif()
    get_filename_component(path "${source}" ABSOLUTE)
    string(MAKE_C_IDENTIFIER "${source}" stem)
    set(object "${CMAKE_CURRENT_BINARY_DIR}/${name}.auspex/${stem}.o")
    add_custom_command(
      OUTPUT "${object}"
      COMMAND "${CMAKE_COMMAND}" -E make_directory
              "${CMAKE_CURRENT_BINARY_DIR}/${name}.auspex"
      COMMAND "${AUSPEX_CLANGXX}" -O2 ${flags}
              "$<$<BOOL:${standard}>:-std=c++${standard}>"
              "$<$<BOOL:${includes}>:-I$<JOIN:${includes},;-I>>"
              "$<$<BOOL:${definitions}>:-D$<JOIN:${definitions},;-D>>"
              "${options}" -MD -MF "${object}.d" -c "${path}" -o "${object}"
      DEPENDS "${path}" "${AUSPEX_CLANGXX}"
      DEPFILE "${object}.d"
      COMMAND_EXPAND_LISTS VERBATIM
      COMMENT "Compiling ${source} for host and device")
    list(APPEND objects "${object}")
  endforeach()

  if(ARG_RELOCATABLE)
    set(linked "${CMAKE_CURRENT_BINARY_DIR}/${name}.auspex/device-link.o")
    add_custom_command(
      OUTPUT "${linked}"
      COMMAND "${AUSPEX_CLANGXX}" -dlink ${objects} -o "${linked}"
      DEPENDS ${objects} "${AUSPEX_CLANGXX}"
      VERBATIM
      COMMENT "Linking the device code of ${name}")
    list(APPEND objects "${linked}")
  endif()

  add_executable(${name} ${sources} ${objects})
  set_target_properties(${name} PROPERTIES LINKER_LANGUAGE CXX)
  if(TARGET AuspexRuntime)
    target_link_libraries(${name} PRIVATE AuspexRuntime)
  else()
    get_filename_component(prefix "${AUSPEX_CLANGXX}" DIRECTORY)
    find_library(AUSPEX_RUNTIME auspexrt HINTS "${prefix}/../lib" REQUIRED)
    target_link_libraries(${name} PRIVATE "${AUSPEX_RUNTIME}")
  endif()
endfunction()
