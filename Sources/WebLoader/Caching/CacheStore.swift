/// Where responses are kept.
///
/// All of it blocks, so it is called where ``BlockingWork`` says.
protocol CacheStore: Sendable {
    /// Looks up what is stored for a key: the variant that a request selects, or where there is none, another one.
    ///
    /// A body in a file of its own has the right size; that it is what was written, ``BodyCheck`` says.
    func lookUp(_ key: String, for request: WebRequest) -> CacheLookup

    /// Whether something is stored for a key, without looking at whether it can be used.
    func contains(_ key: String) -> Bool

    /// Takes a body as it arrives.
    func bodyWriter(for key: String) -> any StoredBodyWriter

    /// Keeps a response in place of what was stored for its key and its variant.
    ///
    /// - Returns: Whether there is now more than there should be, so that ``trim()`` is due.
    func store(_ response: StoredResponse) throws(CacheStoreError) -> Bool

    /// Notes that a key's response was loaded and not kept, where nothing is stored for it.
    func note(
        _ refusal: CacheDecision.StorageRefusal,
        for key: String,
        at time: Timestamp
    )
        throws(CacheStoreError)

    /// Drops what is stored for a key, all variants, if anything is.
    func remove(_ key: String) throws(CacheStoreError)

    /// Drops what was not used for longest, until no more is there than should be.
    func trim()
}

/// Takes a body piece by piece; if it is dropped unfinished, nothing is left of it.
protocol StoredBodyWriter: Sendable {
    /// Takes the next bytes.
    func write(_ bytes: Span<UInt8>) throws(CacheStoreError)

    /// The body, to be stored with its response.
    func finish() throws(CacheStoreError) -> StoredBody
}

/// What a look-up found.
enum CacheLookup: Sendable {
    /// The stored response, whole.
    case found(StoredResponse)
    /// Nothing.
    case absent
    /// Nothing, but that it was loaded once, and why it was not kept.
    case notKept(CacheDecision.StorageRefusal)
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

    init(message: String, errno: Int32) {
        self.message = message
        self.errno = errno
    }

    init(_ path: String, _ failure: File.Failure) {
        self.init(message: "\(path): \(failure.text)", errno: failure.errno)
    }
}
