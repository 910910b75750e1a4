# What `cmake --install` ships: library, public headers, program, documents, examples, and the files by which find_package and pkg-config find them.
include_guard()
include(CMakePackageConfigHelpers)
include(filch_headers)

set(package_dir "${CMAKE_INSTALL_LIBDIR}/cmake/filch")

install(TARGETS filch EXPORT filch-targets)
if(TARGET filch_testing)
  install(TARGETS filch_testing EXPORT filch-targets)
endif()
install(EXPORT filch-targets NAMESPACE filch:: DESTINATION "${package_dir}")

filch_public_headers(headers)
foreach(header IN LISTS headers)
  cmake_path(GET header PARENT_PATH folder)
  install(FILES "${header}" DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}/${folder}")
endforeach()
install(FILES filch/filch.cppm DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}/filch")  # the module: users compile it

if(TARGET filch_cli)
  cmake_path(RELATIVE_PATH CMAKE_INSTALL_FULL_LIBDIR BASE_DIRECTORY "${CMAKE_INSTALL_FULL_BINDIR}" OUTPUT_VARIABLE bin_to_lib)
  set_target_properties(filch_cli PROPERTIES INSTALL_RPATH "$ORIGIN/${bin_to_lib}")
  install(TARGETS filch_cli)
  if(TARGET filch_deque_trial)  # `filch prove` looks for it beside itself
    set_target_properties(filch_deque_trial PROPERTIES INSTALL_RPATH "$ORIGIN/${bin_to_lib}")
    install(TARGETS filch_deque_trial)
  endif()
endif()

# Documents, examples and pictures lie beside each other as they do here. A link to what is not among them becomes its text.
file(GLOB_RECURSE documents RELATIVE "${PROJECT_SOURCE_DIR}" CONFIGURE_DEPENDS filch/README.md docs/guide/*.md)
list(FILTER documents EXCLUDE REGEX "^filch/(sim|testing/model)/")
list(APPEND documents README.md CHANGELOG.md)
file(GLOB plain_files RELATIVE "${PROJECT_SOURCE_DIR}" CONFIGURE_DEPENDS LICENSE examples/*.cpp examples/*.hpp docs/pictures/*.png docs/pictures/*.svg)
foreach(document IN LISTS documents)
  cmake_path(GET document PARENT_PATH folder)
  file(READ "${document}" text)
  string(REPLACE "](" "@(" links "${text}")  # a bracket without its partner would keep what follows in one element
  string(REGEX MATCHALL "@\\([^)#]+" links "${links}")
  list(TRANSFORM links REPLACE "^@\\(" "")
  list(REMOVE_DUPLICATES links)
  foreach(link IN LISTS links)
    cmake_path(APPEND folder "${link}" OUTPUT_VARIABLE target)
    cmake_path(NORMAL_PATH target)
    if(EXISTS "${PROJECT_SOURCE_DIR}/${target}" AND NOT target IN_LIST documents AND NOT target IN_LIST plain_files)
      string(REGEX REPLACE "\\[([^]]*)\\]\\(${link}(#[^)]*)?\\)" "\\1" text "${text}")
    endif()
  endforeach()
  file(WRITE "${CMAKE_CURRENT_BINARY_DIR}/documents/${document}" "${text}")
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${document}")
  install(FILES "${CMAKE_CURRENT_BINARY_DIR}/documents/${document}" DESTINATION "${CMAKE_INSTALL_DOCDIR}/${folder}")
endforeach()
foreach(file IN LISTS plain_files)
  cmake_path(GET file PARENT_PATH folder)
  install(FILES "${file}" DESTINATION "${CMAKE_INSTALL_DOCDIR}/${folder}")
endforeach()

# A static library leaves its private libraries to the program that links it, so the package names them. A shared one names
# them itself.
get_target_property(linked filch LINK_LIBRARIES)
get_target_property(kind filch TYPE)
set(private_modules "")
foreach(module IN ITEMS hwloc zlib)
  if(kind STREQUAL "STATIC_LIBRARY" AND linked MATCHES "PkgConfig::${module}")
    list(APPEND private_modules ${module})
  endif()
endforeach()
list(JOIN private_modules " " private_modules)

configure_package_config_file(cmake/filch-config.cmake.in filch-config.cmake INSTALL_DESTINATION "${package_dir}"
                              NO_SET_AND_CHECK_MACRO NO_CHECK_REQUIRED_COMPONENTS_MACRO)
write_basic_package_version_file(filch-config-version.cmake COMPATIBILITY SameMinorVersion)
install(FILES "${CMAKE_CURRENT_BINARY_DIR}/filch-config.cmake" "${CMAKE_CURRENT_BINARY_DIR}/filch-config-version.cmake"
        DESTINATION "${package_dir}")

# The .pc file finds its prefix from where it lies, so that the tree can be moved, unless the library folder lies outside the prefix.
if(IS_ABSOLUTE "${CMAKE_INSTALL_LIBDIR}")
  set(pc_prefix "${CMAKE_INSTALL_PREFIX}")
else()
  file(RELATIVE_PATH up "/prefix/${CMAKE_INSTALL_LIBDIR}/pkgconfig" "/prefix")
  set(pc_prefix "\${pcfiledir}/${up}")
endif()
cmake_path(APPEND pc_libdir "\${prefix}" "${CMAKE_INSTALL_LIBDIR}")
cmake_path(APPEND pc_includedir "\${prefix}" "${CMAKE_INSTALL_INCLUDEDIR}")
configure_file(cmake/filch.pc.in filch.pc @ONLY)
install(FILES "${CMAKE_CURRENT_BINARY_DIR}/filch.pc" DESTINATION "${CMAKE_INSTALL_LIBDIR}/pkgconfig")
