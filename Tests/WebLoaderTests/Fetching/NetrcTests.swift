import Testing

@testable import WebTransport

struct NetrcTests {
    private func find(_ text: String, _ host: String = "a.test", login: String? = nil) -> String? {
        Netrc(Array(text.utf8)).credentials(for: host, login: login).map { "\($0.login):\($0.password)" }
    }

    @Test(
        "A host's name and password are found",
        arguments: [
            ("machine a.test login ann password x", "ann:x"),
            ("machine a.test\n\tlogin ann\r\n password x\n", "ann:x"),
            ("machine a.test password x login ann", "ann:x"),
            ("MACHINE A.Test LOGIN ann PASSWORD x", "ann:x"),
            ("machine b.test login bob password y machine a.test login ann password x", "ann:x"),
            ("machine a.test login ann account bank password x", "ann:x"),
            ("machine a.test login ann account login password x", "ann:x"),
            ("default login any password z", "any:z"),
            ("default login any password z machine a.test login ann", "any:z"),
            ("machine a.test login ann password x\ndefault login any password z", "ann:x"),
            ("machine a.test login ann", "ann:"), ("machine a.test password x", ":x"),
            ("# machine a.test login bob password y\nmachine a.test login ann password x", "ann:x"),
            ("machine a.test login ann # the rest is said\npassword x", "ann:x"),
            ("machine a.test login \"an n\" password \"x\\\"\\\\\\n#y\"", "an n:x\"\\\n#y"),
            (
                "macdef init\nmachine a.test login bob password y\n\nmachine a.test login ann password x",
                "ann:x"
            ),
            ("machine a.test login ann password x macdef init\nlogin bob\n\n", "ann:x"),
            ("login lost password lost machine a.test login ann password x", "ann:x"),
            ("machine a.test login machine password machine", "machine:machine"),
        ]
    )
    func found(text: String, expected: String) {
        #expect(find(text) == expected)
    }

    @Test(arguments: [
        "", "machine", "machine a.test", "machine a.test login", "login ann password x",
        "machine b.test login b password y",
        "machine a.test. login ann password x", "machine sub.a.test login ann password x",
        "machine test login a password b",
        "machine \"a.test login ann password x", "macdef x\nmachine a.test login ann password x", "\0", "\"",
        "machine *.test login ann password x",
    ])
    func notFound(text: String) {
        #expect(find(text) == nil)
    }

    @Test func aNameThatIsGivenPicksItsPassword() {
        let text =
            "machine a.test login ann password x machine a.test login bob password y default login any password z"
        #expect(find(text, login: "bob") == "bob:y")
        #expect(find(text, login: "any") == "any:z")
        #expect(find(text, login: "eve") == nil)
        #expect(find(text, "b.test") == "any:z")
    }
}
