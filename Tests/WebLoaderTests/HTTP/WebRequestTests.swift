import Testing

@testable import WebStandards

struct WebRequestTests {
    private func request() throws -> WebRequest { WebRequest(url: try WebURL("http://h.test/")) }

    @Test func fieldsAreFoundWhateverTheCaseOfTheirNames() throws {
        var request = try request()
        request.setValue("a", forHTTPHeaderField: "X-Field")
        request.addValue("b", forHTTPHeaderField: "x-field")
        request.addValue("c", forHTTPHeaderField: "Accept")
        #expect(request.value(forHTTPHeaderField: "X-FIELD") == "a, b")
        #expect(request.allHTTPHeaderFields == ["X-Field": "a, b", "Accept": "c"])
    }

    @Test func aFieldThatIsSetStandsForAllOfItsName() throws {
        var request = try request()
        for value in ["a", "b", "c"] { request.addValue(value, forHTTPHeaderField: "X") }
        request.setValue("d", forHTTPHeaderField: "x")
        #expect(request.value(forHTTPHeaderField: "X") == "d")
        request.setValue(nil, forHTTPHeaderField: "X")
        #expect(request.allHTTPHeaderFields == [:])
    }

    @Test(arguments: ["", "a b", "a:", "é", "a\r\nb"])
    func aNameThatIsNoTokenChangesNothing(name: String) throws {
        var request = try request()
        request.setValue("x", forHTTPHeaderField: name)
        request.addValue("x", forHTTPHeaderField: name)
        #expect(request.allHTTPHeaderFields == [:])
        #expect(request.value(forHTTPHeaderField: name) == nil)
    }

    @Test func anyNumberOfFieldsOfANameAreJoined() throws {
        var request = try request()
        for number in 0..<5000 { request.addValue("\(number)", forHTTPHeaderField: "X") }
        let joined = try #require(request.allHTTPHeaderFields["X"])
        #expect(joined.utf8.count == 18_890 + 2 * 4999)
    }
}
