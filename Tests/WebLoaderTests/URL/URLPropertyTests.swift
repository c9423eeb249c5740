import TestSupport
import Testing

@testable import WebStandards

/// Tests of properties of every URL: it agrees with its text, against any base, and still does after changes.
struct URLPropertyTests {
    private static let seeds = PropertySeeds.first(40)
    private static let urlsPerSeed = 400

    /// Runs `check` over the URLs that a seed's texts make, alone or against a base.
    private func forEach(_ seed: Int, _ check: (WebURL, String, inout SeededSequence) throws -> Void) throws {
        var random = SeededSequence(seed)
        var base = WebURL.aboutBlank
        var count = 0
        for _ in 0..<Self.urlsPerSeed {
            let text = URLText.url(&random)
            let against = random.one(of: 2) ? base : nil
            guard let url = try? against.map({ try WebURL(text, base: $0) }) ?? WebURL(text) else { continue }
            count += 1
            try check(url, "\"\(text)\" against \(against?.href ?? "nothing")", &random)
            if random.one(of: 2) { base = url }
        }
        // Texts that are not URLs test nothing.
        #expect(count > Self.urlsPerSeed / 4, "seed \(seed)")
    }

    @Test(arguments: seeds)
    func readsWhatItHasWritten(seed: Int) throws {
        try forEach(seed) { url, text, _ in
            let again = try WebURL(url.href)
            #expect(again.components == url.components, "seed \(seed), \(text)")
            #expect(again == url)
            #expect(again.hashValue == url.hashValue)
            #expect(url.href.utf8.allSatisfy { 0x20...0x7E ~= $0 }, "seed \(seed), \(text): \(url.href)")
        }
    }

    @Test(arguments: seeds)
    func anAbsoluteURLIsItselfAgainstWhateverBase(seed: Int) throws {
        var bases: [WebURL] = []
        try forEach(seed) { url, text, random in
            bases.append(url)
            let base = random.pick(bases)
            let again = try WebURL(url.href, base: base)
            #expect(
                again.components == url.components,
                "seed \(seed), \(text), \(base)"
            )
        }
    }

    /// An empty reference is the base without its fragment, and a fragment changes nothing else.
    @Test(arguments: seeds)
    func fragmentsAndNothingLeaveTheRest(seed: Int) throws {
        try forEach(seed) { url, text, _ in
            let fragment = try WebURL("#f", base: url)
            #expect(fragment.fragment == "f")
            #expect(fragment.withoutFragment.href == url.withoutFragment.href, "seed \(seed), \(text)")
            guard !url.hasOpaquePath else { return }
            #expect(try WebURL("", base: url).href == url.withoutFragment.href, "seed \(seed), \(text)")
        }
    }

    @Test(arguments: seeds)
    func settersLeaveWhatReadsAsItself(seed: Int) throws {
        try forEach(seed) { url, text, random in
            var url = url
            var changes = ""
            for _ in 0..<3 {
                let (name, value) = Self.change(&url, &random)
                changes += ".\(name) = \"\(value)\""
                // Two exceptions, both the standard's: what becomes a "file" keeps its host "localhost" and a path that
                // begins as "/C|" does, of which the parser makes no host and "/C:".
                if name == "protocol", url.scheme == "file",
                    url.hostname == "localhost" || url.path.dropFirst(2).first == "|"
                {
                    return
                }
                guard let again = try? WebURL(url.href) else {
                    Issue.record("seed \(seed), \(text)\(changes): \(url.href) is no URL")
                    return
                }
                #expect(again.components == url.components, "seed \(seed), \(text)\(changes)")
            }
        }
    }

    /// Sets one of the components to what may or may not be one.
    private static func change(_ url: inout WebURL, _ random: inout SeededSequence) -> (String, String) {
        func set(_ name: String, _ value: String, _ body: (inout WebURL, String) -> Void) -> (String, String)
        {
            body(&url, value)
            return (name, value)
        }
        switch random.next(9) {
        case 0:
            return set("protocol", URLText.scheme(&random) + random.pick(["", ":"])) {
                try? $0.setProtocol($1)
            }
        case 1: return set("username", URLText.segment(&random)) { try? $0.setUsername($1) }
        case 2: return set("password", URLText.segment(&random)) { try? $0.setPassword($1) }
        case 3: return set("host", URLText.host(&random) + URLText.port(&random)) { try? $0.setHost($1) }
        case 4: return set("hostname", URLText.host(&random)) { try? $0.setHostname($1) }
        case 5:
            return set("port", random.pick(["", "0", "80", "443", "8080x", "65536", "x", " 1"])) {
                try? $0.setPort($1)
            }
        case 6: return set("pathname", URLText.path(&random)) { try? $0.setPathname($1) }
        case 7:
            return set("search", random.pick(["", "?", "a=b", "?ä#", "' \"<>"])) { try? $0.setSearch($1) }
        default: return set("hash", random.pick(["", "#", "a", "# `", "ä\t"])) { try? $0.setHash($1) }
        }
    }
}

