/// A store for a loader's cache, in place of a directory or of memory: a database, a server, a bucket.
///
/// A store associates bytes with two names: a key, which represents a URL, and the name of an item of that key. Only
/// the loader interprets the bytes: they are a response, or a piece of a large body. It requests an item before it uses
/// one, and checks the returned bytes (their checksum, URL and place in the body), so that damaged bytes are loaded
/// again and not served.
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
/// **Guarantees of a store.** An item is complete or missing: a reader during its replacement gets the old bytes or the
/// new ones. The effect of a method is visible to every call that begins after it returned. Keys and names are compared
/// byte by byte. All methods may be called concurrently, from any task. `CacheStoreContract`, of the product
/// `WebLoaderTesting`, checks all of this.
///
/// **Eviction.** A store may evict any item at any time, and so decides by itself how large it becomes and how long it
/// stores an item: evict all items of a key together, those of the least recently requested key first. Other processes
/// may use the same store.
///
/// **Failures.** A method may throw any error: the load continues as without a cache, and its
/// ``/WebStandards/CacheVerdict`` reports the failure. A call may take some seconds (`maximumCacheStoreTime` of the
/// loader's configuration); then its task is cancelled, and the loader no longer waits for it. The same happens when
/// the load is cancelled. End such calls: an item that one still stores counts as the latest. A body whose pieces
/// arrive faster than the store accepts them waits for the store five times as long in total; then it is not stored.
///
/// Methods must not block their thread, which Swift's tasks share: otherwise nothing else runs, not even a time limit.
public protocol CacheStore: Sendable {
    /// The bytes of an item.
    ///
    /// - Parameters:
    ///   - name: The item's name.
    ///   - key: The key that it belongs to.
    /// - Returns: All bytes that were last stored under these names; `nil` if there is no such item.
    /// - Throws: Any error, if this cannot be determined.
    func bytes(_ name: String, of key: CacheKey) async throws -> [UInt8]?

    /// Stores an item, in place of an existing one with the same names.
    ///
    /// - Parameters:
    ///   - bytes: The bytes to store: at least one, and at most about 256 KiB plus the fields of a response, of which a
    ///     server may send up to some MiB.
    ///   - name: The item's name: up to 64 of the characters `a` to `z`, `0` to `9`, `-` and `.`, the first one a letter
    ///     or a digit.
    ///   - key: The key that it belongs to.
    /// - Throws: Any error, if the item was not stored, or may not have been.
    func store(_ bytes: [UInt8], as name: String, of key: CacheKey) async throws

    /// The names of a key's items, each once, in any order; empty if there are none.
    func names(of key: CacheKey) async throws -> [String]

    /// Removes items of a key; missing items are not an error.
    func remove(_ names: [String], of key: CacheKey) async throws
}

/// A key under which a cache stores a response.
///
/// Two keys are equal if their texts have the same bytes.
public struct CacheKey: Hashable, Sendable, CustomStringConvertible {
    /// The URL, without its fragment.
    ///
    /// A user name and a password are replaced by "#" and a hash of both at the end. The text may be as long as a URL.
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
