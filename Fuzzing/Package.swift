// swift-tools-version: 6.2

import PackageDescription

// A package of its own, since all of it is built with instrumentation: see Scripts/fuzz.
let package = Package(
    name: "Fuzzing",
    platforms: [.macOS(.v15)],
    products: [.library(name: "FuzzTargets", type: .static, targets: ["FuzzTargets"])],
    dependencies: [.package(name: "WebLoader", path: "..")],
    targets: [
        .target(
            name: "FuzzTargets",
            dependencies: [.product(name: "WebLoader", package: "WebLoader")],
            swiftSettings: [
                .enableUpcomingFeature("ExistentialAny"),
                .enableUpcomingFeature("InternalImportsByDefault"),
                .enableUpcomingFeature("MemberImportVisibility"),
                .treatAllWarnings(as: .error),
            ]
        )
    ],
    swiftLanguageModes: [.v6]
)
