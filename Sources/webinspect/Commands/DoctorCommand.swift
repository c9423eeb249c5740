import ArgumentParser
import WebLoader

/// `webinspect doctor`: checks what works on this machine.
struct DoctorCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "doctor",
        abstract: "Report what is installed, and whether the limits of rules hold.",
        discussion: """
            Runs one valid rule and one attack of each kind. Exit status 1: something does not work.

            Examples:
              webinspect doctor
              webinspect doctor --json
            """
    )

    @OptionGroup var cache: CacheArguments

    func run() async throws {
        var doctor = Doctor(cacheDirectory: cache.cacheDir ?? CacheDirectory.standard(named: "webinspect"))
        doctor.checkLibraries()
        doctor.checkConfiguration()
        doctor.checkCache()
        await doctor.checkWorker()
        let document: JSONValue = [
            "schema": .integer(PageReport.version), "well": .bool(doctor.isSuccessful),
            "checks": .array(
                doctor.checks.map { check in
                    [
                        "name": .string(check.name), "outcome": .string(check.outcome.rawValue),
                        "detail": .string(check.detail),
                    ]
                }
            ),
        ]
        let width = doctor.checks.map { $0.name.utf8.count }.max() ?? 0
        let lines = doctor.checks.map { check in
            let padding = String(repeating: " ", count: width - check.name.utf8.count)
            return "\(check.outcome.mark)  \(check.name)\(padding)  \(TerminalText.visible(check.detail))\n"
        }
        try cache.write(document, text: lines.joined())
        if !doctor.isSuccessful { throw ExitCode(ExitStatus.no.rawValue) }
    }
}

extension Doctor.Check.Outcome {
    /// The mark of an outcome, all of the same width.
    fileprivate var mark: String {
        switch self {
        case .works: "ok   "
        case .missing: "-    "
        case .fails: "FAILS"
        }
    }
}
