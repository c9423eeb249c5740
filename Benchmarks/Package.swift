// swift-tools-version: 6.2

import PackageDescription

// What is measured is not all public: the benchmarks count as a part of the library's package.
let folders = Context.packageDirectory.split(separator: "/")
let libraryPackage = folders.dropLast().last?.lowercased() ?? ""

// A package of its own, so that nobody who uses the library builds it.
let package = Package(
    name: "Benchmarks",
    platforms: [.macOS(.v15)],
    dependencies: [
        .package(name: "WebLoader", path: ".."),
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
        .package(url: "https://github.com/apple/swift-http-types", from: "1.8.0", traits: []),
    ],
    targets: [
        .executableTarget(
            name: "bench",
            dependencies: [
                .product(name: "WebLoader", package: "WebLoader"),
                .product(name: "WebBrowsing", package: "WebLoader"),
                .product(name: "WebDifference", package: "WebLoader"),
                .product(name: "WebSite", package: "WebLoader"), "CAllocationCount", "CCountingMarks",
                "CLibcurlURL", "CTreeWalk",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
                .product(name: "HTTPTypes", package: "swift-http-types"),
            ],
            // That of this package would come after the other.
            packageAccess: false,
            swiftSettings: [
                .unsafeFlags(["-package-name", libraryPackage]),
                .enableUpcomingFeature("ExistentialAny"),
                .enableUpcomingFeature("InternalImportsByDefault"),
                .enableUpcomingFeature("MemberImportVisibility"),
                .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
                .strictMemorySafety(),
                .treatAllWarnings(as: .error),
            ]
        ),
        // Counts what is allocated, by standing before the C library's malloc.
        .target(name: "CAllocationCount"),
        // Tells callgrind what to count.
        .target(name: "CCountingMarks"),
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