/// Texts that look like URLs.
enum URLText {
    static func url(_ random: inout SeededSequence) -> String {
        var text = random.one(of: 12) ? random.pick([" ", "\u{1F}", "\t "]) : ""
        if !random.one(of: 4) { text += scheme(&random) + ":" }
        if !random.one(of: 4) {
            text += random.pick(["//", "//", "//", "///", "/", "\\\\", "/\\", "////"])
            if random.one(of: 4) {
                text += random.pick(["u@", "u:p@", ":@", "@", "ä:%41@", "a@b@", "u:p:q@", "/@"])
            }
            text += host(&random) + port(&random)
        }
        text += path(&random)
        if random.one(of: 3) {
            text += "?" + segment(&random) + random.pick(["", "=", "&a=b", "'", "?", "\"<>"])
        }
        if random.one(of: 3) { text += "#" + segment(&random) + random.pick(["", "#", "?", "`", " "]) }
        if random.one(of: 10) {
            // Something in the midst of it.
            let index = text.index(text.startIndex, offsetBy: random.next(text.count + 1))
            text.insert(
                contentsOf: random.pick(["\t", "\n", "%", "\\", ":", "/", "@", "#", "\u{0}", "😀"]),
                at: index
            )
        }
        return text + (random.one(of: 12) ? random.pick([" ", "\n", "\u{0}"]) : "")
    }

    static func scheme(_ random: inout SeededSequence) -> String {
        random.pick([
            "http", "http", "https", "HTTP", "ws", "wss", "ftp", "file", "file", "mailto", "data",
            "javascript", "x",
            "a+b.-1", "blob", "", "1x", "h\tttp", "non-special",
        ])
    }

    static func host(_ random: inout SeededSequence) -> String {
        random.pick([
            "example.com", "EXAMPLE.com", "ex%41mple.com", "192.168.0.1", "0x7f.1", "0300.1", "256",
            "4294967295",
            "4294967296", "1.2.3.4.5", "1.2.3", "0x", "[::1]", "[1:2::3.4.5.6]", "[fe80::1%25]", "[::",
            "[1:0:0:2::]",
            "[0:0:0:0:0:0:0:0]", "münchen.de", "faß.de", "xn--mnchen-3ya.de", "xn--", "☃", "", "", ".",
            "a..b", "a.", "a b",
            "%zz", "a%00b", "１２７.0.0.1", "a_b", "C:", "C|", "localhost", "-", "a<b", "%2e", "ＧＯ.com",
            "a\u{AD}b", "😀",
        ])
    }

    static func port(_ random: inout SeededSequence) -> String {
        random.one(of: 3)
            ? random.pick([":", ":80", ":443", ":21", ":0", ":65535", ":65536", ":8a", ":00080", ":8\t0"])
            : ""
    }

    static func path(_ random: inout SeededSequence) -> String {
        let segments = random.list(random.next(5)) { segment(&$0) }
        return random.pick(["/", "/", "/", "", "//", "\\", "/."])
            + segments.joined(separator: random.pick(["/", "/", "/", "\\", "//"]))
    }

    static func segment(_ random: inout SeededSequence) -> String {
        random.pick([
            "", "a", "b", ".", "..", "%2e", "%2E%2e", ".%2E", "C:", "C|", "c:", "a b", "ä", "\t", "\n", "%",
            "%41", "%zz", "\u{FFFD}",
            ";p=1", "'", "\"", "<>", "^", "`{}|", "a:b", "@", "[", "]", "😀", "\u{7F}", "\u{80}", "a?", " ",
            "...", "\u{FFFE}",
        ])
    }
}
