import WebTransport

/// A cache store of a program's own: a dictionary.
actor ShelfStore: CacheStore {
    private var items: [CacheKey: [String: [UInt8]]] = [:]

    func bytes(_ name: String, of key: CacheKey) -> [UInt8]? { items[key]?[name] }

    func store(_ bytes: [UInt8], as name: String, of key: CacheKey) { items[key, default: [:]][name] = bytes }

    func names(of key: CacheKey) -> [String] { items[key].map { Array($0.keys) } ?? [] }

    func remove(_ names: [String], of key: CacheKey) {
        for name in names { items[key]?[name] = nil }
    }

    /// How many items there are.
    var count: Int { items.values.reduce(0) { $0 + $1.count } }
}

/// A cache store that forgets the key that was not asked for longest.
actor LimitedStore: CacheStore {
    private let limit: Int
    private let forgetsLatest: Bool
    private var items: [CacheKey: [String: [UInt8]]] = [:]
    /// The keys by their last use, the latest at the end.
    private var uses: [CacheKey] = []

    init(limit: Int, forgetsLatest: Bool = false) {
        self.limit = limit
        self.forgetsLatest = forgetsLatest
    }

    private func use(_ key: CacheKey) {
        uses.removeAll { $0 == key }
        uses.append(key)
    }

    func bytes(_ name: String, of key: CacheKey) -> [UInt8]? {
        if items[key] != nil { use(key) }
        return items[key]?[name]
    }

    func store(_ bytes: [UInt8], as name: String, of key: CacheKey) {
        items[key, default: [:]][name] = bytes
        use(key)
        while size > limit, uses.count > 1 {
            items[forgetsLatest ? uses.removeLast() : uses.removeFirst()] = nil
        }
    }

    private var size: Int { items.values.reduce(0) { $0 + $1.values.reduce(0) { $0 + $1.count } } }

    func names(of key: CacheKey) -> [String] { items[key].map { Array($0.keys) } ?? [] }

    func remove(_ names: [String], of key: CacheKey) {
        for name in names { items[key]?[name] = nil }
    }
}
