import Glibc
import WebLoader
import WebSite

/// Where a batch is kept: its output, and beside it its state.
struct BatchPlace {
    let output: String
    /// The job's database.
    let state: String
    /// The copy of an input that can be read but once.
    var copy: String { "\(state).input" }

    init(_ output: String?, state: String?) throws(Failure) {
        guard let output, !output.isEmpty, output != "-" else {
            throw Failure(
                usage: "-o",
                "expects a file: what is done is kept in it; see webinspect pipe for standard output"
            )
        }
        self.output = output
        self.state = state ?? "\(output).state"
        guard self.state != output else { throw Failure(usage: "--state", "it is the output") }
    }

    /// Whether the job has been begun.
    var isBegun: Bool { FileStatus(state, followsLinks: false) != nil }

    /// Throws unless the output can be a new job's, or is one's that was begun.
    ///
    /// Nothing is created before that is known.
    func check(input: String?) throws(Failure) {
        if let found = FileStatus(output, followsLinks: true) {
            guard found.kind == .regular else {
                throw unwritable("it is no regular file: a batch that is to be continued needs one")
            }
            if let input, FileStatus(input, followsLinks: true)?.identity == found.identity {
                throw Failure(usage: "-o \(output)", "it is the input")
            }
            guard isBegun || found.size == 0 else {
                let beside = "and there is no \(state) beside it"
                throw unwritable(
                    "there are \(found.size) bytes in it already, \(beside); move it, or name another"
                )
            }
        }
        if let input, let found = FileStatus(state, followsLinks: true),
            FileStatus(input, followsLinks: true)?.identity == found.identity
        {
            throw Failure(usage: "--state \(state)", "it is the input")
        }
    }

    private func unwritable(_ reason: String) -> Failure {
        Failure(subject: output, reason, code: FileError.Code.unwritable.rawValue, status: .file)
    }
}
