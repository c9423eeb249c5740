import Foundation
import TestSupport
import Testing
import WebArchive

/// Binary property lists, read again by Python's plistlib.
@Suite(.timeLimit(.minutes(20)))
struct PropertyListWriterTests {
    /// A value, and what Python makes of it, as JSON in which data are texts of Base64 after "data:".
    private static let values: [(PropertyList, String)] = [
        (.dictionary([]), "{}"), (.array([]), "[]"), (.string(""), "\"\""), (.data([]), "\"data:\""),
        (.data([0, 0xFF]), "\"data:AP8=\""),
        (.string(String(repeating: "a", count: 14)), "\"\(String(repeating: "a", count: 14))\""),
        (.string(String(repeating: "a", count: 15)), "\"\(String(repeating: "a", count: 15))\""),
        (.string(String(repeating: "a", count: 300)), "\"\(String(repeating: "a", count: 300))\""),
        (.string(String(repeating: "é", count: 70_000)), "\"\(String(repeating: "é", count: 70_000))\""),
        (.string("Grüße 漢 😀"), "\"Grüße 漢 😀\""), (.string("\u{7F}\u{80}"), "\"\u{7F}\u{80}\""),
        (
            .array([0, 1, 255, 256, 65_535, 65_536, 4_294_967_295, 4_294_967_296].map { .integer($0) }),
            "[0,1,255,256,65535,65536,4294967295,4294967296]"
        ),
        (
            .array([.integer(-1), .integer(.min), .integer(.max)]),
            "[-1,-9223372036854775808,9223372036854775807]"
        ),
        (
            .dictionary([
                .init("a", .string("a")),
                .init("b", .array([.string("a"), .data([1]), .data([1]), .dictionary([])])),
                .init("ü", .dictionary([.init("a", .integer(7))])),
            ]),
            "{\"a\":\"a\",\"b\":[\"a\",\"data:AQ==\",\"data:AQ==\",{}],\"ü\":{\"a\":7}}"
        ),
        // The same to Swift, but not the same bytes.
        (.array([.string("\u{E9}"), .string("e\u{301}")]), "[\"\u{E9}\",\"e\u{301}\"]"),
    ]

    private static let reader = """
        import plistlib, json, sys, base64
        json.dump(plistlib.load(open(sys.argv[1], 'rb')), sys.stdout, ensure_ascii=False, sort_keys=True,
            separators=(',', ':'), default=lambda data: 'data:' + base64.b64encode(data).decode())
        """

    /// Returns a property list as Python reads it.
    static func read(_ path: String) async throws -> String {
        let outcome = try await Command.run(
            "/usr/bin/env",
            ["python3", "-c", reader, path],
            environment: ["PYTHONIOENCODING": "utf-8"]
        )
        #expect(outcome.status == 0, "\(outcome.errors)")
        return outcome.text
    }

    private static func written(_ value: PropertyList) throws -> [UInt8] {
        var bytes: [UInt8] = []
        let count = try PropertyListWriter(value).write { piece throws(ArchiveError) in bytes += piece }
        #expect(count == bytes.count)
        return bytes
    }

    /// The sizes of an offset and of a reference.
    private static func sizes(_ bytes: [UInt8]) -> [UInt8] { Array(bytes.suffix(26).prefix(2)) }

    @Test func `values read back`() async throws {
        try await withTemporaryFolder { folder in
            for (number, (value, expected)) in Self.values.enumerated() {
                let file = folder.appending(path: "\(number).plist")
                try Data(try Self.written(value)).write(to: file)
                let read = try await Self.read(file.path)
                // Not by what Swift takes for equal.
                #expect(Array(read.utf8) == Array(expected.utf8), "\(number)")
            }
        }
    }

    @Test(arguments: [
        (0, 1), (254, 1), (255, 2), (256, 2), (65_534, 2), (65_535, 4), (70_000, 4),
    ])
    func `many values read back`(count: Int, referenceSize: UInt8) async throws {
        let bytes = try Self.written(.array((0..<count).map { .integer(Int64($0)) }))
        #expect(Self.sizes(bytes).last == referenceSize)
        try await withTemporaryFolder { folder in
            let file = folder.appending(path: "many.plist")
            try Data(bytes).write(to: file)
            let expected = (0..<count).map { String($0) }.joined(separator: ",")
            let read = try await Self.read(file.path)
            #expect(read == "[\(expected)]")
        }
    }

    @Test func `what is the same is written once`() throws {
        let text = String(repeating: "text", count: 1000)
        let data = [UInt8](repeating: 7, count: 100_000)
        let bytes = try Self.written(
            .array([.string(text), .data(data), .dictionary([.init(text, .data(data))]), .string(text)])
        )
        #expect(bytes.count < 105_000)
        #expect(Self.sizes(bytes) == [4, 1])
    }

    @Test func `what the output throws is thrown`() {
        let value = PropertyList.data([UInt8](repeating: 0, count: 1 << 17))
        #expect(throws: ArchiveError.self) {
            try PropertyListWriter(value).write { _ throws(ArchiveError) in
                throw ArchiveError(.unwritable, "full")
            }
        }
    }
}
