import Glibc
import WebStandards

/// The command line of a job's process, and its streams, which are open until it has ended.
struct JobStart: Sendable {
    let line: [String]
    let input: Descriptor
    let output: Descriptor
    let error: Descriptor
    /// The end of the pipe from which its stderr is read.
    let said: Descriptor
    private let lock: JobFolderLock

    /// Opens the streams of a job; blocks.
    ///
    /// - Throws: ``ServeError``, `state.busy` if another server works on the job.
    init(_ form: JobForm, _ folder: JobFolder, program: String, cache: String) throws(ServeError) {
        lock = try folder.lock()
        let urls = form.kind == .crawl ? try Self.urls(form, folder) : []
        line = form.line(program: program, cache: cache, folder: folder.path, urls: urls)
        do throws(File.Failure) {
            input = try Descriptor(unsafe open("/dev/null", O_RDWR | O_CLOEXEC))
            (said, error) = try Descriptor.pipe()
        } catch {
            throw ServeError(503, "file.unreadable", "no pipe can be opened: \(error.text)")
        }
        output = form.writesFile ? input : try folder.appending()
    }

    /// Returns the URLs of the command line, which are checked again, whoever has written their file.
    private static func urls(_ form: JobForm, _ folder: JobFolder) throws(ServeError) -> [String] {
        let text = String(decoding: try folder.read(JobForm.FileName.urls), as: UTF8.self)
        let lines = text.split(separator: "\n").map { JSONValue.string(String($0)) }
        return try form.urls(["urls": .array(lines)])
    }
}
