import Glibc
import Synchronization

/// The HSTS hosts, which are to be reached over TLS only, kept in a file that several processes share.
///
/// A line of the file is the expiry of an entry, in milliseconds since 1970, and the host, with a "." before
/// it where its subdomains are included. Other lines are ignored. The file is replaced as a
/// whole, under a lock.
///
/// <https://www.rfc-editor.org/rfc/rfc6797#section-8>
package final class HSTSStore: Sendable {
    private let path: String
    private let clock: @Sendable () -> Double
    private let state = Mutex(State())

    /// The maximum number of entries; beyond it, those that expire first are removed.
    static let maximumCount = 10_000

    private static let maximumFileSize = 4 << 20

    /// The maximum number of seconds to wait for another writer's lock; after that wait fails, nothing is
    /// written for `lockPause` seconds.
    static let lockPatience = 0.25
    private static let lockPause = 5.0

    /// Seconds between two checks whether the file has changed.
    private static let checkInterval = 1.0

    struct Entry: Equatable, Sendable {
        var expires: Timestamp
        var includesSubdomains: Bool
    }

    private struct State {
        /// The entries of the file.
        var entries: [String: Entry] = [:]
        /// The latest policies of hosts that differ from the file's, nil for a host that withdrew its policy.
        ///
        /// They were not to be written, differ too little from the file, or could not be written.
        var unwritten: [String: Entry?] = [:]
        var version: FileVersion?
        var lastCheck = -Double.infinity
        /// When the file may be written again, after another process kept the lock too long.
        var nextWrite = -Double.infinity

        func entry(_ host: String) -> Entry? {
            if let entry = unwritten[host] { return entry }
            return entries[host]
        }

        /// Notes a host's latest policy, which is not in the file yet.
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

        /// Takes the new contents of the file, which override a noted policy where the host's entry changed.
        mutating func take(_ new: [String: Entry], now: Timestamp) {
            unwritten = unwritten.filter { host, _ in
                guard let old = entries[host] else { return new[host] == nil }
                // The removal of an expired entry is not a change.
                return new[host].map { $0 == old } ?? (old.expires <= now)
            }
            entries = new
        }
    }

    /// A version of the file, by its metadata.
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

    /// Creates a store over the file "hsts" of a directory; neither has to exist.
    ///
    /// - Parameters:
    ///   - directory: The directory.
    ///   - clock: Seconds of a clock that never goes back.
    package init(directory: String, clock: @escaping @Sendable () -> Double = { MonotonicClock.now }) {
        path = "\(directory)/hsts"
        self.clock = clock
    }

    /// Whether ``isKnown(_:now:)`` may read the file, which blocks.
    var mayBlock: Bool { state.withLock { isCheckDue($0) } }

    /// Whether a host is to be reached over TLS only; reads the file if it has changed.
    ///
    /// <https://www.rfc-editor.org/rfc/rfc6797#section-8.2>
    func isKnown(_ host: String, now: Timestamp) -> Bool {
        guard let host = Self.canonical(host) else { return false }
        return state.withLock { state in
            reloadIfChanged(&state, now: now)
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

    /// Notes the policy that a host has sent over verified TLS.
    ///
    /// - Parameters:
    ///   - host: The host.
    ///   - policy: Its policy.
    ///   - now: The time of the response.
    ///   - isKept: Whether to write it to the file, too.
    ///   - patience: Seconds to wait for another process that writes the file.
    /// - Throws: An error of the file; the policy is noted in memory all the same.
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
            // At most a thousand years.
            let milliseconds = min(policy.maximumAge, 31_536_000_000) *| 1000
            entry = Entry(
                expires: Timestamp(millisecondsSince1970: now.millisecondsSince1970 +| milliseconds),
                includesSubdomains: policy.includesSubdomains
            )
        }
        let isToBeWritten = state.withLock { state in
            reloadIfChanged(&state, now: now)
            state.note(host, entry)
            return isKept && Self.isWorthWriting(state.entries[host], entry)
                && clock() >= state.nextWrite
        }
        guard isToBeWritten else { return }
        // Outside the state's lock, so that look-ups of hosts do not wait for the file's lock.
        do throws(File.Failure) {
            try write(host, entry, now, patience)
        } catch {
            if error.errno == ETIMEDOUT {
                state.withLock { $0.nextWrite = clock() + Self.lockPause }
            }
            throw error
        }
    }

    /// Whether an entry differs from the file's in more than an expiry that is less than a day later.
    private static func isWorthWriting(_ written: Entry?, _ entry: Entry?) -> Bool {
        guard let written, let entry else { return written != nil || entry != nil }
        let difference = entry.expires.millisecondsSince1970 -| written.expires.millisecondsSince1970
        return written.includesSubdomains != entry.includesSubdomains || !(0..<86_400_000 ~= difference)
    }

    /// The host in the form that is compared: without a trailing dot; nil for an address, which is never
    /// noted.
    private static func canonical(_ host: String) -> String? {
        let host = host.utf8.last == UInt8(ascii: ".") ? String(host.dropLast()) : host
        return host.isEmpty || WebURL.isAddress(host: host) ? nil : host
    }

    // MARK: - The file

    /// Reads the file if it has changed since the last time.
    private func reloadIfChanged(_ state: inout State, now: Timestamp) {
        guard isCheckDue(state) else { return }
        state.lastCheck = clock()
        guard let version = FileVersion(path), version != state.version else { return }
        state.version = version
        if let entries = read() { state.take(entries, now: now) }
    }

    private func isCheckDue(_ state: borrowing State) -> Bool {
        clock() - state.lastCheck >= Self.checkInterval
    }

    /// The entries of the file; nil if it cannot be read, which is treated like a missing file.
    private func read() -> [String: Entry]? {
        let bytes = try? FileReader.read(own: path, maximumSize: Self.maximumFileSize)
        return bytes.map(Self.entries)
    }

    /// The entries of the file's contents.
    private static func entries(_ bytes: [UInt8]) -> [String: Entry] {
        var entries: [String: Entry] = [:]
        for line in bytes.split(separator: 0x0A) {
            guard let (host, entry) = entry(line) else { continue }
            entries[host] = entry
            if entries.count == maximumCount { break }
        }
        return entries
    }

    /// The entry of a line; nil if it is not an entry.
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

    /// The entries of a file that is to be replaced, none if there is none.
    ///
    /// Throws if it cannot be read, or is not empty and does not begin with an entry: it may be a file of the user's
    /// own, which must not be replaced. (After a power failure, a file may be full of zeros.)
    private static func entries(
        of name: String,
        in directory: borrowing Directory
    ) throws(File.Failure) -> [String: Entry] {
        guard directory.status(name) != nil else { return [:] }
        let own = try OwnFile(name, in: directory)
        let bytes = try own.file.read(min(own.status.size, maximumFileSize), at: 0)
        guard let line = bytes.split(separator: 0x0A, maxSplits: 1, omittingEmptySubsequences: false).first,
            entry(line) != nil || bytes.allSatisfy({ $0 == 0 })
        else { throw File.Failure(errno: EEXIST, "it is another program's file") }
        return entries(bytes)
    }

    /// Adds or removes an entry in the file, and keeps what other processes have written.
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
        var entries = try Self.entries(of: "hsts", in: directory)
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
        try directory.replace(own: "hsts", with: Array(text.utf8))
        state.withLock { state in
            let last = state.unwritten[host]
            state.take(entries, now: now)
            // It is written now, unless another thread has noted a different policy meanwhile.
            if let last { state.note(host, last) }
            state.version = FileVersion(path)
        }
        // Keeps the lock until here.
        _ = lock.descriptor
    }
}
