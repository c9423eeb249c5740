import CVirtualTime

@testable import WebLoader
@testable import WebTransport

/// The contents of the files: numbers, lines, entries of the cache.
extension HostileFolder {
    func number() -> String {
        HostileFields(source: source, now: virtual_time_wall_clock(), serial: 0).number()
    }

    func number64() -> Int {
        source.pick([
            0, 1, -1, .max, .min, 1 << 31, 1 << 32, 1 << 53, 1_700_000_000, 1_700_000_000_000, 3600,
            253_402_300_800, -62_135_596_800,
            .max / 1000, .min / 1000, .max - 1, 9_007_199_254_740_993, 262_144, 100, 4096,
        ])
    }

    func lines(_ line: () -> String) -> [UInt8] {
        Array(
            (0..<source.number(below: 6)).map { _ in
                source.isOne(of: 6) ? String(decoding: source.text(9), as: UTF8.self) : line()
            }
            .joined(separator: "\n").utf8
        )
    }

    func netrc() -> [UInt8] {
        Array(
            (0..<source.number(below: 12)).map { _ in
                source.pick([
                    "machine a.test", "login u", "password p", "default", "account x", "macdef m\n", "\n",
                    "#",
                    "\"", "\"a\\\"b\"", "machine", String(decoding: source.text(4), as: UTF8.self),
                ])
            }.joined(separator: " ").utf8
        )
    }

    func jarLine() -> String {
        [
            source.pick(["a.test", ".a.test", "#HttpOnly_b.test", "test", "", ".", "127.0.0.1"]),
            source.pick(["TRUE", "FALSE", "x"]),
            source.pick(["/", "/a", "", "a"]), source.pick(["TRUE", "FALSE"]), number(),
            source.pick(["a", "", "__Host-x"]), source.pick(["k", ""]),
        ].joined(separator: "\t")
    }

    func body() -> [UInt8] {
        MarkedBody.bytes(0, 0..<source.pick([0, 100, 31, 5000, 100, 1, 262_144, 262_145, 300_000]))
    }

    /// An entry's file, valid or with faults.
    func entry(for url: WebURL) -> [UInt8] {
        let hostile = HostileFields(source: source, now: virtual_time_wall_clock(), serial: 0)
        let choices = source.byte()
        let body = choices & 7 == 7 ? body() : MarkedBody.bytes(0, 0..<100)
        var head = ByteWriter()
        head.string(
            choices & 8 == 0 ? StoredResponse.key(for: url) : source.pick(["http://a.test/", "", "x"])
        )
        head.integer(Int64(choices & 0x10 == 0 ? 1_700_000_000_000 : number64()))
        head.integer(Int64(choices & 0x10 == 0 ? 1_700_000_000_000 : number64()))
        head.integer(
            Int64(choices & 0x20 == 0 ? 200 : source.pick([206, 304, 404, 100, 999, 416, .max, -1, 301]))
        )
        head.optionalString(source.pick([nil, "1.1", "\u{1b}[31m"]))
        let flags = choices & 0x40 == 0 ? 0 : source.byte() & 15
        head.integer(flags)
        if flags & 4 != 0 {
            let name = String(CacheEntryName(StoredResponse.key(for: url), in: "").stem)
            head.string(source.pick(["\(name).\(Self.bodyName)", "../outside/letter", "\(name).", ""]))
            head.integer(Int64(source.isOne(of: 2) ? number64() : body.count))
        }
        let varying = source.number(below: 3)
        head.integer(Int64(source.isOne(of: 12) ? number64() : varying))
        for _ in 0..<varying {
            head.string(source.pick(["x-a", "*", "authorization", "accept-language", "\n"]))
            head.optionalString(source.pick([nil, "1", ""]))
        }
        let count = source.number(below: 8)
        head.integer(Int64(source.isOne(of: 12) ? number64() : count))
        for _ in 0..<count {
            let name =
                source.isOne(of: 12)
                ? source.pick(["Set-Cookie", "", "a b", ":x"]) : source.pick(HostileFields.names)
            head.string(name)
            head.string(hostile.value(name))
        }
        return file(head.output, flags & 4 == 0 ? body : [], body)
    }

    private func file(_ head: [UInt8], _ body: [UInt8], _ checked: [UInt8]) -> [UInt8] {
        var file = ByteWriter()
        file.raw(CacheEntryFile.magic)
        file.integer(source.isOne(of: 16) ? UInt16(source.byte()) : CacheEntryFile.version)
        file.integer(UInt16(source.isOne(of: 8) ? source.number(below: 3) : 0))
        file.integer(source.isOne(of: 16) ? UInt32(truncatingIfNeeded: number64()) : UInt32(head.count))
        file.integer(source.isOne(of: 16) ? UInt64(truncatingIfNeeded: number64()) : UInt64(body.count))
        file.integer(ContentHash.checksum(head))
        var checksum: UInt64 = 0
        var position = 0
        while position < checked.count {
            let end = min(checked.count, position + ContentHash.pieceLength)
            checksum = ContentHash.checksum(piece: checked.span.extracting(position..<end), after: checksum)
            position = end
        }
        if checked.isEmpty { checksum = ContentHash.checksum([]) }
        file.integer(source.isOne(of: 16) ? 0 : checksum)
        file.raw(head)
        file.raw(body)
        return file.output
    }
}
