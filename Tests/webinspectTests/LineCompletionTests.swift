import Testing

@testable import webinspect

/// Tests of the completion of a line by Tab.
struct LineCompletionTests {
    private static let commands = ["text", "title", "time", "url", "tiefe", "名前", "名字"]

    @Test(arguments: [
        ("tit", "le "), ("title", " "), ("u", "rl "), ("t", ""), ("ti", ""), ("tim", "e "), ("x", ""),
        ("help tit", "le "), ("help  u", "rl "), ("名", ""), ("名前", " "), ("help ", ""), ("", ""),
    ])
    func `what is certain is inserted`(line: String, insertion: String) {
        let completion = LineCompletion(line: line, candidates: Self.commands, width: 80)
        #expect(completion.insertion == insertion)
    }

    @Test func `what all have in common is inserted`() {
        let names = ["follow-first", "follow-last"]
        let completion = LineCompletion(line: "fo", candidates: names, width: 80)
        #expect(completion == LineCompletion(line: "fo", candidates: names + names, width: 80))
        #expect(completion.insertion == "llow-")
        #expect(completion.listing == "")
    }

    @Test func `what there is to choose from is shown in columns`() {
        let wide = LineCompletion(line: "ti", candidates: Self.commands, width: 80)
        #expect(wide.listing == "tiefe  time   title\n")
        let narrow = LineCompletion(line: "ti", candidates: Self.commands, width: 13)
        #expect(narrow.listing == "tiefe  title\ntime\n")
        let one = LineCompletion(line: "ti", candidates: Self.commands, width: 5)
        #expect(one.listing == "tie…\ntime\ntit…\n")
    }

    @Test func `what would steer a terminal is no candidate`() {
        let candidates = ["a\u{1B}[A", "a\nquit", "a\u{85}", "a\u{202E}"]
        let completion = LineCompletion(line: "a", candidates: candidates, width: 80)
        #expect(completion.insertion == "")
        #expect(completion.listing == "")
    }

    @Test func `not all of very many candidates are shown`() {
        let many = (0..<1000).map { "\($0)" }
        let completion = LineCompletion(line: "", candidates: many, width: 20)
        #expect(completion.listing.hasSuffix("\n… and 800 more\n"))
    }
}
