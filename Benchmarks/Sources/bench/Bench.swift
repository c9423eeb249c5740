import Glibc

/// `bench NAME [ARGUMENT ...]`: runs one benchmark and prints what it measured.
@main
enum Bench {
    static func main() async {
        let arguments = Array(CommandLine.arguments.dropFirst())
        do {
            switch arguments.first {
            case "urls": try await URLBenchmark.run(Array(arguments.dropFirst()))
            case "cache": try await CacheBenchmark.run(Array(arguments.dropFirst()))
            case "fetch": try await FetchBenchmark.run(Array(arguments.dropFirst()))
            case "selectors": try await SelectorBenchmark.run(Array(arguments.dropFirst()))
            case "parts": try await PartsBenchmark.run(Array(arguments.dropFirst()))
            case "rules": try await RulesBenchmark.run(Array(arguments.dropFirst()))
            default:
                throw BenchmarkError(
                    "usage: bench urls|selectors|parts [FOLDER] [ROUNDS] | cache [ENTRIES] [ROUNDS] | fetch [PAGES] [ROUNDS] "
                        + "| rules [WORKER] [ROUNDS]"
                )
            }
        } catch {
            print("bench: \(error)")
            exit(2)
        }
    }
}

/// Why a benchmark could not run.
struct BenchmarkError: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) {
        self.description = description
    }
}
