import Foundation
import Glibc

/// The resources that this process uses at one moment.
struct ProcessSample: Sendable {
    /// Bytes of memory that are resident.
    let memory: Int
    /// Open descriptors.
    let descriptors: Int
    let threads: Int
    /// Child processes, dead ones that nobody waited for among them.
    let children: Int

    static func now() throws -> ProcessSample {
        let pages = try text("/proc/self/statm").split(separator: " ")
        return ProcessSample(
            memory: (pages.count > 1 ? Int(pages[1]) ?? 0 : 0) * Int(getpagesize()),
            descriptors: try names("/proc/self/fd").count,
            threads: try names("/proc/self/task").count,
            children: try names("/proc").filter { isChild($0) }.count
        )
    }

    /// Bytes of the files in a folder, whole blocks each, as the cache counts them.
    static func size(of folder: String) -> Int {
        var size = 0
        for name in (try? FileManager.default.subpathsOfDirectory(atPath: folder)) ?? [] {
            var status = stat()
            // Some go while they are counted.
            guard unsafe lstat("\(folder)/\(name)", &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
                continue
            }
            size += (Int(status.st_size) + 4095) & ~4095
        }
        return size
    }

    private static func names(_ folder: String) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: folder)
    }

    /// A file of /proc, which says of none how long it is.
    private static func text(_ path: String) throws -> String {
        guard let file = FileHandle(forReadingAtPath: path) else { throw CocoaError(.fileReadNoSuchFile) }
        defer { try? file.close() }
        return String(decoding: try file.readToEnd() ?? Data(), as: UTF8.self)
    }

    private static func isChild(_ name: String) -> Bool {
        guard Int(name) != nil, let text = try? text("/proc/\(name)/stat"),
            // The name of the program is in brackets, and may have some itself.
            let end = text.lastIndex(of: ")")
        else { return false }
        let words = text[end...].split(separator: " ")
        return words.count > 2 && Int32(words[2]) == getpid()
    }
}
