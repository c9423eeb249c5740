import CTreeWalk
import Glibc
import WebLoader

/// Takes twelve fields off a page, as the library does and as C with libxml2 and XPath does.
enum RulesBenchmark {
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

    /// `rules [WORKER] [ROUNDS]`.
    static func run(_ arguments: [String]) async throws {
        let worker = arguments.first
        let rounds = arguments.count > 1 ? Int(arguments[1]) ?? 0 : 51
        guard rounds > 0 else { throw BenchmarkError("\(arguments[1]): not a number of rounds") }
        let bytes = Array(Self.page.utf8)
        let page = try write(bytes)
        defer { _ = unsafe unlink(page) }
        let recipe = try Recipe(Self.recipe)
        print("a page of \(bytes.count) bytes, \(fields.count) fields, medians of \(rounds) rounds")
        let here = loader(worker: nil, pagesPerWorker: 1)
        var options = ExtractionOptions()
        options.isolation = .none
        var (ours, floor) = ([Double](), [Double]())
        for round in -1..<rounds {
            var start = time(CLOCK_PROCESS_CPUTIME_ID)
            try check(await extract(recipe, page, here, options))
            if round >= 0 { ours.append(time(CLOCK_PROCESS_CPUTIME_ID) - start) }
            start = time(CLOCK_PROCESS_CPUTIME_ID)
            guard walk(bytes) > 0 else { throw BenchmarkError("C found nothing") }
            if round >= 0 { floor.append(time(CLOCK_PROCESS_CPUTIME_ID) - start) }
        }
        report("in this process, CPU", ours)
        report("in C, CPU", floor)
        print("ratio: \((median(floor) / median(ours) * 100).rounded() / 100) times C's rate")
        guard let worker else { return }
        options.isolation = .worker
        let (cold, warm) = (
            loader(worker: worker, pagesPerWorker: 1), loader(worker: worker, pagesPerWorker: .max)
        )
        options.isolation = .none
        var walls: [String: [Double]] = [:]
        for round in -1..<rounds {
            for (name, loader, isolation) in [
                ("in this process, wall", here, RuleIsolation.none),
                ("a new worker a page, wall", cold, .worker),
                ("a kept worker, wall", warm, .worker),
            ] {
                options.isolation = isolation
                let start = time(CLOCK_MONOTONIC)
                try check(await extract(recipe, page, loader, options))
                if round >= 0 { walls[name, default: []].append(time(CLOCK_MONOTONIC) - start) }
            }
        }
        for (name, times) in walls.sorted(by: { $0.key < $1.key }) { report(name, times) }
    }

    private static func extract(
        _ recipe: Recipe,
        _ page: String,
        _ loader: PageLoader,
        _ options: ExtractionOptions
    ) async throws -> Extraction {
        let budget = Budget(time: .seconds(60), memory: .megabytes(100))
        // From its file, so that whoever evaluates the recipe parses it, and nobody else.
        return try await loader.extract(
            recipe,
            from: WebRequest(url: try WebURL(filePath: page)),
            budget: budget,
            options: options
        ).extraction
    }

    /// The path of a file of these bytes.
    private static func write(_ bytes: [UInt8]) throws -> String {
        let path = "/tmp/webloader-bench-\(getpid()).html"
        let descriptor = unsafe open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw BenchmarkError("\(path) cannot be written") }
        defer { close(descriptor) }
        guard unsafe Glibc.write(descriptor, bytes, bytes.count) == bytes.count else {
            throw BenchmarkError("\(path) cannot be written")
        }
        return path
    }

    private static func check(_ extraction: Extraction) throws {
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

    private static var recipe: String {
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

    private static var page: String {
        var page =
            "<!DOCTYPE html><html lang=en><head><meta charset=utf-8><title>A hundred kilobytes</title></head><body><main>"
        let text = String(repeating: "page load cache link base rule budget tree node text ", count: 6)
        var index = 0
        while page.utf8.count < 100_000 {
            page += """
                <article class="card c\(index % 17)" id="a\(index)"><h2><a href="/item/\(index)?ref=x">Item \(index)</a></h2>\
                <p class="lead">\(text)</p><p>\(text)<b>some</b> <i>more</i></p><ul><li>one</li><li>two</li></ul>\
                <span class="price">\(index % 997).50</span></article>\n
                """
            index += 1
        }
        return page + "</main></body></html>"
    }

    private static func report(_ name: String, _ times: [Double]) {
        let middle = median(times)
        print("\(name): \((middle * 1e6).rounded() / 1000) ms a page, \(Int(1 / middle)) pages/s")
    }

    private static func median(_ times: [Double]) -> Double { times.sorted()[times.count / 2] }

    private static func time(_ clock: clockid_t) -> Double {
        var time = timespec()
        unsafe clock_gettime(clock, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }
}
