import Testing

@testable import WebTransport

struct LogSecretsTests {
    @Test(
        "Credentials and cookies are left out, whoever says them",
        arguments: [
            ("Authorization: Basic YTpi", "Authorization: Basic ***"),
            ("authorization: bearer x", "authorization: bearer ***"),
            ("Authorization: token", "Authorization: ***"),
            ("Authorization: my own words", "Authorization: ***"),
            ("AUTHORIZATION:Digest a=b", "AUTHORIZATION: Digest ***"),
            ("Proxy-Authorization: Basic YTpi", "Proxy-Authorization: Basic ***"),
            ("Cookie: a=b; c=d", "Cookie: ***"), ("Set-Cookie: a=b; Path=/", "Set-Cookie: ***"),
            ("set-cookie:a=b", "set-cookie: ***"),
            ("h2h3 [authorization: Basic YTpi]", "h2h3 [authorization: Basic ***"),
            ("[HTTP/2] [1] [cookie: a=b]", "[HTTP/2] [1] [cookie: ***"),
            ("Location: https://ann:secret@a.test/x@y", "Location: https://***@a.test/x@y"),
            (
                "Issue another request to this URL: 'http://ann:se@cret@a.test/'",
                "Issue another request to this URL: 'http://***@a.test/'"
            ),
            ("Location: //ann@a.test", "Location: //***@a.test"),
        ]
    )
    func leftOut(line: String, expected: String) {
        #expect(LogSecrets.without(Array(line.utf8)[...]).text == expected)
    }

    @Test(arguments: [
        "GET /cookie HTTP/1.1", "Host: a.test:80", "X-Cookie: a", "From: ann@a.test",
        "Link: <//a.test/x>; a=\"b@c\"", "",
        "//", "a@b", "Cookies: 2", "Trying 127.0.0.1:80...",
    ])
    func asItIs(line: String) {
        let (text, isSecret) = LogSecrets.without(Array(line.utf8)[...])
        #expect(text == line)
        #expect(!isSecret)
    }

    @Test func aLineThatGoesOnWithASecretIsOneToo() {
        #expect(LogSecrets.without(Array(" c=d".utf8)[...], continuesSecret: true) == (" ***", true))
        #expect(LogSecrets.without(Array("X: y".utf8)[...], continuesSecret: true) == ("X: y", false))
    }
}
