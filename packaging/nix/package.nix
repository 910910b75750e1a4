{
  lib,
  stdenv,
  cmake,
  ninja,
  pkg-config,
  cli11,
  fmt,
  hwloc,
  libpng,
  nlohmann_json,
  zlib,
}:

let
  root = ../..;
  header = builtins.readFile (root + "/filch/base/version.hpp");
in
stdenv.mkDerivation {
  pname = "filch";
  version = builtins.head (builtins.match ".*FILCH_VERSION \"([0-9.]+)\".*" header);
  src = lib.fileset.toSource {
    inherit root;
    fileset = lib.fileset.unions (
      map (each: root + "/${each}") [
        "CHANGELOG.md"
        "CMakeLists.txt"
        "LICENSE"
        "README.md"
        "bench"
        "cmake"
        "compare"
        "docs"
        "examples"
        "filch"
        "tools"
      ]
    );
  };

  nativeBuildInputs = [
    cmake
    ninja
    pkg-config
  ];
  buildInputs = [
    cli11
    fmt
    hwloc
    libpng
    nlohmann_json
    zlib
  ];

  cmakeFlags = [
    (lib.cmakeBool "BUILD_SHARED_LIBS" (!stdenv.hostPlatform.isStatic))
    (lib.cmakeBool "BUILD_TESTING" false)
    (lib.cmakeBool "FILCH_BUILD_TESTING" true)
    (lib.cmakeBool "FILCH_BUILD_TOOLS" true)
  ];

  doInstallCheck = true;
  installCheckPhase = ''
    runHook preInstallCheck
    $out/bin/filch run fib
    runHook postInstallCheck
  '';

  meta = {
    description = "Work-stealing runtime for C++20";
    license = lib.licenses.mit;
    platforms = lib.platforms.linux;
    mainProgram = "filch";
  };
}
