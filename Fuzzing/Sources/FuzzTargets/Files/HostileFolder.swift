import CVirtualTime
import Glibc
import HTTPTypes

@testable import WebLoader
@testable import WebTransport

/// A folder that an attacker has prepared for the cache, and the files beside it.
///
/// All of it is used on one thread.
final class HostileFolder: @unchecked Sendable {
    let source: ByteSource
    let top: String

    /// The contents of the files that must not change, by path.
    private var kept: [String: [UInt8]] = [:]

    var cache: String { "\(top)/cache" }
    private var outside: String { "\(top)/outside" }

    init(_ source: ByteSource, top: String) {
        self.source = source
        self.top = top
    }

    static let bodyName = "0123456789abcdef"
    private static let maximumFiles = 24
    private static let maximumRead = 4096

    // MARK: - Making

    func make() {
        mkdir(cache, 0o700)
        mkdir(outside, 0o700)
        keep("\(outside)/letter", Array("to whom it may concern\n".utf8))
        keep("\(outside)/entry", Array(entry(for: HistoryURL.make(source)).prefix(Self.maximumRead)))
        write("\(top)/jar", lines { jarLine() })
        write(
            "\(top)/settings.yml",
            source.isOne(of: 2)
                ? source.text(40) : Array("header: [\"X: \(number())\"]\nmax-time: \(number())\n".utf8)
        )
        write("\(top)/netrc", netrc())
        for _ in 0..<source.number(below: Self.maximumFiles) where !source.isAtEnd { makeOne() }
    }

    private func makeOne() {
        let url = HistoryURL.make(source)
        let name = CacheEntryName(StoredResponse.key(for: url), in: cache)
        mkdir(name.folder, 0o700)
        var status = stat()
        // It may be a link to another place by now.
        guard lstat(name.folder, &status) == 0, status.st_mode & S_IFMT == S_IFDIR else { return }
        switch source.number(below: 16) {
        case 0...4: write(name.entry, entry(for: url))
        case 5: write(name.variant([("x-a", source.pick([nil, "1"]))]), entry(for: url))
        case 6: write("\(name.entry).\(Self.bodyName)", body())
        case 7:
            write(source.isOne(of: 2) ? name.entry : "\(name.folder)/.new-\(source.byte())", source.text(60))
        case 8:
            var usage = ByteWriter()
            usage.raw(source.isOne(of: 8) ? source.text(8) : Array("WLUSAGE\n".utf8))
            usage.integer(Int64(number64()))
            usage.integer(Int64(number64()))
            write("\(cache)/usage", usage.output)
        case 9, 10:
            write(
                "\(cache)/hsts",
                lines {
                    "\(number()) \(source.pick(["", ".", ".."]))\(source.pick(["a.test", "b.test", "test", "", "127.0.0.1"]))"
                }
            )
        case 11:
            odd(
                source.pick([
                    name.entry, "\(name.entry).\(Self.bodyName)", "\(cache)/usage", "\(cache)/hsts",
                    "\(cache)/hsts.lock", "\(name.folder)/.new-x", name.variant([("x-a", "1")]),
                ])
            )
        case 12:
            keep(
                source.pick([
                    "\(cache)/notes.txt", "\(name.folder)/notes", "\(name.folder)/\(name.stem)x",
                    "\(cache)/zz", "\(name.folder)/\(name.stem).x",
                ]),
                source.text(9)
            )
        case 13:
            rmdir(name.folder)
            link(source.pick(["\(outside)", "\(top)/nowhere", ".", name.folder]), name.folder)
        // The user names these files, so links to other places are the user's.
        case 14: odd(source.pick(["\(top)/jar", "\(top)/settings.yml", "\(top)/netrc"]), mayBeLink: false)
        default:
            guard lstat(name.entry, &status) == 0, status.st_nlink == 1, status.st_mode & S_IFMT == S_IFREG
            else { return }
            truncate(name.entry, off_t(clamping: number64()))
        }
        if source.isOne(of: 4) { setTime(name.entry) }
    }

    /// Creates something other than a regular, readable file where one should be.
    private func odd(_ path: String, mayBeLink: Bool = true) {
        unlink(path)
        switch source.number(below: 6) {
        case 0: mkdir(path, 0o700)
        case 1: mkfifo(path, 0o600)
        case 2 where mayBeLink:
            link(
                source.pick([
                    "\(outside)/letter", "\(outside)/entry", "\(outside)/new", path, "/dev/zero", "/dev/full",
                ]),
                path
            )
        case 3:
            let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL, 0o600)
            ftruncate(descriptor, off_t(1) << (source.number(below: 40)))
            close(descriptor)
        case 4:
            write(path, source.text(20))
            chmod(path, 0)
        default: Glibc.link("\(outside)/letter", path)
        }
    }

    private func link(_ target: String, _ path: String) {
        symlink(target, path)
    }

    private func write(_ path: String, _ bytes: [UInt8]) {
        // It may be a hard link to a file that must not change.
        unlink(path)
        let descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_NONBLOCK | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else { return }
        _ = Glibc.write(descriptor, bytes, bytes.count)
        close(descriptor)
    }

    /// Writes a file that must not change.
    private func keep(_ path: String, _ bytes: [UInt8]) {
        write(path, bytes)
        if let written = read(path) { kept[path] = written }
    }

    private func setTime(_ path: String) {
        let moment = timespec(tv_sec: Int(number64()), tv_nsec: 0)
        let times = [moment, moment]
        utimensat(AT_FDCWD, path, times, AT_SYMLINK_NOFOLLOW)
    }

    // MARK: - Looking

    func isPipe(_ path: String) -> Bool {
        var status = stat()
        return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFIFO
    }

    private func read(_ path: String) -> [UInt8]? {
        let descriptor = open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        var bytes = [UInt8](repeating: 0, count: Self.maximumRead)
        let count = Glibc.read(descriptor, &bytes, bytes.count)
        return count < 0 ? nil : Array(bytes[..<count])
    }

    /// Checks that all files that do not belong to the cache are unchanged.
    func check() {
        for (path, bytes) in kept {
            demand(
                read(path) == bytes,
                "\(path.dropFirst(top.utf8.count)), which is not the cache's, was changed or removed"
            )
        }
        var names: [String] = []
        ScratchFolder.forEach(in: outside) { file, _ in names.append(file) }
        demand(names.count == 2, "something was written through a link: \(names)")
    }
}
