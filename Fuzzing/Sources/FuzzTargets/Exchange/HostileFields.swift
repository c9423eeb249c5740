import HTTPTypes

@testable import WebLoader

/// Values of all the fields that caching, cookies, ranges, retries, content codings and redirects read, as an attacker
/// would send them.
struct HostileFields {
    let source: ByteSource
    /// The moment to which dates are relative, in milliseconds since 1970.
    let now: Int64
    /// The number of the response that has the fields.
    let serial: Int

    static let names = [
        "Cache-Control", "Age", "Date", "Expires", "ETag", "Last-Modified", "Vary", "Content-Range",
        "Content-Length", "Content-Encoding", "Transfer-Encoding", "Content-Type", "Location", "Retry-After",
        "Pragma", "Content-Location", "Content-Language", "Connection", "Link", "Trailer", "Accept-Ranges",
        "Content-Security-Policy", "WWW-Authenticate", "Clear-Site-Data", "X-Other",
    ]

    private static let numbers = [
        "0", "1", "5", "60", "100", "3600", "86400", "31536000", "31536001", "2147483647", "2147483648",
        "4294967296", "9007199254740993", "9223372036854775", "9223372036854775807", "9223372036854775808",
        "18446744073709551615", "99999999999999999999999999", "-1", "-9223372036854775808", "-2147483649",
        "+1",
        "010", "1.5", "1e9", "0x10", "\"60\"", "", " 7 ", "nan", "inf", "\u{661}", "60;60", "1,2",
    ]

    private static let dates = [
        "Thu, 01 Jan 1970 00:00:00 GMT", "Fri, 31 Dec 9999 23:59:59 GMT", "Sat, 01 Jan 0000 00:00:00 GMT",
        "Mon, 01 Jan 10000 00:00:00 GMT", "Sun, 06 Nov 1994 08:49:37 GMT", "Sunday, 06-Nov-94 08:49:37 GMT",
        "Sun Nov  6 08:49:37 1994", "Sun, 31 Feb 2023 00:00:00 GMT", "Sun, 06 Nov 1994 24:60:60 GMT", "0",
        "-1",
        "", "Tue, 19 Jan 2038 03:14:08 GMT", "Sun, 06 Nov 2147483648 08:49:37 GMT",
        "Sunday, 31-Dec-99 23:59:59 GMT",
        "Sun, 06 Nov 9223372036854775807 08:49:37 GMT",
    ]

    private static let distances: [Int64] = [
        0, 1, 5, 60, 3600, 86_400, 31_536_000, -1, -5, -60, -3600, -86_400, -31_536_000, -3_000_000_000,
    ]

    func number() -> String {
        source.isOne(of: 5)
            ? String(decoding: source.text(source.number(below: 4)), as: UTF8.self)
            : source.pick(Self.numbers)
    }

    func date() -> String {
        guard !source.isOne(of: 3) else { return source.pick(Self.dates) }
        return HTTPDate(secondsSince1970: now / 1000 + source.pick(Self.distances)).description
    }

    /// A value for a field, without line ends.
    func value(_ name: String) -> String {
        if source.isOne(of: 16) { return raw() }
        switch name {
        case "Cache-Control": return list { directive() }
        case "Age", "Content-Length": return number()
        case "Date", "Expires", "Last-Modified": return date()
        case "Retry-After": return source.isOne(of: 2) ? date() : number()
        case "ETag":
            return source.pick(["\"v\"", "W/\"v\"", "\"w\"", "\"\"", "v", "\"a\", \"b\"", "*", "\"\u{e9}\""])
        case "Vary":
            return source.pick([
                "X-A", "x-a, Cookie", "*", "Accept-Language", "X-A, X-A,,", "Authorization", "Range", " ",
            ])
        case "Content-Range": return contentRange()
        case "Content-Encoding":
            return source.pick([
                "gzip", "identity", "br", "deflate", "zstd", "gzip, gzip", "utf-8",
                "gzip, br, gzip, br, gzip, br",
            ])
        case "Transfer-Encoding": return source.pick(["chunked", "gzip, chunked", "identity", ""])
        case "Content-Type":
            return source.pick([
                "text/html", "application/xml", "text/plain; charset=utf-16", "image/png", "*/*",
            ])
        case "Location": return location()
        case "Pragma": return source.pick(["no-cache", "no-cache, x"])
        case "Content-Location": return source.pick(["/a", "/b", "http://b.test/a", "::"])
        case "Content-Language": return source.pick(["en", "de", "en, de"])
        case "Connection": return source.pick(["close", "Cache-Control, ETag", "Date, Age"])
        case "Link": return "</a>; rel=\"\(source.pick(["next", "preload", "canonical"]))\""
        default: return number()
        }
    }

