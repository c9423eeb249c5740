import Foundation
import Testing

@testable import WebStandards

/// The web platform tests of the URL standard.
@Suite(.enabled(if: SharedURLData.isPresent, SharedURLData.absence))
struct URLConformanceTests {
    // MARK: urltestdata.json

    struct ParsingCase: Decodable, Sendable, CustomTestStringConvertible {
        let input: String
        let base: String?
        let failure: Bool?
        let relativeTo: String?
        let href: String?
        let origin: String?
        let `protocol`: String?
        let username: String?
        let password: String?
        let host: String?
        let hostname: String?
        let port: String?
        let pathname: String?
        let search: String?
        let searchParams: String?
        let hash: String?

        var testDescription: String { "\(input.debugDescription) against \(base ?? "nothing")" }
    }

    static let parsingCases = SharedURLData.cases("urltestdata.json", as: ParsingCase.self)

    @Test func everyParsingCaseIsRead() {
        #expect(SharedURLData.isCount(Self.parsingCases.count, ofPart: 588))
    }

    @Test(arguments: parsingCases)
    func parses(_ expected: ParsingCase) throws {
        let base = try expected.base.map { base in try WebURL(base) }
        if expected.failure == true {
            #expect(throws: WebURLError.self) { try WebURL(expected.input, base: base) }
            return
        }
        let url = try WebURL(expected.input, base: base)
        #expect(url.href == expected.href)
        if let origin = expected.origin { #expect(url.origin == origin) }
        #expect(url.protocol == expected.protocol)
        #expect(url.username == expected.username)
        #expect(url.password == expected.password)
        #expect(url.hostAndPort == expected.host)
        #expect(url.hostname == expected.hostname)
        #expect(url.port.map { "\($0)" } ?? "" == expected.port)
        #expect(url.pathname == expected.pathname)
        #expect(url.search == expected.search)
        #expect(url.hash == expected.hash)
        if let parameters = expected.searchParams { #expect(url.searchParameters.description == parameters) }
        #expect(try WebURL(url.href).href == url.href)
        if !url.hasOpaquePath {
            #expect(try url.resolving("").components == url.withoutFragment.components)
        }
    }

    @Test(arguments: parsingCases.filter { $0.relativeTo != nil })
    func failsOnlyWithoutABase(_ expected: ParsingCase) throws {
        let bases = expected.relativeTo == "any-base" ? ["about:blank", "http://h/"] : ["http://h/"]
        for base in bases {
            // Some are relative to file only, or to what is not special.
            let candidates = [base, "file:///", "foo://h/"]
            #expect(try candidates.contains { try WebURL($0).canResolve(expected.input) })
        }
    }

    // MARK: toascii.json, IdnaTestV2.json

    struct DomainCase: Decodable, Sendable, CustomTestStringConvertible {
        let input: String
        let output: String?

        var testDescription: String { input.debugDescription }
    }

    /// Returns the cases of a file without the empty domain, which is invalid: "https:///x" is "https://x/".
    static func domainCases(_ file: String) -> [DomainCase] {
        SharedURLData.cases(file, as: DomainCase.self).filter { !$0.input.isEmpty }
    }

    @Test func everyDomainCaseIsRead() {
        #expect(SharedURLData.isCount(Self.domainCases("toascii.json").count, ofPart: 57))
        #expect(SharedURLData.isCount(Self.domainCases("IdnaTestV2.json").count, ofPart: 1794))
    }

    @Test(arguments: domainCases("toascii.json"))
    func convertsDomainToASCII(_ expected: DomainCase) throws {
        try expectDomain(expected)
    }

    @Test(arguments: domainCases("IdnaTestV2.json"))
    func convertsUnicodeTestDomainToASCII(_ expected: DomainCase) throws {
        try expectDomain(expected)
    }

    private func expectDomain(_ expected: DomainCase) throws {
        guard let output = expected.output else {
            #expect(throws: WebURLError.self) { try WebURL("https://\(expected.input)/x") }
            return
        }
        let url = try WebURL("https://\(expected.input)/x")
        #expect(url.hostname == output)
        #expect(url.pathname == "/x")
        var other = try WebURL("https://other/x")
        try? other.setHostname(expected.input)
        #expect(other.hostname == output)
    }

    // MARK: setters_tests.json

    struct SetterCase: Decodable, Sendable, CustomTestStringConvertible {
        let href: String
        let newValue: String
        let expected: [String: String]
        var property = ""

        enum CodingKeys: String, CodingKey {
            case href, expected
            case newValue = "new_value"
        }

        var testDescription: String { "\(property) of \(href) set to \(newValue.debugDescription)" }
    }

    static let setterCases: [SetterCase] = {
        guard let data = try? SharedURLData.data("setters_tests.json"),
            let properties = try? JSONDecoder().decode(
                [String: [SetterCase]].self,
                from: SharedURLData.scalarJSON(data)
            )
        else { return [] }
        return properties.sorted { $0.key < $1.key }.flatMap { property, cases in
            cases.map { setterCase in
                var setterCase = setterCase
                setterCase.property = property
                return setterCase
            }
        }
    }()

    @Test func everySetterCaseIsRead() {
        #expect(SharedURLData.isCount(Self.setterCases.count, ofPart: 173))
    }

    @Test(arguments: setterCases)
    func sets(_ setterCase: SetterCase) throws {
        var url = try WebURL(setterCase.href)
        let value = setterCase.newValue
        switch setterCase.property {
        case "href": try url.setHref(value)
        case "protocol": try? url.setProtocol(value)
        case "username": try? url.setUsername(value)
        case "password": try? url.setPassword(value)
        case "host": try? url.setHost(value)
        case "hostname": try? url.setHostname(value)
        case "port": try? url.setPort(value)
        case "pathname": try? url.setPathname(value)
        case "search": try? url.setSearch(value)
        case "hash": try? url.setHash(value)
        default: Issue.record("unknown property \(setterCase.property)")
        }
        for (property, expected) in setterCase.expected {
            #expect(url.apiProperty(property) == expected, "\(property)")
        }
        #expect(try WebURL(url.href).components == url.components)
    }
}

extension WebURL {
    /// The property of the standard's API.
    fileprivate func apiProperty(_ name: String) -> String? {
        switch name {
        case "href": href
        case "protocol": self.protocol
        case "username": username
        case "password": password
        case "host": hostAndPort
        case "hostname": hostname
        case "port": port.map { "\($0)" } ?? ""
        case "pathname": pathname
        case "search": search
        case "hash": hash
        default: nil
        }
    }

    fileprivate func canResolve(_ reference: String) -> Bool {
        (try? resolving(reference)) != nil
    }
}
