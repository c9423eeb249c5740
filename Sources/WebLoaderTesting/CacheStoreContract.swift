public import WebTransport

/// The contract of a ``/WebTransport/CacheStore``, as checks that the tests of a store run.
///
/// ```swift
/// @Test(arguments: CacheStoreContract.checks)
/// func keepsTheContract(_ check: CacheStoreContract.Check) async throws {
///     try await check.run { MyStore() }
/// }
/// ```
///
/// All checks together make some ten thousand calls of a store, with up to 64 at once. No check needs a network, or any
/// library of tests.
public enum CacheStoreContract {
    /// A clause of the contract, with the check of whether a store fulfils it.
    public struct Check: Sendable, CustomStringConvertible {
        /// The clause, as a sentence.
        public let description: String

        let subject: Subject

        /// The subject of the check.
        enum Subject: Sendable {
            /// The store, by its own methods.
            case items(@Sendable (any CacheStore) async throws -> Void)
            /// A loader's cache that is in the store.
            case responses(@Sendable (CheckedCache) async throws -> Void)
        }

        init(items clause: String, _ body: @escaping @Sendable (any CacheStore) async throws -> Void) {
            description = clause
            subject = .items(body)
        }

        init(responses clause: String, _ body: @escaping @Sendable (CheckedCache) async throws -> Void) {
            description = clause
            subject = .responses(body)
        }

        /// Checks a store.
        ///
        /// A call of the store that takes more than a minute has failed.
        ///
        /// - Parameter makeStore: Makes a store in which there is nothing yet. It is called once.
        /// - Throws: ``BrokenClause``, where the store breaks the clause, throws, hangs, or cannot be made.
        public func run(_ makeStore: () async throws -> any CacheStore) async throws(BrokenClause) {
            try await CacheStoreContract.run(description) {
                let store = PatientStore(store: try await makeStore())
                switch subject {
                case .items(let body): try await body(store)
                case .responses(let body): try await body(CheckedCache(items: store))
                }
            }
        }

        /// Checks a cache that is no ``/WebTransport/CacheStore``.
        ///
        /// - Returns: Whether there was anything to check: some clauses are about a store's items.
        package func run(_ cache: CacheAccess) async throws(BrokenClause) -> Bool {
            guard case .responses(let body) = subject else { return false }
            try await CacheStoreContract.run(description) { try await body(CheckedCache(cache, items: nil)) }
            return true
        }
    }

    /// A violation of the contract by a store.
    public struct BrokenClause: Error, Hashable, Sendable, CustomStringConvertible {
        /// The clause, as a sentence.
        public let clause: String
        /// The expected value.
        public let expected: String
        /// The value that was found instead.
        public let found: String

        /// All three.
        public var description: String { "\(clause): expected \(expected), found \(found)" }
    }

    /// The checks that every store must pass, each with an empty store of its own.
    public static var checks: [Check] { itemChecks + responseChecks }

    /// Runs a check; whatever it throws is a broken clause.
    static func run(_ clause: String, _ body: () async throws -> Void) async throws(BrokenClause) {
        do {
            try await body()
        } catch let difference as Difference {
            throw BrokenClause(clause: clause, expected: difference.expected, found: difference.found)
        } catch let error as CacheStoreError {
            throw BrokenClause(clause: clause, expected: "no error", found: error.message)
        } catch {
            throw BrokenClause(clause: clause, expected: "no error", found: "\(error)")
        }
    }
}

/// Something else than was expected.
struct Difference: Error {
    let expected: String
    let found: String

    /// Throws unless two values are equal.
    static func check<Value: Equatable>(_ found: Value, is expected: Value, _ what: String) throws {
        guard found != expected else { return }
        throw Difference(expected: "\(what) to be \(expected)", found: "\(found)")
    }

    /// Throws unless bytes are those that are expected.
    static func check(_ found: [UInt8]?, is expected: [UInt8]?, _ what: String) throws {
        guard found != expected else { return }
        let expectation = "\(what) to be \(expected.map { "\($0.count) bytes" } ?? "absent")"
        guard let found else { throw Difference(expected: expectation, found: "nothing") }
        guard let expected, found.count == expected.count,
            let place = found.indices.first(where: { found[$0] != expected[$0] })
        else { throw Difference(expected: expectation, found: "\(found.count) bytes") }
        throw Difference(
            expected: expectation,
            found: "as many, but \(found[place]) in place of \(expected[place]) at \(place)"
        )
    }
}

/// A store whose calls fail when they take too long.
struct PatientStore: CacheStore {
    let store: any CacheStore

    static let patience = 60.0

    func bytes(_ name: String, of key: CacheKey) async throws -> [UInt8]? {
        try await StoreCall.made(within: Self.patience) { [store] in try await store.bytes(name, of: key) }
    }

    func store(_ bytes: [UInt8], as name: String, of key: CacheKey) async throws {
        try await StoreCall.made(within: Self.patience) { [store] in
            try await store.store(bytes, as: name, of: key)
        }
    }

    func names(of key: CacheKey) async throws -> [String] {
        try await StoreCall.made(within: Self.patience) { [store] in try await store.names(of: key) }
    }

    func remove(_ names: [String], of key: CacheKey) async throws {
        try await StoreCall.made(within: Self.patience) { [store] in try await store.remove(names, of: key) }
    }
}
