import Glibc
import WebLoader

// Prints the steps of a load as they happen: `trace-load URL`. For swift-log, swift-metrics and
// swift-distributed-tracing there is a ready-made observer, `InstrumentedObserver` of the product
// WebLoaderObservability.

struct Tree: LoadObserver {
    var indentation = ""

    func began(_ work: ObservedWork) -> any LoadObserver {
        print("\(indentation)\(work.kind) \(work.url.path)")
        return Tree(indentation: indentation + "  ")
    }

    func redirected(to url: WebURL, from response: WebResponse) {
        print("\(indentation)redirected with \(response.status?.code ?? 0) to \(url.path)")
    }

    func retrying(after delay: Duration) {
        print("\(indentation)again after \(delay)")
    }

    /// `outcome.duration` is the time that the work took, and `outcome.response?.timing` its breakdown.
    func ended(_ outcome: ObservedOutcome) {
        let answer = outcome.response.map { "\($0.status?.code ?? 0) from \($0.source)" } ?? "done"
        print("\(indentation)\(outcome.errorCode ?? answer)")
    }
}

guard let url = try? WebURL(CommandLine.arguments.dropFirst().first ?? "https://example.com/") else {
    print("not a URL")
    exit(2)
}
var configuration = PageLoader.Configuration()
configuration.observer = Tree()
do throws(LoadError) {
    _ = try await PageLoader(configuration: configuration).load(WebRequest(url: url))
} catch {
    // The observer has been notified.
}
