import ArgumentParser
import Dispatch

/// The entry point of the program.
@main
enum Main {
    static func main() {
        let arguments = CommandLine.arguments.dropFirst()
        if arguments.first == "job", let name = arguments.last.flatMap(InstructionJob.init(rawValue:)) {
            return name.runHere()
        }
        let end = DispatchSemaphore(value: 0)
        Task.detached {
            await Bench.main()
            end.signal()
        }
        end.wait()
    }
}

/// Measures the library, each part in turn with the alternatives to it, and prints a line of JSON for each case.
///
/// `Scripts/bench` runs it beside other programs and makes tables of the lines.
struct Bench: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "bench",
        abstract: "Measures the library; prints a line of JSON for each case.",
        subcommands: [
            URLBenchmark.self, SelectorBenchmark.self, PartsBenchmark.self, CacheBenchmark.self,
            FetchBenchmark.self, RulesBenchmark.self, TextBenchmark.self, GrowthBenchmark.self,
            FrontierBenchmark.self, DifferenceBenchmark.self, SessionBenchmark.self,
        ]
    )
}

/// The reason why a benchmark could not run.
struct BenchmarkError: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) {
        self.description = description
    }
}
