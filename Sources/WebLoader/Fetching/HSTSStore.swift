import Glibc
import Synchronization

/// The hosts that are to be reached over TLS only, kept in a file that several processes share.
///
/// A line of the file is the end of an entry, in milliseconds since 1970, and the host, with a "." before it where its
/// subdomains are included. What is not such a line is passed over. The file is replaced as a whole, under a lock.
///
/// <https://www.rfc-editor.org/rfc/rfc6797#section-8>
final class HSTSStore: Sendable {
    private let path: String
    private let state = Mutex(State())

    /// Entries that are kept; of more, those that end first go.
    static let maximumCount = 10_000

    private static let maximumFileSize = 4 << 20

    /// Bytes of a line: a name of the DNS has 253, and a time 20.
    private static let maximumLineLength = 1024

    /// Seconds for which a writer waits for another at most, and for which nothing is written after one that kept the
    /// file longer than that.
    static let lockPatience = 0.25
    private static let lockPause = 5.0

    /// Seconds during which the file is not looked at again.
    private static let lookInterval = 1.0

    struct Entry: Equatable, Sendable {
        var expires: Timestamp
        var includesSubdomains: Bool
    }

    private struct State {
        /// What the file says.
        var entries: [String: Entry] = [:]
        /// The last word of hosts of which the file says otherwise, nil where they took it back.
        ///
        /// It was not to be written, was not worth it, or could not be.
        var unwritten: [String: Entry?] = [:]
        var version: FileVersion?
        var lastLook = -Double.infinity
        /// When the file may be written again, after one that kept the lock for too long.
        var nextWrite = -Double.infinity

        func entry(_ host: String) -> Entry? {
            if let entry = unwritten[host] { return entry }
            return entries[host]
        }

        /// Takes a host's last word, of which the file does not know yet.
        mutating func note(_ host: String, _ entry: Entry?) {
            guard entries[host] != entry else {
                unwritten.removeValue(forKey: host)
                return
            }
            unwritten.updateValue(entry, forKey: host)
            guard unwritten.count > HSTSStore.maximumCount else { return }
            let first = unwritten.min {
                ($0.value?.expires.millisecondsSince1970 ?? .min)
                    < ($1.value?.expires.millisecondsSince1970 ?? .min)
            }
            if let first { unwritten.removeValue(forKey: first.key) }
        }

        /// Takes what the file says now: the last word of a host, where it says something new of it.
        mutating func take(_ new: [String: Entry], now: Timestamp) {
            unwritten = unwritten.filter { host, _ in
                guard let old = entries[host] else { return new[host] == nil }
                // That what is over has gone says nothing.
                return new[host].map { $0 == old } ?? (old.expires <= now)
            }
            entries = new
        }
    }

    /// What tells one content of the file from another.
    private struct FileVersion: Equatable {
        let identity: FileStatus.Identity
        let size: Int
        let seconds: Int
        let nanoseconds: Int

        init?(_ path: String) {
            guard let file = FileStatus(path, followsLinks: false) else { return nil }
            identity = file.identity
            size = file.size
            seconds = file.modified
            nanoseconds = file.modifiedNanoseconds
        }
    }

    /// Creates a store over the file "hsts" of a directory; neither has to be there.
    init(directory: String) {
        path = "\(directory)/hsts"
    }

    /// Whether asking about a host may look at the file.
    var mayBlock: Bool { state.withLock { Self.isLookDue($0) } }

    /// Whether a host is to be reached over TLS only; reads the file if it has changed.
    ///
    /// <https://www.rfc-editor.org/rfc/rfc6797#section-8.2>
    func isKnown(_ host: String, now: Timestamp) -> Bool {
        guard let host = Self.canonical(host) else { return false }
        return state.withLock { state in
            look(&state, now: now)
            guard !state.entries.isEmpty || !state.unwritten.isEmpty else { return false }
            var domain = host[...]
            while true {
                if let entry = state.entry(String(domain)), entry.expires > now,
                    entry.includesSubdomains || domain.utf8.count == host.utf8.count
                {
                    return true
                }
                guard let dot = domain.utf8.firstIndex(of: UInt8(ascii: ".")) else { return false }
                domain = domain[domain.index(after: dot)...]
            }
        }
    }

    /// Notes what a host has said over TLS that was in order.
    ///
    /// - Parameters:
    ///   - host: The host.
    ///   - policy: What it said.
    ///   - now: When it said so.
    ///   - isKept: Whether the file is to know too.
    ///   - patience: Seconds to wait for another process that writes the file.
    /// - Throws: What is wrong with the file; this store knows it all the same.
    func note(
        _ host: String,
        _ policy: StrictTransportSecurity,
        now: Timestamp,
        isKept: Bool,
        patience: Double = lockPatience
    ) throws(File.Failure) {
        guard let host = Self.canonical(host) else { return }
        var entry: Entry?
        if policy.maximumAge > 0 {
            // A thousand years are for ever.
            let milliseconds = min(policy.maximumAge, 31_536_000_000) *| 1000
            entry = Entry(
                expires: Timestamp(millisecondsSince1970: now.millisecondsSince1970 +| milliseconds),
                includesSubdomains: policy.includesSubdomains
            )
        }
        let isToBeWritten = state.withLock { state in
            look(&state, now: now)
            state.note(host, entry)
            return isKept && Self.isWorthWriting(state.entries[host], entry)
                && MonotonicClock.now >= state.nextWrite
        }
        guard isToBeWritten else { return }
        // Who asks about a host meanwhile does not wait for the lock.
        do throws(File.Failure) {
            try write(host, entry, now, patience)
        } catch {
            if error.errno == ETIMEDOUT {
                state.withLock { $0.nextWrite = MonotonicClock.now + Self.lockPause }
            }
            throw error
        }
    }

