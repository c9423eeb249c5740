import Glibc

/// A folder in memory for the files of one input.
enum ScratchFolder {
    private static let top = "/dev/shm/webloader-fuzz-\(getpid())"

    /// Creates a new, empty folder.
    static func make() -> String {
        remove(top)
        demand(mkdir(top, 0o700) == 0, "no folder can be made in /dev/shm")
        return top
    }

    static func remove(_ path: String) {
        forEach(in: path) { file, isFolder in
            if isFolder { remove(file) } else { unlink(file) }
        }
        rmdir(path)
    }

    /// Sets the modification times of all new files to a time of the virtual clock, in milliseconds since 1970.
    static func set(_ path: String, to time: Int64) {
        forEach(in: path) { file, isFolder in
            if isFolder { return set(file, to: time) }
            var status = stat()
            // Real times are later than those of the virtual clock, which begins in the past.
            guard stat(file, &status) == 0, status.st_mtim.tv_sec > 1_780_000_000 else { return }
            let moment = timespec(tv_sec: Int(time / 1000), tv_nsec: 0)
            let times = [moment, moment]
            utimensat(AT_FDCWD, file, times, 0)
        }
    }

    static func forEach(in path: String, _ body: (_ file: String, _ isFolder: Bool) -> Void) {
        guard let directory = opendir(path) else { return }
        defer { closedir(directory) }
        while let entry = readdir(directory) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) {
                $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            if name != ".", name != ".." { body("\(path)/\(name)", entry.pointee.d_type == DT_DIR) }
        }
    }
}
