/// Where responses are kept.
///
/// All of it blocks, so it is called where ``BlockingWork`` says.
protocol CacheStore: Sendable {
    /// Looks up what is stored for a key.
    func lookUp(_ key: String) -> CacheLookup

    /// Whether something is stored for a key, without looking at whether it can be used.
    func contains(_ key: String) -> Bool

    /// Keeps a response in place of what was stored for its key.
    func store(_ response: StoredResponse) throws(CacheStoreError)

    /// Drops what is stored for a key, if anything is.
    func remove(_ key: String) throws(CacheStoreError)
}

/// What a look-up found.
enum CacheLookup: Sendable {
    /// The stored response, whole.
    case found(StoredResponse)
    /// Nothing.
    case absent
    /// An entry that cannot be used, and why: it counts as absent and is replaced by the next load.
    case damaged(String)
}

/// Why the cache could not be written.
///
/// It never fails a load.
struct CacheStoreError: Error, Equatable, Sendable {
    /// What could not be done, and with which file.
    let message: String
    /// The system's number for the reason.
    let errno: Int32
}
