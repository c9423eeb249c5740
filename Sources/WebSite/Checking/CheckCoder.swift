import WebStandards

/// Encodes the stored results of a check: numbers with 7 bits a byte, texts prefixed with their length.
struct CheckEncoder {
    private(set) var bytes: [UInt8]

    init(_ tag: UInt8) { bytes = [tag] }

    mutating func add(_ number: Int) {
        var rest = UInt64(clamping: number)
        while rest >= 0x80 {
            bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        bytes.append(UInt8(truncatingIfNeeded: rest))
    }

    mutating func add(_ text: String) { add(Array(text.utf8)) }

    mutating func add(_ data: [UInt8]) {
        add(data.count)
        bytes += data
    }

    /// Adds an optional text.
    mutating func add(_ text: String?) {
        add(text == nil ? 0 : 1)
        if let text { add(text) }
    }

    mutating func add(hash: UInt32) {
        for shift in [0, 8, 16, 24] as [UInt32] { bytes.append(UInt8(truncatingIfNeeded: hash >> shift)) }
    }

    mutating func add(_ hops: [LinkRedirect]) {
        add(hops.count)
        for hop in hops {
            add(hop.url)
            add(hop.status)
        }
    }
}

/// Decodes the bytes of ``CheckEncoder``; each method returns `nil` if they are damaged.
struct CheckDecoder {
    private var rest: ArraySlice<UInt8>

    /// Starts decoding; `nil` unless the bytes begin with the tag.
    init?(_ bytes: [UInt8]?, _ tag: UInt8) {
        guard let bytes, bytes.first == tag else { return nil }
        rest = bytes.dropFirst()
    }

    mutating func number() -> Int? {
        var number: UInt64 = 0
        for shift in stride(from: 0 as UInt64, to: 63, by: 7) {
            guard let byte = rest.popFirst() else { return nil }
            number |= UInt64(byte & 0x7F) << shift
            if byte < 0x80 { return Int(bounded: number) }
        }
        return nil
    }

    mutating func data() -> [UInt8]? {
        guard let count = number(), count <= rest.count else { return nil }
        defer { rest = rest.dropFirst(count) }
        return Array(rest.prefix(count))
    }

    mutating func text() -> String? { data().map { String(decoding: $0, as: UTF8.self) } }

    /// Reads an optional text; the outer optional is `nil` if the bytes are damaged.
    mutating func optionalText() -> String?? {
        guard let isThere = number() else { return .none }
        guard isThere > 0 else { return .some(nil) }
        return text().map { .some($0) } ?? .none
    }

    mutating func hashes() -> [UInt32]? {
        guard let count = number(), count <= rest.count / 4 else { return nil }
        var hashes: [UInt32] = []
        hashes.reserveCapacity(count)
        for _ in 0..<count {
            var hash: UInt32 = 0
            for shift in [0, 8, 16, 24] as [UInt32] { hash |= UInt32(rest.popFirst() ?? 0) << shift }
            hashes.append(hash)
        }
        return hashes
    }

    mutating func hops() -> [LinkRedirect]? {
        guard let count = number(), count <= rest.count else { return nil }
        var hops: [LinkRedirect] = []
        for _ in 0..<count {
            guard let url = text(), let status = number() else { return nil }
            hops.append(LinkRedirect(url: url, status: status))
        }
        return hops
    }
}
