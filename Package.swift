// swift-tools-version: 6.2

import PackageDescription

// Scripts/build links the worker statically, which halves its start-up time. Our malloc is the first one that the
// linker finds; `muldefs` permits glibc's own after it.
let isWorkerStatic = Context.environment["WEBLOADER_STATIC_WORKER"] == "1"
let workerLinkerSettings: [LinkerSetting] =
    isWorkerStatic
    ? [.unsafeFlags(["-Xclang-linker", "-static", "-Xlinker", "-z", "-Xlinker", "muldefs"])] : []

let ifObserved = TargetDependencyCondition.when(traits: ["Observability"])

let package = Package(
    name: "WebLoader",
    platforms: [.macOS(.v15)],
    products: [
        // README.md, "Which product do I want", says which of them includes which.
        .library(name: "WebStandards", targets: ["WebStandards"]),
        .library(name: "WebArchive", targets: ["WebArchive"]),
        .library(name: "WebDocument", targets: ["WebDocument"]),
        .library(name: "WebDifference", targets: ["WebDifference"]),
        .library(name: "WebLoader", targets: ["WebLoader"]),
        .library(name: "WebSite", targets: ["WebSite"]),
        .library(name: "WebCopy", targets: ["WebCopy"]),
        .library(name: "WebRendering", targets: ["WebRendering"]),
        .library(name: "WebBrowsing", targets: ["WebBrowsing"]),
        .library(name: "WebLoaderFoundation", targets: ["WebLoaderFoundation"]),
        .library(name: "WebLoaderObservability", targets: ["WebLoaderObservability"]),
        .library(name: "WebLoaderTesting", targets: ["WebLoaderTesting"]),
        .executable(name: "webinspect", targets: ["webinspect"]),
        .executable(name: "webinspect-worker", targets: ["webinspect-worker"]),
        .executable(name: "webinspect-server", targets: ["webinspect-server"]),
    ],
    traits: [
        // Without it swift-log, swift-metrics and swift-distributed-tracing are not downloaded; docs/decisions/0024
        .trait(
            name: "Observability",
            description:
                "WebLoaderObservability, with what it needs: swift-log, swift-metrics, swift-distributed-tracing"
        )
    ],
    dependencies: [
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
        // Without its default trait, which would bring FoundationEssentials.
        .package(url: "https://github.com/apple/swift-http-types", from: "1.8.0", traits: []),
        // Downloaded only with the trait Observability.
        .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
        .package(url: "https://github.com/apple/swift-metrics", from: "2.13.0"),
        .package(url: "https://github.com/apple/swift-distributed-tracing", from: "1.7.3"),
        // For webinspect-server only.
        .package(url: "https://github.com/apple/swift-nio", from: "2.101.2"),
        // For the tests only: a well-behaved HTTP server.
        .package(url: "https://github.com/swhitty/FlyingFox", from: "0.27.1"),
    ],
    targets: [
        // MARK: The library, from what needs nothing to what has everything; docs/decisions/0019
        .target(
            name: "WebStandards",
            dependencies: [
                "CContentCoding", "CEncodingTables", "CIDNATables", "CPublicSuffix",
                .product(name: "HTTPTypes", package: "swift-http-types"),
            ]
        ),
        .target(
            name: "WebArchive",
            dependencies: [
                "CArchive", "WebStandards",
                .product(name: "HTTPTypes", package: "swift-http-types"),
            ]
        ),
        .target(
            name: "WebDocument",
            dependencies: [
                "CHTMLTables", "CLibXML2", "WebStandards",
                .product(name: "HTTPTypes", package: "swift-http-types"),
            ]
        ),
        // The differences between two pages. docs/decisions/0035
        .target(
            name: "WebDifference",
            dependencies: [
                "WebDocument", "WebStandards",
                .product(name: "HTTPTypes", package: "swift-http-types"),
            ]
        ),
        .target(
            name: "WebTransport",
            dependencies: [
                "CCurl", "CXXHash", "WebArchive", "WebStandards",
                .product(name: "HTTPTypes", package: "swift-http-types"),
            ]
        ),
        .target(
            name: "WebRules",
            dependencies: [
                "CLua", "CPCRE2", "CWorker", "CYAML", "WebDocument", "WebStandards",
                .product(name: "HTTPTypes", package: "swift-http-types"),
            ]
        ),
        .target(
            name: "WebLoader",
            dependencies: [
                "WebArchive", "WebDifference", "WebDocument", "WebRules", "WebStandards", "WebTransport",
                .product(name: "HTTPTypes", package: "swift-http-types"),
            ]
        ),

        // Pages after their scripts have run, by a browser without network access. docs/decisions/0041
        .target(
            name: "WebRendering",
            dependencies: [
                "CBrowser", "WebLoader", "WebStandards", "WebTransport",
                .product(name: "HTTPTypes", package: "swift-http-types"),
            ]
        ),
        .target(name: "CBrowser"),

        // SQLite, for data that outlives a process: jobs, and the lists of the server.
        .target(
            name: "WebDatabase",
            dependencies: ["CSQLite", "WebStandards"],
            linkerSettings: [.linkedLibrary(":libsqlite3.a"), .linkedLibrary("m")]
        ),

        // Many pages: checking and crawling sites, jobs that outlive their process. docs/decisions/0033
        .target(
            name: "WebSite",
            dependencies: [
                "WebArchive", "WebDatabase", "WebDifference", "WebDocument", "WebLoader",
                "WebStandards", "WebTransport",
                .product(name: "HTTPTypes", package: "swift-http-types"),
            ]
        ),

        // Permanent copies: a page in one file, a site in a folder. docs/decisions/0034
        .target(
            name: "WebCopy",
            dependencies: [
                "WebArchive", "WebDocument", "WebLoader", "WebSite", "WebStandards", "WebTransport",
                .product(name: "HTTPTypes", package: "swift-http-types"),
            ]
        ),

        // Pages one after the other, as a person sees them: history, links, forms. docs/decisions/0038
        .target(
            name: "WebBrowsing",
            dependencies: [
                "WebArchive", "WebCopy", "WebDocument", "WebLoader", "WebRules", "WebSite", "WebStandards",
                "WebTransport",
                .product(name: "HTTPTypes", package: "swift-http-types"),
            ]
        ),

        // Foundation's URL, URLRequest, Data and Date; nothing else links Foundation.
        .target(
            name: "WebLoaderFoundation",
            dependencies: [
                "WebDocument", "WebLoader", "WebStandards",
                .product(name: "HTTPTypes", package: "swift-http-types"),
            ]
        ),

        // Loads as logs, metrics and traces; without the trait it is empty.
        .target(
            name: "WebLoaderObservability",
            dependencies: [
                "WebLoader",
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "Logging", package: "swift-log", condition: ifObserved),
                .product(name: "Metrics", package: "swift-metrics", condition: ifObserved),
                .product(name: "Tracing", package: "swift-distributed-tracing", condition: ifObserved),
            ]
        ),

        // The contract of a cache store, for the tests of programs that implement one, and for ours.
        .target(
            name: "WebLoaderTesting",
            dependencies: [
                "WebStandards", "WebTransport",
                .product(name: "HTTPTypes", package: "swift-http-types"),
            ]
        ),

        // MARK: The command
        .executableTarget(
            name: "webinspect",
            dependencies: [
                "CLook", "CScarcity", "CTerminal", "WebArchive", "WebBrowsing", "WebCopy", "WebDifference",
                "WebLoader", "WebRendering", "WebSite",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
                .product(name: "HTTPTypes", package: "swift-http-types"),
            ]
        ),

        // The process that evaluates rules. The guard stands in for malloc: it is linked here and nowhere else.
        .executableTarget(
            name: "webinspect-worker",
            dependencies: ["CWorkerGuard", "WebRules"],
            linkerSettings: workerLinkerSettings
        ),
        .target(name: "CWorkerGuard", dependencies: ["CWorker"]),

        // The local web page. It parses no pages itself: processes of the command do. docs/decisions/0039
        .executableTarget(
            name: "webinspect-server",
            dependencies: [
                "CScarcity", "CServer", "WebDatabase", "WebStandards",
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOHTTP1", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
            ]
        ),
        .target(name: "CServer", dependencies: ["CLook"], exclude: ["assets"]),
        .target(name: "CLook", exclude: ["look.css"]),
        .target(name: "CWorker"),

        // MARK: C libraries
        .systemLibrary(
            name: "CLibXML2",
            pkgConfig: "libxml-2.0",
            providers: [.apt(["libxml2-dev"]), .brew(["libxml2"])]
        ),
        .systemLibrary(
            name: "CPCRE2",
            pkgConfig: "libpcre2-8",
            providers: [.apt(["libpcre2-dev"]), .brew(["pcre2"])]
        ),
        .systemLibrary(
            name: "CYAML",
            pkgConfig: "yaml-0.1",
            providers: [.apt(["libyaml-dev"]), .brew(["libyaml"])]
        ),
        .systemLibrary(
            name: "CXXHash",
            providers: [.apt(["libxxhash-dev"]), .brew(["xxhash"])]
        ),
        .systemLibrary(
            name: "CSQLite",
            providers: [.apt(["libsqlite3-dev"]), .brew(["sqlite"])]
        ),
        .target(name: "CArchive"),
        .target(name: "CContentCoding"),
        .target(name: "CCurl"),
        .target(name: "CPublicSuffix"),
        .target(name: "CScarcity"),
        .target(name: "CTerminal"),
        .target(name: "CLua", linkerSettings: [.linkedLibrary("lua5.4"), .linkedLibrary("m")]),

        // MARK: Generated tables, in C so that they cost nothing at start-up
        .target(name: "CEncodingTables"),
        .target(name: "CHTMLTables"),
        .target(name: "CIDNATables"),

        // MARK: Tests and what they need
        .target(
            name: "TestSupport",
            dependencies: [
                .product(name: "FlyingFox", package: "FlyingFox"),
                .product(name: "FlyingSocks", package: "FlyingFox"),
            ],
            path: "Tests/TestSupport"
        ),
        .testTarget(
            name: "WebLoaderTests",
            dependencies: [
                "TestSupport", "WebArchive", "WebDocument", "WebLoader", "WebLoaderTesting", "WebRules",
                "WebBrowsing", "WebCopy", "WebDifference", "WebRendering", "WebSite", "WebStandards",
                "WebTransport", "webinspect-worker",
                .product(name: "FlyingFox", package: "FlyingFox"),
                .product(name: "HTTPTypes", package: "swift-http-types"),
            ]
        ),
        .testTarget(name: "WebLoaderFoundationTests", dependencies: ["WebLoaderFoundation"]),
        .testTarget(
            name: "WebLoaderObservabilityTests",
            dependencies: [
                "WebLoaderObservability", "WebLoader",
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "InMemoryLogging", package: "swift-log", condition: ifObserved),
                .product(name: "MetricsTestKit", package: "swift-metrics", condition: ifObserved),
                .product(
                    name: "InMemoryTracing",
                    package: "swift-distributed-tracing",
                    condition: ifObserved
                ),
            ]
        ),
        .testTarget(
            name: "webinspectTests",
            dependencies: [
                "webinspect", "webinspect-worker", "TestSupport", "fixture-server", "network-guard",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
                .product(name: "FlyingFox", package: "FlyingFox"),
            ]
        ),
        .testTarget(
            name: "webinspectServerTests",
            dependencies: [
                "TestSupport", "WebDatabase", "WebStandards", "webinspect", "webinspect-server",
                "webinspect-worker",
                .product(name: "FlyingFox", package: "FlyingFox"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOHTTP1", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
            ]
        ),
        .executableTarget(
            name: "fixture-server",
            dependencies: ["TestSupport"],
            path: "Tests/FixtureServer"
        ),
        .executableTarget(name: "network-guard", path: "Tests/NetworkGuard"),
    ],
    swiftLanguageModes: [.v6]
)

