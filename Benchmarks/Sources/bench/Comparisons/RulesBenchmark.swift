import ArgumentParser
import CTreeWalk
import Glibc
import WebLoader

/// Extracts twelve fields from a page of 100 KB, with the library and in C with libxml2 and XPath.
struct RulesBenchmark: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "rules",
        abstract: "A recipe from a page's bytes to its result, and the same in C; with a worker, that too."
    )

    /// A field: its selector in the recipe, the same in XPath, and whether all matches count.
    private static let fields: [(name: String, selector: String, xpath: String, isList: Bool)] = [
        ("title", "title", "//title", false), ("heading", "article h2", "//article//h2", false),
        ("link", "article h2 a", "//article//h2//a/@href", false),
        ("count", "//article", "count(//article)", false),
        ("prices", "span.price", "//span[@class='price']", true), ("links", "h2 > a", "//h2/a/@href", true),
        ("headings", "article > h2", "//article/h2", true), ("lead", "p.lead", "//p[@class='lead']", false),
        ("items", "ul li", "//ul//li", true), ("ids", "article[id]", "//article/@id", true),
        ("strong", "p b", "//p//b", true), ("main", "main", "boolean(//main)", false),
    ]

    @Option(help: "A webinspect-worker of a release build: what isolation costs is measured too.")
    var worker: String?

    @Option(help: "How many rounds.")
    var rounds = 51

    func run() async throws {
        let folder = try TemporaryFolder.make()
        let bytes = Array(SyntheticPage.articles(bytes: 100_000).utf8)
        let page = try TemporaryFolder.write(bytes, to: "\(folder)/page.html")
        let recipe = try Recipe(Self.recipe)
        let here = Self.loader(worker: nil, pagesPerWorker: 1)
        let inProcess = Comparison.Subject("in this process") {
            try await Self.extract(recipe, page, here, .none)
        }
        try await Comparison(
            benchmark: "rules",
            name: "twelve fields of 100 KB",
            unit: "page",
            rounds: rounds
        ).run([
            inProcess,
            .init("C: htmlReadMemory and XPath") {
                guard Self.walk(bytes) > 0 else { throw BenchmarkError("C found nothing") }
            },
        ])
        if let worker {
            let cold = Self.loader(worker: worker, pagesPerWorker: 1)
            let kept = Self.loader(worker: worker, pagesPerWorker: .max)
            try await Comparison(benchmark: "rules", name: "in a worker", unit: "page", rounds: rounds).run([
                .init("a new worker a page") { try await Self.extract(recipe, page, cold, .worker) },
                .init("a kept worker", countsProcessorTime: false) {
                    try await Self.extract(recipe, page, kept, .worker)
                },
                inProcess,
            ])
        }
        try TemporaryFolder.remove(folder)
    }

    /// Loads the page from its file, so that only the process that evaluates the recipe parses it.
    private static func extract(
        _ recipe: Recipe,
        _ page: String,
        _ loader: PageLoader,
        _ isolation: RuleIsolation
    ) async throws {
        var options = ExtractionOptions()
        options.isolation = isolation
        let extraction = try await loader.extract(
            recipe,
            from: WebRequest(url: try WebURL(filePath: page)),
            budget: Budget(time: .seconds(60), memory: .megabytes(100)),
            options: options
        ).extraction
        guard extraction.errors.isEmpty, extraction.failure == nil, extraction.exceeded == nil else {
            throw BenchmarkError("\(extraction.errors) \(String(describing: extraction.failure))")
        }
    }

    private static func loader(worker: String?, pagesPerWorker: Int) -> PageLoader {
        var configuration = PageLoader.Configuration()
        configuration.cacheDirectory = nil
        configuration.blockingWork = .inline
        configuration.workers.path = worker
        configuration.workers.pagesPerWorker = pagesPerWorker
        return PageLoader(configuration: configuration)
    }

    private static func walk(_ bytes: [UInt8]) -> Int {
        let expressions = unsafe fields.map { unsafe strdup($0.xpath) }
        defer { unsafe expressions.forEach { unsafe free($0) } }
        let lists = fields.map { Int32($0.isList ? 1 : 0) }
        let pointers = unsafe expressions.map { unsafe UnsafePointer<CChar>($0) }
        return unsafe bytes.withUnsafeBytes { bytes in
            unsafe tree_walk_rules(
                bytes.baseAddress?.assumingMemoryBound(to: CChar.self),
                bytes.count,
                pointers,
                lists,
                pointers.count
            )
        }
    }

    /// The fields as a recipe.
    static var recipe: String {
        let lines = fields.map { field in
            switch field.name {
            case "count": "  \(field.name): {xpath: '\(field.selector)', take: count}"
            case "main": "  \(field.name): {select: '\(field.selector)', take: exists}"
            case "link", "links":
                "  \(field.name): {select: '\(field.selector)', take: 'attr:href', all: \(field.isList)}"
            case "ids": "  \(field.name): {select: '\(field.selector)', take: 'attr:id', all: true}"
            default: "  \(field.name): {select: '\(field.selector)', all: \(field.isList)}"
            }
        }
        return "version: 1\nfields:\n\(lines.joined(separator: "\n"))\n"
    }
}
