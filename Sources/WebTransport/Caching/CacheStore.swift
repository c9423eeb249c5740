/// Where a loader keeps its cache, in place of a directory or of memory: a database, a server, a bucket.
///
/// A store keeps bytes under two names: a key, which stands for a URL, and the name of an item of that key. What the
/// bytes mean is the loader's: a response, or a piece of a large body. It asks for an item before it uses one, and checks
/// what it gets (its checksum, its URL, its place in the body), so that damaged bytes are loaded again and not
/// served.
///
/// ```swift
/// actor Shelf: CacheStore {
///     private var items: [CacheKey: [String: [UInt8]]] = [:]
///
///     func bytes(_ name: String, of key: CacheKey) -> [UInt8]? { items[key]?[name] }
///     func store(_ bytes: [UInt8], as name: String, of key: CacheKey) { items[key, default: [:]][name] = bytes }
///     func names(of key: CacheKey) -> [String] { items[key].map { Array($0.keys) } ?? [] }
///     func remove(_ names: [String], of key: CacheKey) { for name in names { items[key]?[name] = nil } }
/// }
/// ```
///
/// **What a store must keep.** An item is whole or not there: who reads while it is replaced gets the old bytes or the
/// new ones. What a method has done is seen by every call that begins after it returned. Keys and names are
/// compared byte by byte. All methods may be called at once, from any task. `CacheStoreContract`, of the product
/// `WebLoaderTesting`, checks all of this.
///
/// **What it may do.** It may forget any item at any time, and so decides by itself how large it becomes and how long
/// it keeps what: forget all items of a key together, of the key that was not asked for longest. Other processes
/// may use the same store.
///
/// **Failures.** A method may throw anything: the load goes on as without a cache, and its
/// ``/WebStandards/CacheVerdict`` says so. It has some seconds for each call (`maximumCacheStoreTime` of the loader's
/// configuration); then its task is cancelled, and nobody waits for it any longer. So it is when the load is cancelled.
/// End such calls: what one still stores is taken for the latest. A body of which the pieces come faster than the store takes
/// them waits for it five times as long in all; then it is not stored.
///
/// Methods must not block the thread that they run on, which Swift's tasks share: then nothing else runs, and no time limit.
public protocol CacheStore: Sendable {
    /// The bytes of an item.
    ///
    /// - Parameters:
    ///   - name: The item's name.
    ///   - key: The key that it belongs to.
    /// - Returns: All that was stored last under these names; nil if there is nothing.
    /// - Throws: Anything, if it cannot be known.
    func bytes(_ name: String, of key: CacheKey) async throws -> [UInt8]?

    /// Keeps an item, in place of the one of the same names.
    ///
    /// - Parameters:
    ///   - bytes: What to keep: at least one byte, and about 256 KiB at most. (The fields of a response come to that; a
    ///     server may send up to some MiB of them.)
    ///   - name: The item's name: up to 64 of the characters `a` to `z`, `0` to `9`, `-` and `.`, the first one a letter
    ///     or a digit.
    ///   - key: The key that it belongs to.
    /// - Throws: Anything, if it was not stored, or perhaps not.
    func store(_ bytes: [UInt8], as name: String, of key: CacheKey) async throws

    /// The names of a key's items, each once, in any order; none if there are none.
    func names(of key: CacheKey) async throws -> [String]

    /// Removes items of a key; those that are not there are none to complain of.
    func remove(_ names: [String], of key: CacheKey) async throws
}

/// What a cache keeps responses by.
///
/// Two keys are equal if their texts have the same bytes.
public struct CacheKey: Hashable, Sendable, CustomStringConvertible {
    /// The URL, without its fragment.
    ///
    /// What had a user name or a password has "#" and a hash of both after it, in place of them. It is as long as URLs
    /// are.
    public let text: String

    /// The SHA-256 of the text, as 64 hexadecimal digits in lower case: for stores whose own keys are short, or names of
    /// files.
    public let digest: String

    /// Creates the key of a text.
    ///
    /// - Complexity: O(*n*) in the text's length.
    public init(_ text: String) {
        self.text = text
        digest = SHA256.hexadecimal(of: Array(text.utf8))
    }

    /// The text.
    public var description: String { text }

    /// Whether two texts have the same bytes.
    public static func == (a: CacheKey, b: CacheKey) -> Bool { a.digest == b.digest }

    /// Hashes what is compared.
    public func hash(into hasher: inout Hasher) { hasher.combine(digest) }
}