    /// Arbitrary text without line ends.
    func raw() -> String {
        let bytes = source.text(source.number(below: 24)).map {
            $0 == 0x0A || $0 == 0x0D || $0 == 0 ? 0x20 : $0
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    private func list(_ element: () -> String) -> String {
        (0...source.number(below: 4)).map { _ in element() }.joined(
            separator: source.pick([", ", ",", " ,, "])
        )
    }

    func directive() -> String {
        let name = source.pick([
            "max-age", "no-store", "no-cache", "must-revalidate", "private", "public", "immutable",
            "stale-while-revalidate", "stale-if-error", "s-maxage", "must-understand",
            "no-cache=\"Set-Cookie, ETag\"",
            "private=\"x\"", "no-transform", "proxy-revalidate", "x=\"a, no-store\"", "max-age=\"",
        ])
        switch name {
        case "max-age", "stale-while-revalidate", "stale-if-error", "s-maxage": return "\(name)=\(number())"
        default: return name
        }
    }

    private func contentRange() -> String {
        source.isOne(of: 4)
            ? source.pick([
                "bytes */100", "bytes 5-1/10", "items 0-1/2", "bytes 0-9223372036854775807/*", "bytes */*",
            ])
            : "\(source.pick(["bytes", "BYTES"])) \(number())-\(number())/\(source.isOne(of: 3) ? "*" : number())"
    }

    func location() -> String {
        switch source.number(below: 8) {
        case 0, 1: return source.pick(["/", "/a", "/b", "/c", "/d", "a", "?q", "#f", "", "/a#g"])
        case 2, 3: return source.pick(HistoryURL.origins) + source.pick(HistoryURL.paths)
        case 4:
            return source.pick([
                "//b.test/a", "http:a", "https:///a.test/b", "http://u:p@a.test/a", "http://a.test/a#x#y",
            ])
        case 5:
            return source.pick([
                "file:///etc/passwd", "data:text/html,x", "about:blank", "javascript:1", "ftp://a.test/",
            ])
        case 6:
            return source.pick([
                "http://[", "http://a.test:99999/", "http://%00/", "http://a b/", "///", "\\\\b.test\\a",
            ])
        default: return raw()
        }
    }

    // MARK: - Searched values

    /// A Strict-Transport-Security field.
    func strictTransportSecurity() -> String {
        "max-age=\(source.isOne(of: 3) ? number() : source.pick(["31536000", "60", "0", "86400"]))"
            + source.pick(["", "; includeSubDomains", ";", "; max-age=1", "; x=\"", "; preload"])
    }

    /// A Set-Cookie field with a cookie of unique value, and the facts about the cookie.
    func cookie(_ number: Int, from url: WebURL) -> (field: String, cookie: SentCookie) {
        let value = "k\(serial)x\(number)"
        var cookie = SentCookie(value: value, host: url.hostname)
        let name = source.pick(["a", "b", "session", "__Host-a", "__Secure-a", "", "A"])
        var field = "\(name)=\(value)"
        for _ in 0..<source.number(below: 5) {
            field += source.pick(["; ", ";", " ; "])
            switch source.number(below: 8) {
            case 0:
                field += source.pick(["Secure", "secure", "SECURE=1"])
                cookie.isSecure = true
            case 1:
                let domain = source.pick([
                    "a.test", ".a.test", "test", "b.test", "sub.a.test", "127.0.0.1", "a.test.", "", "1",
                    "com",
                ])
                field += "Domain=\(domain)"
                cookie.hasDomain = true
            case 2:
                let path = source.pick(["/", "/a", "/a/", "a", "", "/\u{e9}", "/a/b/c"])
                field += "Path=\(path)"
                cookie.paths.append(path)
            case 3: field += "Max-Age=\(self.number())"
            case 4: field += "Expires=\(date())"
            case 5: field += source.pick(["HttpOnly", "SameSite=None", "SameSite=Strict", "Partitioned"])
            case 6:
                field += raw()
                cookie.isOdd = true
            default: field += "Max-Age=3600"
            }
        }
        return (field, cookie)
    }
}

/// The facts about a cookie that was sent.
struct SentCookie {
    let value: String
    let host: String
    var isSecure = false
    var hasDomain = false
    /// Whether it has attributes of unknown meaning.
    var isOdd = false
    /// All its Path attributes.
    var paths: [String] = []

    /// Continues the field: its last attribute then has another value, or another name.
    mutating func goOn(after field: String, with more: String) {
        isOdd = true
        let attributes = (field + more).split(separator: ";").dropFirst()
        isSecure =
            isSecure
            && attributes.contains {
                $0.prefix { $0 != "=" }.lowercased().trimmingHTTPWhitespace == "secure"
            }
    }
}
