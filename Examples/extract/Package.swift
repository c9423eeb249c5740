// swift-tools-version: 6.2

import PackageDescription

let package = Package(
    name: "extract",
    platforms: [.macOS(.v15)],
    dependencies: [.package(name: "WebLoader", path: "../..")],
    targets: [
        .executableTarget(name: "extract", dependencies: [.product(name: "WebLoader", package: "WebLoader")])
    ]
)
