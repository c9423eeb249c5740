import HTTPTypes
import Testing

@testable import WebStandards

/// Values of fields from bytes.
struct FieldBytesTests {
    @Test(arguments: [
        "", "a", "text/html; charset=utf-8", " a", "a ", "\t", "a\tb", "a\nb", "\r", "a\0", "\u{E9}",
        "\u{7F}", " ",
    ])
    func whatIsPlainIsReadAsAllIs(value: String) throws {
        let name = try #require(HTTPField.Name("A"))
        for bytes in [Array(value.utf8), Array(value.utf8) + [0xFF], [0x80] + Array(value.utf8)] {
            let field = HTTPField(name: name, bytes: bytes[...])
            #expect(field == HTTPField(name: name, lenientValue: bytes))
            #expect(field.value == HTTPField(name: name, lenientValue: bytes).value)
        }
    }
}
