import Synchronization
import WebTransport

/// A cache store that breaks its contract in one way.
final class BrokenStore: CacheStore {
    /// The ways, and the clause that each breaks.
    enum Fault: String, CaseIterable {
        case cutsLongItems = "bytes come back as they were stored"
        case keepsText = "bytes come back as they were stored "
        case invents = "what was not stored is not there"
        case keepsTheFirst = "a later item takes the place of the earlier one"
        case overwritesInPlace = "a later item takes the place of the earlier one "
        case foldsKeys = "keys are told apart by each of their bytes"
        case cutsKeys = "keys are told apart by each of their bytes "
        case normalisesKeys = "keys are told apart by each of their bytes  "
        case cutsNames = "names are told apart by each of their bytes"
        case namesAThousand = "names are those of all items that are there"
        case removesByPrefix = "what is told is removed, and nothing else"
        case complainsOfAbsentNames = "what is told is removed, and nothing else "
        case writesHalves = "who reads while an item is replaced gets the old one or the new one"
        case removesBeforeItWrites = "who reads while an item is replaced gets the old one or the new one "
        case stopsHalfWay = "a call that is cancelled leaves the old item or the new one"
        case writesLate = "what was done is seen by whoever asks later"
        case fewCallsAtOnce = "any number of calls may be made at once"
        case forgetsPieces = "responses come back as servers sent them"
        case mixesVariantsUp = "variants by Vary stand beside each other"
        case removesNothing = "nothing is left of a URL that is removed"
        case recyclesBodies = "a body that is being read survives its replacement and removal"

        /// The clause; two faults that break one have a space between them.
        var clause: String { String(rawValue.reversed().drop { $0 == " " }.reversed()) }
    }

    private struct Complaint: Error {}

    private let fault: Fault
    private let items = Mutex<[String: [String: [UInt8]]]>([:])
    private let calls = Atomic<Int>(0)

    init(_ fault: Fault) {
        self.fault = fault
    }

    /// Returns the name under which a key is stored, which is as exact as the fault allows.
    private func place(_ key: CacheKey) -> String {
        switch fault {
        case .foldsKeys: key.text.lowercased()
        case .cutsKeys: String(key.text.prefix(1000))
        case .normalisesKeys: key.text
        default: key.digest
        }
    }

    private func name(_ name: String) -> String {
        switch fault {
        case .cutsNames: String(name.prefix(49))
        case .mixesVariantsUp: String(name.prefix(8))
        default: name
        }
    }

    private func counted<Value>(_ body: () async throws -> Value) async throws -> Value {
        defer { calls.subtract(1, ordering: .relaxed) }
        let count = calls.add(1, ordering: .relaxed).newValue
        await Task.yield()
        if fault == .fewCallsAtOnce, count > 3 { throw Complaint() }
        return try await body()
    }

    func bytes(_ name: String, of key: CacheKey) async throws -> [UInt8]? {
        try await counted {
            let bytes = items.withLock { $0[place(key)]?[self.name(name)] }
            guard let bytes else { return fault == .invents ? [0] : nil }
            switch fault {
            case .cutsLongItems: return Array(bytes.prefix(65_535))
            case .keepsText: return Array(String(decoding: bytes, as: UTF8.self).utf8)
            default: return bytes
            }
        }
    }

    func store(_ bytes: [UInt8], as name: String, of key: CacheKey) async throws {
        try await counted {
            let (place, name) = (place(key), self.name(name))
            let half = Array(bytes.prefix(bytes.count / 2))
            switch fault {
            case .writesHalves:
                put(half, name, place)
                await Task.yield()
            case .removesBeforeItWrites:
                put(nil, name, place)
                await Task.yield()
            case .stopsHalfWay:
                // Only where somebody gives up.
                await Task.yield()
                if Task.isCancelled { return put(half, name, place) }
            case .writesLate:
                Task {
                    try await Task.sleep(for: .milliseconds(20))
                    put(bytes, name, place)
                }
                return
            case .forgetsPieces where name.contains("."): return
            case .recyclesBodies where name == "response":
                items.withLock { items in
                    items[place] = items[place]?.filter { !$0.key.contains(".") || names(bytes, $0.key) }
                }
            default: break
            }
            items.withLock { items in
                var stored = bytes
                let old = items[place]?[name] ?? []
                if fault == .overwritesInPlace { stored += old.dropFirst(bytes.count) }
                if fault == .keepsTheFirst, !old.isEmpty { stored = old }
                items[place, default: [:]][name] = stored
            }
        }
    }

    /// Whether a response names the body of a piece.
    private func names(_ response: [UInt8], _ piece: String) -> Bool {
        let body = String(piece.prefix { $0 != "." }) + piece.drop { $0 != "." }.prefix(17)
        return String(decoding: response, as: UTF8.self).contains(body)
    }

    private func put(_ bytes: [UInt8]?, _ name: String, _ place: String) {
        items.withLock { $0[place, default: [:]][name] = bytes }
    }

    func names(of key: CacheKey) async throws -> [String] {
        try await counted {
            let names = items.withLock { $0[place(key)].map { Array($0.keys) } ?? [] }
            return fault == .namesAThousand ? Array(names.prefix(1000)) : names
        }
    }

    func remove(_ names: [String], of key: CacheKey) async throws {
        try await counted {
            if fault == .removesNothing { return }
            let isComplete = items.withLock { items in
                let place = place(key)
                let known = items[place] ?? [:]
                items[place] = known.filter { item in
                    !names.contains { item.key == $0 || fault == .removesByPrefix && item.key.hasPrefix($0) }
                }
                return names.allSatisfy { known[$0] != nil }
            }
            if fault == .complainsOfAbsentNames, !isComplete { throw Complaint() }
        }
    }
}