    /// Whether what is known now differs from what the file says by more than a day's passing.
    private static func isWorthWriting(_ written: Entry?, _ entry: Entry?) -> Bool {
        guard let written, let entry else { return written != nil || entry != nil }
        let difference = entry.expires.millisecondsSince1970 -| written.expires.millisecondsSince1970
        return written.includesSubdomains != entry.includesSubdomains || !(0..<86_400_000 ~= difference)
    }

    /// The host as it is compared: without the dot of the root; nil for an address, which is never noted.
    private static func canonical(_ host: String) -> String? {
        let host = host.utf8.last == UInt8(ascii: ".") ? String(host.dropLast()) : host
        return host.isEmpty || WebURL.isAddress(host: host) ? nil : host
    }

    // MARK: - The file

    /// Reads the file if it is another one than last time.
    private func look(_ state: inout State, now: Timestamp) {
        guard Self.isLookDue(state) else { return }
        state.lastLook = MonotonicClock.now
        guard let version = FileVersion(path), version != state.version else { return }
        state.version = version
        if let entries = read() { state.take(entries, now: now) }
    }

    private static func isLookDue(_ state: borrowing State) -> Bool {
        MonotonicClock.now - state.lastLook >= lookInterval
    }

    /// What the file says; nil if it cannot be read, which is as if it were not there.
    private func read() -> [String: Entry]? {
        guard let bytes = try? FileReader.read(own: path, maximumSize: Self.maximumFileSize) else {
            return nil
        }
        var entries: [String: Entry] = [:]
        for line in bytes.split(separator: 0x0A) {
            guard let (host, entry) = Self.entry(line) else { continue }
            entries[host] = entry
            if entries.count == Self.maximumCount { break }
        }
        return entries
    }

    /// What a line says; nil for what is no entry.
    private static func entry(_ line: ArraySlice<UInt8>) -> (host: String, entry: Entry)? {
        guard let space = line.firstIndex(of: 0x20),
            let expires = Int64(String(decoding: line[..<space], as: UTF8.self))
        else { return nil }
        var host = line[(space + 1)...]
        let includesSubdomains = host.first == UInt8(ascii: ".")
        if includesSubdomains { host.removeFirst() }
        guard !host.isEmpty, host.allSatisfy({ $0 > 0x20 && $0 < 0x7F }) else { return nil }
        let entry = Entry(
            expires: Timestamp(millisecondsSince1970: expires),
            includesSubdomains: includesSubdomains
        )
        return (String(decoding: host, as: UTF8.self), entry)
    }

    /// Throws where a file of that name has something and does not begin with an entry: the user may have put one of their
    /// own there, which is not to be replaced. (Zeros are what a file may have once the power has failed.)
    private static func checkOwn(_ name: String, in directory: borrowing Directory) throws(File.Failure) {
        guard directory.status(name) != nil else { return }
        let own = try OwnFile(name, in: directory)
        let start = try own.file.read(maximumLineLength, at: 0)
        guard let line = start.split(separator: 0x0A, omittingEmptySubsequences: false).first,
            entry(line) != nil || start.allSatisfy({ $0 == 0 })
        else { throw File.Failure(errno: EEXIST, "it is another program's file") }
    }

    /// Adds an entry, or takes it out, beside what other processes have written.
    private func write(
        _ host: String,
        _ entry: Entry?,
        _ now: Timestamp,
        _ patience: Double
    ) throws(File.Failure) {
        let folder = String(path.dropLast("/hsts".utf8.count))
        try Directory.make(folder)
        let lock = try File.locked("\(path).lock", within: WaitLimit(seconds: patience))
        let directory = try Directory(folder)
        try Self.checkOwn("hsts", in: directory)
        var entries = read() ?? [:]
        entries[host] = entry
        entries = entries.filter { $0.value.expires > now }
        if entries.count > Self.maximumCount {
            let last = entries.values.map(\.expires).sorted(by: >)[Self.maximumCount - 1]
            entries = entries.filter { $0.value.expires >= last || $0.key == host }
        }
        var text = ""
        for (host, entry) in entries.sorted(by: { $0.key < $1.key }) {
            text += "\(entry.expires.millisecondsSince1970) \(entry.includesSubdomains ? "." : "")\(host)\n"
        }
        try directory.replace(own: "hsts", with: Array(text.utf8), prefix: TemporaryFile.ownPrefix)
        state.withLock { state in
            let last = state.unwritten[host]
            state.take(entries, now: now)
            // It is written now, but for what another thread has heard meanwhile.
            if let last { state.note(host, last) }
            state.version = FileVersion(path)
        }
        // Held until here.
        _ = lock.descriptor
    }
}
