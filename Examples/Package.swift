// swift-tools-version: 6.2

import PackageDescription

/// An example: one file, `Sources/NAME/main.swift`, for a product of the library and what it depends on besides.
func example(_ name: String, of product: String = "WebLoader", _ others: [Target.Dependency] = []) -> Target {
    .executableTarget(name: name, dependencies: [.product(name: product, package: "WebLoader")] + others)
}

// Rules run in a process of their own, which is looked for beside the program: this builds it there.
let worker = Target.Dependency.product(name: "webinspect-worker", package: "WebLoader")

let package = Package(
    name: "Examples",
    platforms: [.macOS(.v15)],
    dependencies: [.package(name: "WebLoader", path: "..")],
    targets: [
        example("load-offline"),
        example("page-history"),
        example("list-links"),
        example("watch-price", [worker]),
        example("table-to-csv"),
        example("hear-loads"),
        example("trace-load"),
        example("guarded-service"),
        example("load-many"),
        example("own-fetcher"),
        example("own-cache-store", [.product(name: "WebLoaderTesting", package: "WebLoader")]),
        example("extract", [worker]),
        example("archive-titles"),
        example("site-titles", of: "WebSite"),
        example("save-page", of: "WebCopy"),
        example("session-login", of: "WebBrowsing"),
        example("robots-check", of: "WebSite"),
        example("sitemap-list", of: "WebSite"),
        example("resolve-urls", of: "WebStandards"),
        example("html-outline", of: "WebDocument"),
        example("page-changes", of: "WebDifference"),
    ],
    swiftLanguageModes: [.v6]
)