// Targets that test and measure the project; Scripts/ sets the variable. Users of the library do not build them.
let isDeveloped = Context.environment["WEBLOADER_DEVELOPMENT"] == "1"
if isDeveloped {
    package.targets += [
        // MARK: Conformance, and a soak
        .executableTarget(
            name: "conformance-adapter",
            dependencies: [
                "CLibXML2", "WebDocument", "WebStandards",
                .product(name: "HTTPTypes", package: "swift-http-types"),
            ],
            path: "Tests/ConformanceAdapter"
        ),
        .executableTarget(
            name: "soak",
            dependencies: [
                "WebLoader", "TestSupport", "webinspect-worker",
                .product(name: "HTTPTypes", package: "swift-http-types"),
            ],
            path: "Tests/Soak"
        ),

        // MARK: Benchmarks
        .executableTarget(
            name: "bench",
            dependencies: [
                "CAllocationCount", "CCountingMarks", "CLibcurlURL", "CTreeWalk", "WebBrowsing",
                "WebDifference", "WebLoader", "WebSite",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
                .product(name: "HTTPTypes", package: "swift-http-types"),
            ],
            path: "Benchmarks/Sources/bench"
        ),
        // Counts allocations, by taking the place of the C library's malloc.
        .target(name: "CAllocationCount", path: "Benchmarks/Sources/CAllocationCount"),
        // Marks the code in which callgrind counts.
        .target(name: "CCountingMarks", path: "Benchmarks/Sources/CCountingMarks"),
        // Tree walks in C, for comparison.
        .target(name: "CTreeWalk", dependencies: ["CLibXML2"], path: "Benchmarks/Sources/CTreeWalk"),
        // libcurl's URL interface, for comparison.
        .systemLibrary(
            name: "CLibcurlURL",
            path: "Benchmarks/Sources/CLibcurlURL",
            pkgConfig: "libcurl",
            providers: [.apt(["libcurl4-openssl-dev"]), .brew(["curl"])]
        ),
    ]
}

