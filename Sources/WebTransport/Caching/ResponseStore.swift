/// A store for responses, on this machine.
///
/// All of its methods block, so they are called through ``/WebStandards/BlockingWork``; ``CacheAccess`` does.
package protocol ResponseStore: Sendable {
    /// Looks up what is stored for a key: the variant that a request selects, or if there is none, another
    /// one.
    ///
    /// A body in a file of its own has the right size; ``BodyCheck`` verifies its checksum.
    func lookUp(_ key: String, for request: WebRequest) -> CacheLookup

    /// Whether something is stored for a key, without looking at whether it can be used.
    func contains(_ key: String) -> Bool

    /// Creates a writer for a body that arrives in pieces.
    func bodyWriter(for key: String) -> any StoredBodyWriter

    /// Stores a response, replacing the one of the same key and variant.
    ///
    /// - Returns: Whether the store is now over its size limit, so that ``trim()`` is due.
    func store(_ response: StoredResponse) throws(CacheStoreError) -> Bool

    /// Notes that a key's response was loaded but not stored, unless something is stored for the key.
    func note(
        _ refusal: CacheDecision.StorageRefusal,
        for key: String,
        at time: Timestamp
    )
        throws(CacheStoreError)

    /// Removes all variants that are stored for a key, if any.
    func remove(_ key: String) throws(CacheStoreError)

    /// Removes the least recently used entries until the store is below its size limit.
    func trim()
}

/// Writes a body piece by piece; a writer that is released unfinished leaves nothing behind.
package protocol StoredBodyWriter: Sendable {
    /// Writes the next bytes.
    func write(_ bytes: Span<UInt8>) throws(CacheStoreError)

    /// Whether it can take more bytes now; always, by default. If not, `resume` is called once, when it can.
    func isReady(orElse resume: @escaping @Sendable () -> Void) -> Bool

    /// The body, to be stored with its response.
    func finish() async throws(CacheStoreError) -> StoredBody
}

extension StoredBodyWriter {
    package func isReady(orElse resume: @escaping @Sendable () -> Void) -> Bool { true }
}

/// The result of a look-up.
package enum CacheLookup: Sendable {
    /// The stored response, undamaged.
    case found(StoredResponse)
    /// Nothing.
    case absent
    /// Only a note that it was loaded before, and why it was not stored.
    case notKept(CacheDecision.StorageRefusal)
    /// An entry that cannot be used, and why: it counts as absent and is replaced by the next load.
    case damaged(String)
}

/// Why the cache could not be written.
///
/// It never fails a load.
package struct CacheStoreError: Error, Equatable, Sendable {
    /// The file or key, and what failed.
    package let message: String
    /// The system's error number.
    let errno: Int32

    init(message: String, errno: Int32) {
        self.message = message
        self.errno = errno
    }

    init(_ path: String, _ failure: File.Failure) {
        self.init(message: "\(path): \(failure.text)", errno: failure.errno)
    }
}
