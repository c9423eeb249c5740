import Testing

@testable import WebStandards

struct URLSearchParametersTests {
    private typealias Entry = URLSearchParameters.Entry

    @Test func parsesWhatFormsWrite() {
        let parameters = URLSearchParameters(parsing: "?a=b&&c&=d&e=f=g&h+%2B=%C3%A4%zz&i=%FF")
        #expect(
            parameters.entries == [
                Entry(name: "a", value: "b"),
                Entry(name: "c", value: ""),
                Entry(name: "", value: "d"),
                Entry(name: "e", value: "f=g"),
                Entry(name: "h +", value: "ä%zz"),
                Entry(name: "i", value: "\u{FFFD}"),
            ]
        )
    }

    @Test func serializesWhatFormsRead() {
        let parameters = URLSearchParameters([
            Entry(name: "a b", value: "*-._~"), Entry(name: "ä", value: "&=+%"), Entry(name: "", value: ""),
        ])
        #expect(parameters.description == "a+b=*-._%7E&%C3%A4=%26%3D%2B%25&=")
        #expect(URLSearchParameters(parsing: parameters.description) == parameters)
    }

    @Test func findsAndChangesEntries() {
        var parameters = URLSearchParameters(parsing: "a=1&b=2&a=3")
        #expect(parameters.value(of: "a") == "1")
        #expect(parameters.value(of: "c") == nil)
        #expect(parameters.values(of: "a") == ["1", "3"])
        #expect(parameters.contains("a", value: "3"))
        #expect(!parameters.contains("a", value: "2"))
        parameters.set("a", "4")
        #expect(parameters.description == "a=4&b=2")
        parameters.set("c", "5")
        parameters.append("c", "6")
        parameters.remove("c", value: "5")
        parameters.remove("b")
        #expect(parameters.description == "a=4&c=6")
    }

    @Test func sortsByCodeUnitsAndKeepsOrder() {
        var parameters = URLSearchParameters(parsing: "z=1&\u{FB03}=2&\u{1F308}=3&a=4&z=0&a=3")
        parameters.sort()
        #expect(parameters.entries.map(\.value) == ["4", "3", "1", "0", "3", "2"])
    }
}
