import Glibc

/// A cache in a program's ``CacheStore``: makes items of responses and of their bodies, and believes nothing that it gets
/// back.
///
/// A key has an item `response`, in the format of a cache entry's file (docs/cache-format.md): the first variant, or a
/// note. Other variants by the same fields have items of their own, named by a hash of these fields' values. A
/// body of more than 256 KiB is in pieces, each an item, under a name that no other body ever has.
package final class KeyedStore: Sendable {
    private let store: any CacheStore

    /// The seconds that each call may take.
    let maximumSeconds: Double

    /// Removes what is no longer needed.
    let background: BackgroundWork

    /// The bodies that somebody holds.
    private let bodies = KeyedBodyUses()

    /// The changes in progress: only one at a time per key, since each reads before it writes.
    private let changes = Flights<CacheKey>()

    package init(_ store: any CacheStore, maximumSeconds: Double, background: BackgroundWork = .init()) {
        self.store = store
        self.maximumSeconds = maximumSeconds
        self.background = background
    }

    // MARK: - Calling the store

    private func call<Value: Sendable>(
        until deadline: Double,
        _ operation: @escaping @Sendable (any CacheStore) async throws -> Value
    ) async throws(CacheStoreError) -> Value {
        let seconds = min(maximumSeconds, deadline - MonotonicClock.now)
        guard seconds > 0 else {
            throw CacheStoreError(message: "no time is left for the cache store", errno: ETIMEDOUT)
        }
        return try await StoreCall.made(within: seconds) { [store] in try await operation(store) }
    }

    /// Waits until nothing else changes the items of a key, as long as for a call.
    private func beginChange(of key: CacheKey, until deadline: Double) async throws(CacheStoreError) {
        let end = min(deadline, MonotonicClock.now + maximumSeconds)
        while true {
            switch await changes.join(key, within: end - MonotonicClock.now) {
            case .first: return
            case .landed: continue
            case .cancelled: throw CacheStoreError(message: "the load was cancelled", errno: ECANCELED)
            case .expired: throw CacheStoreError(message: "others change the same URL", errno: ETIMEDOUT)
            }
        }
    }

    private static let responseName = "response"

    private static let variantPrefix = "variant-"

    /// More bytes than any body has, 1 PiB: what says so is damaged.
    private static let maximumBodyCount = 1 << 50

    private static func variantName(_ fields: [VaryingFields.Field]) -> String {
        variantPrefix + CacheEntryName.hash(of: fields)
    }

    // MARK: - Looking up

    func lookUp(_ key: String, for request: WebRequest, until deadline: Double) async -> CacheLookup {
        let key = CacheKey(key)
        do throws(CacheStoreError) {
            let first = try await read(Self.responseName, of: key, until: deadline)
            guard case .found(let response) = first, !response.varyingFields.isEmpty,
                !VaryingFields.match(response, request)
            else { return first }
            let name = Self.variantName(VaryingFields.of(request, named: response.varyingFields))
            let second = try await read(name, of: key, until: deadline)
            switch second {
            case .found(let other): return VaryingFields.match(other, request) ? second : first
            case .damaged: return second
            case .absent, .notKept: return first
            }
        } catch {
            return .damaged(error.message)
        }
    }

    func contains(_ key: String) async -> Bool {
        do throws(CacheStoreError) {
            guard case .found = try await read(Self.responseName, of: CacheKey(key), until: .infinity) else {
                return false
            }
            return true
        } catch {
            return false
        }
    }

    /// Reads an item that holds a response or a note; a body in pieces is named and not read.
    private func read(
        _ name: String,
        of key: CacheKey,
        until deadline: Double
    ) async throws(CacheStoreError) -> CacheLookup {
        let bytes = try await call(until: deadline) { try await $0.bytes(name, of: key) }
        guard let bytes else { return .absent }
        do throws(CacheEntryFile.Damage) {
            return try decode(bytes, of: key)
        } catch {
            return .damaged("the cache store has something else in place of \(name): \(error.reason)")
        }
    }

    private func decode(_ bytes: [UInt8], of key: CacheKey) throws(CacheEntryFile.Damage) -> CacheLookup {
        let prefix = try CacheEntryFile.prefix(bytes, fileSize: bytes.count)
        guard prefix.kind != .note else {
            return .notKept(try CacheEntryFile.note(bytes, prefix).refusal)
        }
        var (response, body) = try CacheEntryFile.response(bytes, prefix)
        guard response.key.utf8.elementsEqual(key.text.utf8) else {
            throw CacheEntryFile.Damage("it is of another URL")
        }
        if let body {
            guard body.count <= Self.maximumBodyCount else {
                throw CacheEntryFile.Damage("its body would have \(body.count) bytes")
            }
            let holder = hold(body.name, of: key, .stored)
            response.body = .pieces(KeyedBody(holder, count: body.count, checksum: prefix.bodyChecksum))
        }
        return .found(response)
    }

    // MARK: - Storing

    func store(_ response: StoredResponse, until deadline: Double) async throws(CacheStoreError) {
        let key = CacheKey(response.key)
        try await beginChange(of: key, until: deadline)
        defer { changes.land(key, .again) }
        try await store(response, as: key, until: deadline)
    }

    private func store(
        _ response: StoredResponse,
        as key: CacheKey,
        until deadline: Double
    ) async throws(CacheStoreError) {
        var response = response
        let name: String
        let old: StoredResponse?
        (name, old) = try await place(for: response, of: key, until: deadline)
        if case .bytes(let bytes) = response.body, bytes.count > CacheEntryFile.maximumBodyLength {
            response.body = .pieces(try await store(body: bytes, of: key, until: deadline))
        }
        let body = response.body.pieces?.holder
        // It was replaced, or removed, while the server confirmed it.
        if let body, bodies.fate(body.name) != .new, old?.body.pieces?.holder.name != body.name { return }
        let bytes = CacheEntryFile.file(of: response)
        guard bytes.count <= CacheEntryFile.maximumHeadLength else {
            throw CacheStoreError(message: "its fields are too long for the cache", errno: EFBIG)
        }
        try await call(until: deadline) { try await $0.store(bytes, as: name, of: key) }
        if let body { bodies.set(.stored, of: body.name) }
        if let replaced = old?.body.pieces?.holder, replaced.name != body?.name {
            bodies.set(.unwanted, of: replaced.name)
        }
    }

    /// The name of the item for a response, and what is there now and can be read; what would no longer be found is removed.
    private func place(
        for response: StoredResponse,
        of key: CacheKey,
        until deadline: Double
    ) async throws(CacheStoreError) -> (name: String, old: StoredResponse?) {
        let first: StoredResponse
        switch try await read(Self.responseName, of: key, until: deadline) {
        case .absent, .notKept: return (Self.responseName, nil)
        case .damaged:
            // Nothing says which pieces are those of its body.
            try await remove(of: key, until: deadline) { _ in true }
            return (Self.responseName, nil)
        case .found(let found): first = found
        }
        let body = response.body.pieces?.holder.name
        let isConfirmed = body != nil && first.body.pieces?.holder.name == body
        if isConfirmed || first.isSameVariant(as: response) { return (Self.responseName, first) }
        guard first.varyingFields.map(\.name) == response.varyingFields.map(\.name) else {
            // Variants by other fields would no longer be found.
            if !first.varyingFields.isEmpty {
                try await remove(of: key, until: deadline) { $0 != Self.responseName }
            }
            return (Self.responseName, first)
        }
        let name = Self.variantName(response.varyingFields)
        guard case .found(let other) = try await read(name, of: key, until: deadline) else {
            return (name, nil)
        }
        return (name, other)
    }

    /// Stores a body that is there, piece by piece.
    private func store(
        body bytes: [UInt8],
        of key: CacheKey,
        until deadline: Double
    ) async throws(CacheStoreError) -> KeyedBody {
        let holder = holdNewBody(of: key)
        var checksum: UInt64 = 0
        for (index, start) in stride(from: 0, to: bytes.count, by: ContentHash.pieceLength).enumerated() {
            let piece = Array(bytes[start...].prefix(ContentHash.pieceLength))
            checksum = ContentHash.checksum(piece: piece.span, after: checksum)
            try await storePiece(piece, index, of: holder, until: deadline)
        }
        return KeyedBody(holder, count: bytes.count, checksum: checksum)
    }

    func note(
        _ refusal: CacheDecision.StorageRefusal,
        for key: String,
        at time: Timestamp,
        until deadline: Double
    ) async throws(CacheStoreError) {
        let key = CacheKey(key)
        try await beginChange(of: key, until: deadline)
        defer { changes.land(key, .again) }
        try await call(until: deadline) { store in
            guard try await store.bytes(Self.responseName, of: key) == nil else { return }
            // It may have taken so long that a response was stored meanwhile.
            try Task.checkCancellation()
            try await store.store(CacheEntryFile.file(of: refusal, at: time), as: Self.responseName, of: key)
        }
    }

    // MARK: - Removing

    func remove(_ key: String, until deadline: Double) async throws(CacheStoreError) {
        let key = CacheKey(key)
        try await beginChange(of: key, until: deadline)
        defer { changes.land(key, .again) }
        try await remove(of: key, until: deadline) { _ in true }
    }

    /// Removes the selected items, but no piece of a body that somebody holds: that is removed when nobody does.
    private func remove(
        of key: CacheKey,
        until deadline: Double,
        _ isMeant: @escaping @Sendable (String) -> Bool
    ) async throws(CacheStoreError) {
        try await call(until: deadline) { [self] store in
            let names = try await store.names(of: key).filter(isMeant)
            try Task.checkCancellation()
            let free = names.filter { !isHeld(pieceNamed: $0) }
            if !free.isEmpty { try await store.remove(free, of: key) }
        }
    }

    /// Whether an item is a piece of a body that somebody holds; it becomes unwanted then.
    private func isHeld(pieceNamed name: String) -> Bool {
        guard let dot = name.lastIndex(of: ".") else { return false }
        let body = String(name[..<dot])
        // A body without a response is removed on its own, unless one is stored with it.
        return bodies.fate(body) == .new || bodies.set(.unwanted, of: body)
    }

    // MARK: - Bodies

    func bodyWriter(for key: String) -> any StoredBodyWriter {
        KeyedBodyWriter(self, CacheKey(key))
    }

    /// A name for a new body, which is removed when it is released, unless a response was stored with it.
    func holdNewBody(of key: CacheKey) -> KeyedBody.Holder {
        hold(CacheEntryName(key.text, in: "").newBodyFile, of: key, .new)
    }

    private func hold(_ name: String, of key: CacheKey, _ fate: KeyedBodyUses.Fate) -> KeyedBody.Holder {
        bodies.hold(name, fate)
        return KeyedBody.Holder(name: name, key: key, store: self)
    }

    /// Ends a hold.
    func release(_ name: String, of key: CacheKey) {
        guard bodies.release(name) else { return }
        background.start("remove \(name)") { [self] in
            // A failure is ignored: nothing names these pieces any more, and the store may forget them.
            try? await remove(of: key, until: .infinity) { $0.hasPrefix("\(name).") }
        }
    }

    func storePiece(
        _ piece: [UInt8],
        _ index: Int,
        of body: KeyedBody.Holder,
        until deadline: Double
    ) async throws(CacheStoreError) {
        let bytes = BodyPiece.encoded(piece, index, of: body.name)
        try await call(until: deadline) {
            try await $0.store(bytes, as: BodyPiece.name(index, of: body.name), of: body.key)
        }
    }

    /// A piece of a body, as it was stored.
    func piece(
        _ index: Int,
        of body: KeyedBody.Holder,
        until deadline: Double
    ) async throws(CacheStoreError) -> [UInt8] {
        let name = BodyPiece.name(index, of: body.name)
        let bytes = try await call(until: deadline) { try await $0.bytes(name, of: body.key) }
        guard let bytes, let piece = BodyPiece.decoded(bytes, index, of: body.name) else {
            let what = bytes == nil ? "no longer has" : "has something else in place of"
            throw CacheStoreError(message: "the cache store \(what) \(name)", errno: EIO)
        }
        return piece
    }
}
