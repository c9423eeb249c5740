// swift-tools-version: 6.2

import PackageDescription

// A package of its own, so that nobody who uses the library builds it.
let package = Package(
    name: "Benchmarks",
    platforms: [.macOS(.v15)],
    dependencies: [.package(name: "WebLoader", path: "..")],
    targets: [
        .executableTarget(
            name: "bench",
            dependencies: [
                .product(name: "WebLoader", package: "WebLoader"), "CAllocationCount", "CLibcurlURL",
                "CTreeWalk",
            ],
            swiftSettings: [
                .enableUpcomingFeature("ExistentialAny"),
                .enableUpcomingFeature("InternalImportsByDefault"),
                .enableUpcomingFeature("MemberImportVisibility"),
                .strictMemorySafety(),
                .treatAllWarnings(as: .error),
            ]
        ),
        // Counts what is allocated, by standing before the C library's malloc.
        .target(name: "CAllocationCount"),
        // Walks of trees in C, to compare with.
        .target(name: "CTreeWalk", dependencies: ["CLibXML2Plain"]),
        .systemLibrary(
            name: "CLibXML2Plain",
            pkgConfig: "libxml-2.0",
            providers: [.apt(["libxml2-dev"])]
        ),
        // libcurl's URL interface, to compare with.
        .systemLibrary(
            name: "CLibcurlURL",
            pkgConfig: "libcurl",
            providers: [.apt(["libcurl4-openssl-dev"])]
        ),
    ],
    swiftLanguageModes: [.v6]
)
