import TestSupport
import Testing
import WebStandards

/// Objects written member by member are what their values are, serialized.
struct JSONWriterTests {
    private static let names: [StaticString] = ["b", "a", "ab", "abc", "a_b", "aa", "c", "title", "titles"]

    @Test(arguments: UInt64(1)...50)
    func membersComeOutInTheOrderOfTheirNames(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        var writer = JSONWriter()
        let members = Self.write(into: &writer, depth: 0, &random)
        let isLine = Bool.random(using: &random)
        let expected = JSONValue.object(members).serialized() + (isLine ? [0x0A] : [])
        #expect(writer.written(isLine: isLine) == expected)
    }

    /// Writes members, some of them objects and lists of objects; returns the same as values.
    private static func write(
        into writer: inout JSONWriter,
        depth: Int,
        _ random: inout SeededGenerator
    ) -> [JSONValue.Member] {
        let names = names.shuffled(using: &random).prefix(Int.random(in: 0...names.count, using: &random))
        return names.map { name in
            writer.name(name)
            return JSONValue.Member("\(name)", value(&writer, depth: depth + 1, &random))
        }
    }

    private static func value(
        _ writer: inout JSONWriter,
        depth: Int,
        _ random: inout SeededGenerator
    ) -> JSONValue {
        switch Int.random(in: 0...(depth > 4 ? 4 : 6), using: &random) {
        case 0:
            writer.write("x\n\u{202E}")
            return "x\n\u{202E}"
        case 1:
            writer.write(Int64.min)
            return .integer(.min)
        case 2:
            writer.write(0.5)
            return .number(0.5)
        case 3:
            writer.write(true)
            return true
        case 4:
            let value: JSONValue = ["z": .null, "a": ["y", .null]]
            writer.write(value)
            return value
        case 5:
            let outer = writer.beginObject()
            let members = write(into: &writer, depth: depth, &random)
            writer.endObject(outer)
            return .object(members)
        default:
            writer.beginArray()
            var items: [JSONValue] = []
            for index in 0..<Int.random(in: 0...3, using: &random) {
                if index > 0 { writer.separator() }
                items.append(value(&writer, depth: depth + 1, &random))
            }
            writer.endArray()
            return .array(items)
        }
    }

    @Test func anObjectMayBeEmpty() {
        #expect(JSONWriter().written() == Array("{}".utf8))
        #expect(JSONWriter().written(isLine: true) == Array("{}\n".utf8))
    }
}