// The settings of every Swift target.
for target in package.targets where target.type != .system {
    target.swiftSettings = [
        .enableUpcomingFeature("ExistentialAny"),
        .enableUpcomingFeature("InternalImportsByDefault"),
        .enableUpcomingFeature("MemberImportVisibility"),
        .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
        .strictMemorySafety(),
        .treatAllWarnings(as: .error),
    ]
}

// These are compiled like the programs of others, without the settings above.
if isDeveloped {
    // The targets that libFuzzer runs, and the program that replays all stored inputs.
    package.products.append(.library(name: "FuzzTargets", type: .static, targets: ["FuzzTargets"]))
    package.targets += [
        .target(
            name: "FuzzTargets",
            dependencies: [
                "CVirtualTime", "WebArchive", "WebBrowsing", "WebDocument", "WebLoader", "WebRules",
                "WebSite", "WebStandards", "WebTransport",
                .product(name: "HTTPTypes", package: "swift-http-types"),
            ],
            path: "Fuzzing/Sources/FuzzTargets"
        ),
        // Swift's tasks on one thread, by a virtual clock.
        .target(name: "CVirtualTime", path: "Fuzzing/Sources/CVirtualTime"),
        .executableTarget(
            name: "fuzz-replay",
            dependencies: ["FuzzTargets"],
            path: "Fuzzing/Sources/FuzzReplay",
            // CVirtualTime replaces the clocks, the functions that wait for them, and the random numbers.
            linkerSettings: [
                .unsafeFlags(
                    [
                        "--wrap=clock_gettime", "--wrap=poll", "--wrap=usleep", "--wrap=swift_stdlib_random",
                        "--defsym=clock_gettime=runtime_clock_gettime",
                    ].flatMap { ["-Xlinker", $0] }
                )
            ]
        ),
    ]

    /// An example: one file, `Examples/NAME/main.swift`, for a module of the library and further dependencies.
    func example(_ name: String, of module: String = "WebLoader", _ others: [String] = []) -> Target {
        let dependencies = ([module] + others).map { Target.Dependency.byName(name: $0) }
        return .executableTarget(name: name, dependencies: dependencies, path: "Examples/\(name)")
    }
    package.targets += [
        example("archive-titles"),
        // Rules run in a separate process, whose executable is searched beside the program: this builds it there.
        example("extract", ["webinspect-worker"]),
        example("guarded-service"),
        example("hear-loads"),
        example("html-outline", of: "WebDocument"),
        example("list-links"),
        example("load-many"),
        example("load-offline"),
        example("own-cache-store", ["WebLoaderTesting"]),
        example("own-fetcher"),
        example("page-changes", of: "WebDifference"),
        example("page-history"),
        example("resolve-urls", of: "WebStandards"),
        example("robots-check", of: "WebSite"),
        example("save-page", of: "WebCopy"),
        example("session-login", of: "WebBrowsing"),
        example("site-titles", of: "WebSite"),
        example("sitemap-list", of: "WebSite"),
        example("table-to-csv"),
        example("trace-load"),
        example("watch-price", ["webinspect-worker"]),
    ]
}
