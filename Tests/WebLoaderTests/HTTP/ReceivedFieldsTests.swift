import HTTPTypes
import Testing

@testable import WebArchive
@testable import WebStandards

/// How many fields of a message from outside are kept: the type itself ends the process at 65,535.
struct ReceivedFieldsTests {
    private static let many = 70_000

    @Test func keepsTheFirstFields() throws {
        let name = try #require(HTTPField.Name("a"))
        var fields = HTTPFields(received: repeatElement(HTTPField(name: name, value: ""), count: Self.many))
        #expect(fields.count == HTTPFields.maximumCount)
        fields.append(received: HTTPField(name: name, value: ""))
        #expect(fields.count == HTTPFields.maximumCount)
    }

    @Test(arguments: ["a:", "X-Orig-a:", "Set-Cookie: a=b", "Content-Encoding: x"])
    func aHeadOfAnArchiveMayHaveAnyNumber(line: String) {
        let text = "HTTP/1.1 200 OK\r\nX-First: 1\r\n" + String(repeating: "\(line)\r\n", count: Self.many)
        let head = MessageHead(bytes: Array(text.utf8))
        #expect(head.originalHTTPFields.count == HTTPFields.maximumCount)
        #expect(head.originalHTTPFields.first?.value == "1")
        #expect(head.fields.count == Self.many + 1)
    }

    @Test func aCookieWithManySemicolonsIsOneField() throws {
        var request = WebRequest(url: try WebURL("http://a.example/"))
        request.setValue(String(repeating: "; ", count: Self.many), forHTTPHeaderField: "Cookie")
        #expect(request.headerFields.count == 1)
    }

    @Test func fieldsThatWereMovedAsideGetTheirNamesBack() {
        let text = "HTTP/1.1 200 OK\r\nX-Orig-Content-Encoding: gzip\r\nX-Orig-A: 1\r\nA: 2\r\n"
        let fields = MessageHead(bytes: Array(text.utf8)).originalHTTPFields
        #expect(fields.map(\.name.canonicalName) == ["content-encoding", "x-orig-a", "a"])
    }
}
