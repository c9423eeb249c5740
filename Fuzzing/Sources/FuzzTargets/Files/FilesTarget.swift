import CVirtualTime
import Glibc
import HTTPTypes

@testable import WebLoader
@testable import WebTransport

/// Creates a cache folder as the input determines, with a cookie jar, hosts' policies and a configuration beside it,
/// and then runs all code that reads them: loads, the commands of the cache, the readers of the files.
///
/// Regardless of the folder's contents, nothing outside of it changes, and files that do not belong to the cache stay
/// unchanged.
func fuzzFiles(_ input: UnsafeBufferPointer<UInt8>) {
    guard !input.isEmpty else { return }
    let top = ScratchFolder.make()
    defer { ScratchFolder.remove(top) }
    virtual_time_enter(1_700_000_000_000, 0)
    defer { virtual_time_leave() }
    let source = ByteSource(Array(input))
    let folder = HostileFolder(source, top: top)
    folder.make()
    HistoryEnd.run { await use(folder, source) }
    folder.check()
}

private func use(_ folder: HostileFolder, _ source: ByteSource) async {
    let ledger = Ledger()
    var configuration = PageLoader.Configuration()
    configuration.cacheDirectory = folder.cache
    configuration.fetcher = ScriptedServer(source, ledger)
    configuration.blockingWork = .inline
    configuration.limits.maximumNodes = 20_000
    configuration.maximumCacheSize = source.pick([1 << 30, 10_000, 0, .max])
    // An unreadable jar is replaced by an empty one.
    configuration.cookieJar = (try? CookieJar(file: "\(folder.top)/jar")) ?? CookieJar()
    let loader = PageLoader(configuration: configuration)
    for _ in 0..<6 {
        var asked = HistoryRequest(source, now: virtual_time_wall_clock())
        // The folder's contents are forged, so the results of loads are not checked here.
        asked.request.timeoutInterval = .seconds(60)
        ledger.loads.append(asked.request)
        await CurrentLoad.$number.withValue(ledger.loads.count - 1) {
            _ = try? await loader.load(asked.request)
        }
        await loader.finishBackgroundWork(within: .seconds(1000))
        browse(folder, source)
    }
    // Writing to a pipe would wait for a reader, for thousands of steps.
    if !folder.isPipe("\(folder.top)/jar") {
        try? configuration.cookieJar?.write(file: "\(folder.top)/jar")
    }
}

/// Uses a folder as a command does.
private func browse(_ folder: HostileFolder, _ source: ByteSource) {
    let browser = CacheBrowser(directory: folder.cache)
    switch source.number(below: 9) {
    case 0, 1:
        let verifies = source.isOne(of: 2)
        try? browser.forEach(
            matching: source.isOne(of: 2) ? URLPattern("http*a*") : nil,
            verifiesBodies: verifies
        ) {
            guard case .entry(let entry) = $0 else { return }
            _ = (
                entry.url, entry.fileSize, entry.lastUse, entry.bodySize, entry.received,
                entry.varyingFields.count
            )
            _ = entry.freshness(now: .now)
            for policy in CachePolicy.allCases {
                _ = entry.use(for: HistoryURL.make(source), policy, now: .now)
            }
            var count = 0
            entry.forEachPieceOfBody { count += $0.count }
            demand(
                !verifies || count == entry.bodySize,
                "a body that was found whole has \(count) of \(entry.bodySize) bytes"
            )
        }
    case 2: _ = try? browser.otherFiles()
    case 3: _ = browser.lookUp(HistoryURL.make(source))
    case 4: _ = try? browser.remove(matching: URLPattern(source.pick(["http*", "*a", "*"])))
    case 5, 6: _ = try? browser.trim(to: source.pick([0, 5000, 1 << 20, .max, -1, .min]))
    case 7:
        var request = WebRequest(url: HistoryURL.make(source))
        request = NetrcFile(path: "\(folder.top)/netrc", log: nil).authorizing(request, within: 1)
        demand(request.headerFields.count <= 1, "a netrc file makes more of a request than its credentials")
    default:
        let path = "\(folder.top)/settings.yml"
        let bytes =
            source.isOne(of: 2)
            ? try? SettingsText.source(ofFoundFile: path) : try? SettingsText.source(ofFile: path)
        if let bytes { _ = try? SettingsText.read(bytes, file: path) }
    }
}
