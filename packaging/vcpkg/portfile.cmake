# An overlay port: it builds the tree in which it lies. In a registry, vcpkg_download_distfile and vcpkg_extract_source_archive stand here instead.
get_filename_component(SOURCE_PATH "${CURRENT_PORT_DIR}/../.." ABSOLUTE)

vcpkg_check_features(OUT_FEATURE_OPTIONS features
  FEATURES
    hwloc   FILCH_USE_HWLOC
    testing FILCH_BUILD_TESTING
    tools   FILCH_BUILD_TOOLS
    zlib    FILCH_USE_ZLIB
)
if("hwloc" IN_LIST FEATURES OR "zlib" IN_LIST FEATURES)
  vcpkg_find_acquire_program(PKGCONFIG)
  list(APPEND features "-DPKG_CONFIG_EXECUTABLE=${PKGCONFIG}")
endif()

vcpkg_cmake_configure(SOURCE_PATH "${SOURCE_PATH}"
  OPTIONS ${features} -DBUILD_TESTING=OFF "-DCMAKE_INSTALL_DOCDIR=share/${PORT}/doc"
)
vcpkg_cmake_install()
vcpkg_cmake_config_fixup(CONFIG_PATH lib/cmake/filch)
vcpkg_fixup_pkgconfig()
if("tools" IN_LIST FEATURES)
  vcpkg_copy_tools(TOOL_NAMES filch filch-deque-trial AUTO_CLEAN)
endif()
file(REMOVE_RECURSE "${CURRENT_PACKAGES_DIR}/debug/include" "${CURRENT_PACKAGES_DIR}/debug/share")
vcpkg_install_copyright(FILE_LIST "${SOURCE_PATH}/LICENSE")
