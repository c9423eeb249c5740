import WebLoader

/// The jobs of a line, each with a name of its own.
struct JobList: Sendable {
    let jobs: [PageJob]

    /// The most jobs of a line.
    private static let largestCount = 64

    /// Reads the jobs of `--run`.
    ///
    /// - Parameters:
    ///   - texts: The values of the flags.
    ///   - options: The options of the line.
    /// - Throws: ``Failure`` if there are no jobs, too many, or an invalid one.
    init(_ texts: [String], _ options: LoadingOptions) throws(Failure) {
        guard !texts.isEmpty else {
            throw Failure(
                usage: "--run",
                "expects a job, as in --run links; jobs are \(PageJob.commands.joined(separator: ", "))"
            )
        }
        guard texts.count <= Self.largestCount else {
            throw Failure(usage: "--run", "more than \(Self.largestCount) jobs")
        }
        var words: [JobWords] = []
        for text in texts { words.append(try JobWords(text)) }
        // Names that were given stay as they are, whatever the others are called.
        var names: Set<String> = []
        for word in words {
            guard let name = word.name else { continue }
            guard names.insert(name).inserted else {
                throw word.failure("there is another job of the name \"\(name)\"")
            }
        }
        var jobs: [PageJob] = []
        for word in words {
            var job = try PageJob(word, options)
            if word.name == nil {
                var number = 1
                while !names.insert(job.name).inserted {
                    number += 1
                    job.name = "\(word.command).\(number)"
                }
            }
            jobs.append(job)
        }
        self.jobs = jobs
    }

    /// Whether a page need not be parsed in this process.
    var areAllInWorkers: Bool { jobs.allSatisfy(\.isInWorker) }

    /// Whether the parser has to record where markup violates the standard.
    var needParseErrors: Bool { jobs.contains(where: \.needsParseErrors) }
}
