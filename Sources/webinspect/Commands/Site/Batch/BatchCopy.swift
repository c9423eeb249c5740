import Glibc
import WebArchive
import WebLoader

/// Keeps an input that can be read but once beside the output, so that its lines can be read again.
enum BatchCopy {
    /// Copies an input, unless the job has one.
    ///
    /// A job that is continued may be given the same input again, or none.
    ///
    /// - Parameters:
    ///   - source: A path; "-" for standard input.
    ///   - place: Where the job is.
    /// - Throws: ``Failure`` if it cannot be copied, or is another than the job's.
    static func make(of source: String, at place: BatchPlace) async throws(Failure) {
        let isKept = FileStatus(place.copy, followsLinks: false) != nil
        let path = source == "-" ? "/dev/stdin" : source
        // Where nothing can come, there is nothing to compare.
        if isKept, source == "-", isatty(0) == 1 { return }
        let new: String
        let size: Int
        do throws(File.Failure) {
            (new, size) = try await BlockingWork.threads.run { () throws(File.Failure) in
                try copy(path, beside: place.copy)
            }
        } catch {
            let code = FileError.Code.unwritable.rawValue
            throw Failure(
                subject: source == "-" ? "standard input" : source,
                error.text,
                code: code,
                status: .file
            )
        }
        guard isKept else { return try rename(new, to: place.copy) }
        defer { _ = unsafe unlink(new) }
        guard size > 0 else { return }
        let kept = try await BatchInput(place.copy).fingerprint()
        guard try await BatchInput(new).fingerprint() == kept else {
            throw Failure(
                subject: source == "-" ? "standard input" : source,
                place.isBegun
                    ? "it is another input than the one that \(place.state) was begun with; give the job none, or the same"
                    : "it would replace \(place.copy), which is there already; remove that, or name another output",
                code: place.isBegun ? "state.settings" : FileError.Code.unwritable.rawValue,
                status: place.isBegun ? .usage : .file
            )
        }
    }

    /// Lists the pages of the loader's archives, each URL once, unless the job has its list.
    ///
    /// - Parameters:
    ///   - loader: The loader that has the archives.
    ///   - place: The place of the job.
    /// - Throws: ``Failure`` if an archive cannot be read, or the list cannot be written.
    static func make(pagesOf loader: PageLoader, at place: BatchPlace) async throws(Failure) {
        if place.isBegun, FileStatus(place.copy, followsLinks: false) != nil { return }
        var pages = loader.archivedPages.makeAsyncIterator()
        var (lines, seen, size, isWhole) = ([UInt8](), Set<String>(), 0, false)
        var target: TemporaryFile
        do throws(File.Failure) {
            target = try create(beside: place.copy)
        } catch {
            throw unwritable(place.copy, error)
        }
        while !isWhole {
            if let page = try await PageSources.next(&pages) {
                guard seen.insert(page.url).inserted else { continue }
                lines += JSONValue.object([.init("url", .string(page.url))]).serialized() + [0x0A]
            } else {
                isWhole = true
            }
            guard isWhole || lines.count >= 1 << 18 else { continue }
            do throws(File.Failure) {
                try target.file.write(lines, at: size)
            } catch {
                throw unwritable(place.copy, error)
            }
            size += lines.count
            lines = []
        }
        let new: String
        do throws(File.Failure) {
            new = try name(&target, beside: place.copy)
        } catch {
            throw unwritable(place.copy, error)
        }
        try rename(new, to: place.copy)
    }

    /// Creates a file in the folder of another one.
    private static func create(beside path: String) throws(File.Failure) -> TemporaryFile {
        try TemporaryFile(OutputPlace.temporaryPrefix, in: Directory(Directory.split(path).folder))
    }

    /// Has a file keep its name, and returns its path.
    private static func name(
        _ file: inout TemporaryFile,
        beside path: String
    ) throws(File.Failure) -> String {
        "\(Directory.split(path).folder)/\(try file.takeName())"
    }

    /// Copies all bytes to a new file; returns its path, and how many bytes it has.
    private static func copy(
        _ path: String,
        beside other: String
    ) throws(File.Failure) -> (path: String, size: Int) {
        let source = try File(reading: path)
        guard try source.status().kind != .directory else { throw File.Failure(errno: EISDIR) }
        var target = try create(beside: other)
        var size = 0
        while true {
            let bytes = try source.read(1 << 18, atLeast: 1, within: WaitLimit.none)
            if bytes.isEmpty { return (try name(&target, beside: other), size) }
            try target.file.write(bytes, at: size)
            size += bytes.count
        }
    }

    private static func rename(_ from: String, to: String) throws(Failure) {
        guard unsafe Glibc.rename(from, to) == 0 else { throw unwritable(to, File.Failure(errno: errno)) }
    }

    private static func unwritable(_ path: String, _ reason: File.Failure) -> Failure {
        Failure(subject: path, reason.text, code: FileError.Code.unwritable.rawValue, status: .file)
    }
}
