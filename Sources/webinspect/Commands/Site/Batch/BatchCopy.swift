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
        let new = "\(place.copy).new"
        let isKept = place.isBegun && FileStatus(place.copy, followsLinks: false) != nil
        let path = source == "-" ? "/dev/stdin" : source
        // Where nothing can come, there is nothing to compare.
        if isKept, source == "-", isatty(0) == 1 { return }
        let size: Int
        do throws(File.Failure) {
            size = try await BlockingWork.threads.run { () throws(File.Failure) in try copy(path, to: new) }
        } catch {
            _ = unsafe unlink(new)
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
                "it is another input than the one that \(place.state) was begun with; give the job none, or the same",
                code: "state.settings",
                status: .usage
            )
        }
    }

    /// Lists the pages of the loader's archives, each URL once, unless the job has its list.
    ///
    /// - Parameters:
    ///   - loader: What has the archives.
    ///   - place: Where the job is.
    /// - Throws: ``Failure`` if an archive cannot be read, or the list not written.
    static func make(pagesOf loader: PageLoader, at place: BatchPlace) async throws(Failure) {
        if place.isBegun, FileStatus(place.copy, followsLinks: false) != nil { return }
        let new = "\(place.copy).new"
        var pages = loader.archivedPages.makeAsyncIterator()
        var (lines, seen, size, isWhole) = ([UInt8](), Set<String>(), 0, false)
        let target: File
        do throws(File.Failure) {
            target = try create(new)
        } catch {
            throw unwritable(new, error)
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
                try target.write(lines, at: size)
            } catch {
                _ = unsafe unlink(new)
                throw unwritable(new, error)
            }
            size += lines.count
            lines = []
        }
        try rename(new, to: place.copy)
    }

    /// Creates a file anew.
    private static func create(_ path: String) throws(File.Failure) -> File {
        _ = unsafe unlink(path)
        let (folder, name) = Directory.split(path)
        return try OwnFile(updating: name, in: Directory(folder)).takingFile()
    }

    /// Copies all bytes to a new file; returns how many.
    private static func copy(_ path: String, to new: String) throws(File.Failure) -> Int {
        let source = try File(reading: path)
        guard try source.status().kind != .directory else { throw File.Failure(errno: EISDIR) }
        let target = try create(new)
        var size = 0
        while true {
            let bytes = try source.read(1 << 18, atLeast: 1, within: WaitLimit.none)
            if bytes.isEmpty { return size }
            try target.write(bytes, at: size)
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
