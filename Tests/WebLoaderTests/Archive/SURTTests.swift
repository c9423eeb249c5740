import Testing
import WebArchive
import WebStandards

struct SURTTests {
    @Test(arguments: [
        ("http://www.example.com/", "com,example)/"),
        ("https://WWW2.Example.COM:443/Path/../a//b/./c/?B=2&a=1#x", "com,example)/a/b/c?a=1&b=2"),
        ("http://example.com", "com,example)/"),
        ("http://example.com?", "com,example)/"),
        ("http://example.com?x=1", "com,example)/?x=1"),
        ("http://example.com:8080/x/", "com,example:8080)/x"),
        ("https://example.com:80/", "com,example:80)/"),
        ("http://user:secret@example.com/x", "com,example)/x"),
        ("http://[::1]/", "::1)/"),
        ("http://[2001:DB8:0:0::1]:8080/a", "2001:db8::1:8080)/a"),
        ("http://127.0.0.1/", "1,0,0,127)/"),
        ("http://2130706433/", "1,0,0,127)/"),
        ("http://example.com./a", "com,example)/a"),
        ("http://wwwexample.com/", "com,wwwexample)/"),
        ("http://example.com/a b%20c", "com,example)/a%20b%20c"),
        ("http://example.com/%2525252541", "com,example)/a"),
        ("http://example.com/%25", "com,example)/%25"),
        ("http://exämple.com/É?ü", "com,xn--exmple-cua)/%c3%89?%c3%bc"),
        ("http://example.com/?b&a&c=&a=2&a=1", "com,example)/?a&a=1&a=2&b&c="),
        ("http://example.com/?x=1&jsessionid=0123456789abcdef0123456789ABCDEF&y=2", "com,example)/?x=1&y=2"),
        ("http://example.com/?cfid=1&cftoken=2&z=1", "com,example)/?z=1"),
        ("http://example.com/(S(4hqa0555fwsecu455xqckv45))/A.aspx", "com,example)/a.aspx"),
        ("http://http://example.com/x", "com,example)/x"),
        ("http:example.com/x", "com,example)/x"),
        ("www.example.com/foo", "com,example)/foo"),
        ("example.com:443", "com,example:443)/"),
        ("  http://example.com/a\tb\n", "com,example)/ab"),
        ("mailto:Bob@example.com", "mailto:bob@example.com"),
        ("urn:text:http://Example.com/?b&a", "urn:text:http://example.com?a&b"),
        ("dns:www.example.com", "dns:www.example.com"),
        ("filedesc:a b.arc", "filedesc:a%20b.arc"),
        ("http://example.com:x y/", "com,example:x%20y)/"),
        ("", "-"),
        ("http://", "http:/"),
    ])
    func aURLHasTheKeyOfTheIndexesThatExist(url: String, key: String) {
        #expect(SURT.key(of: url) == key)
    }

    @Test func aParsedURLHasTheSameKeyAsWritten() throws {
        let url = try WebURL("HTTP://www.Example.com:80/a%20b?y=2&x=1#f")
        #expect(SURT.key(of: url) == "com,example)/a%20b?x=1&y=2")
    }

    @Test(arguments: [
        ("application/x-www-form-urlencoded", "b=1&a=%41+c", "com,e)/x?__wb_method=post&a=a%20c&b=1"),
        (
            "application/json", #"{"a":[1,2.5,true,null],"b":{"a":"z y"}}"#,
            "com,e)/x?__wb_method=post&a=1&a.2_=2.5&a.3_=true&a.4_=none&a.5_=z+y"
        ),
        ("application/json", "{\"a\":1}\n{\"a\":2}", "com,e)/x?__wb_method=post&a=1&a.2_=2"),
        ("application/json", "{", "com,e)/x?__wb_method=post"),
        ("text/plain", "hello", "com,e)/x?__wb_method=post&__wb_post_data=agvsbg8="),
        ("image/png", "hello", "com,e)/x?__wb_method=post&__wb_post_data=agvsbg8="),
        (
            "multipart/form-data; boundary=b",
            "--b\r\nContent-Disposition: form-data; name=\"n\"\r\n\r\nx y\r\n--b--\r\n",
            "com,e)/x?__wb_method=post&n=x+y"
        ),
    ])
    func aBodyIsPartOfTheKey(type: String, body: String, key: String) {
        let body = Array(body.utf8)
        #expect(SURT.key(of: "http://e.com/x", method: "post", contentType: type, body: body) == key)
    }

    @Test func onlyPOSTAndPUTHaveBodies() {
        let body = Array("a".utf8)
        #expect(SURT.key(of: "http://e.com/", method: "GET", contentType: nil, body: body) == "com,e)/")
    }

    @Test func aLongURLTakesTimeInProportion() {
        let percents = String(repeating: "%25", count: 100_000) + "41"
        #expect(SURT.key(of: "http://e.com/\(percents)?\(percents)").utf8.count < 700_000)
        let names = String(repeating: "sid=cfid=(", count: 20_000)
        #expect(SURT.key(of: "http://e.com/\(names).aspx?\(names)").utf8.count > 400_000)
    }
}
