import Testing
import WebStandards

@testable import WebSite

/// Tests of the stored answer of a target, and of its results for fragments.
struct TargetAnswerTests {
    private static func page(_ names: [String], text: String? = nil) -> TargetAnswer {
        var answer = TargetAnswer()
        answer.status = 200
        answer.content = .page(
            names: names.map { TargetAnswer.hash($0) }.sorted(),
            text: text.map { Array($0.utf8) }
        )
        return answer
    }

    private static let answers: [TargetAnswer] = {
        var redirected = TargetAnswer()
        redirected.status = 404
        redirected.origin = .network
        redirected.redirects = [
            LinkRedirect(url: "http://h.test/a", status: 301),
            LinkRedirect(url: "http://h.test/b", status: 302),
        ]
        redirected.redirectFragment = "c"
        var failed = TargetAnswer()
        failed.failure = "network.dns"
        var skipped = TargetAnswer()
        skipped.skipped = "robots.disallowed"
        skipped.isPutOff = true
        var other = TargetAnswer()
        other.content = .other
        return [
            TargetAnswer(), redirected, failed, skipped, other, page([]), page(["a", "b"], text: "words"),
        ]
    }()

    @Test func itIsReadAsItWasKept() {
        for answer in Self.answers { #expect(TargetAnswer(encoded: answer.encoded) == answer) }
    }

    @Test func damageIsNoAnswer() {
        #expect(TargetAnswer(encoded: nil) == nil)
        #expect(TargetAnswer(encoded: []) == nil)
        #expect(TargetAnswer(encoded: CheckProgress().encoded) == nil)
        for answer in Self.answers {
            for length in 0..<answer.encoded.count {
                // Reading a part of it does not trap, whatever the result.
                _ = TargetAnswer(encoded: Array(answer.encoded.prefix(length)))
            }
        }
        #expect(TargetAnswer(encoded: [1, 0, 0, 0, 0, 0xFF, 0xFF, 0xFF, 0xFF, 0x7F]) == nil)
    }

    @Test("What an earlier version kept ends before the fragment of a redirect")
    func earlierVersions() {
        for var answer in Self.answers {
            answer.redirectFragment = nil
            #expect(TargetAnswer(encoded: answer.encoded.dropLast()) == answer)
        }
        var progress = CheckProgress()
        progress.url = "http://h.test/b"
        #expect(CheckProgress(encoded: progress.encoded.dropLast()) == progress)
    }

    @Test("A redirect's fragment counts in place of the link's")
    func fragmentOfARedirect() {
        var page = Self.page(["here"])
        page.redirectFragment = "here"
        #expect(page.result(of: "gone") == .ok)
        #expect(page.result(of: nil) == nil)
        page.redirectFragment = "gone"
        #expect(page.result(of: "here") == .missing)
    }

    @Test func progressIsReadAsItWasKept() {
        var progress = CheckProgress()
        progress.url = "http://h.test/b"
        progress.isGet = true
        progress.need = .text
        progress.redirects = [LinkRedirect(url: "http://h.test/a", status: 308)]
        progress.fragment = "c"
        #expect(CheckProgress(encoded: progress.encoded) == progress)
        #expect(CheckProgress(encoded: nil) == CheckProgress())
    }

    @Test(arguments: [
        ("one", CheckedLink.FragmentResult.ok), ("One", .missing), ("", .ok), ("top", .ok), ("TOP", .ok),
        ("caf%C3%A9", .ok), ("a%20b", .ok), ("caf", .missing), ("%6Fne", .ok), ("%", .missing),
        ("p%25q", .ok), ("p%q", .ok),
    ])
    func namesAreLookedForAsTheStandardHasIt(fragment: String, result: CheckedLink.FragmentResult) {
        let page = Self.page(["one", "café", "a b", "p%q"])
        #expect(page.result(of: fragment) == result)
    }

    @Test func fragmentsOfOtherThingsAreUnknown() {
        var answer = TargetAnswer()
        answer.content = .other
        #expect(answer.result(of: "x") == nil)
        #expect(Self.page(["x"]).result(of: nil) == nil)
    }

    @Test(arguments: [
        ("a", "ok ok"), ("a&text=b", "ok ok"), ("c&text=b", "ok ok"), ("c", "missing ok"),
        ("c&text=d", "missing ok"),
        ("c,d", "missing ok"), ("a,b", "ok ok"), ("a-,b", "ok ok"), ("c-,b", "missing ok"), ("a,-b", "ok ok"),
    ])
    func `words lead to them, or where the rest of the fragment leads`(_ words: String, _ expected: String) {
        let page = Self.page(["x"], text: "a b")
        let strict =
            page.result(of: ":~:text=\(words)", needsTexts: true).map(String.init(describing:)) ?? "-"
        let plain = page.result(of: "x:~:text=\(words)").map(String.init(describing:)) ?? "-"
        #expect("\(strict) \(plain)" == expected)
        #expect(page.result(of: ":~:text=\(words)") == .ok)
        #expect(
            page.result(of: "x:~:text=\(words)", needsTexts: true) == page.result(of: "y:~:text=\(words)")
        )
    }

    @Test func wordsThatWereNotKeptAreAskedForAgain() {
        let page = Self.page(["x"])
        #expect(page.satisfies(.names))
        #expect(!page.satisfies(.text))
        #expect(page.result(of: "y:~:text=a") == nil)
        #expect(page.result(of: ":~:text=a", needsTexts: true) == nil)
        var unread = TargetAnswer()
        unread.status = 200
        #expect(unread.satisfies(.existence))
        #expect(!unread.satisfies(.names))
        unread.status = 404
        #expect(unread.satisfies(.text))
    }

    @Test func goingRoundIsNoticedAtTheThirdTime() {
        var progress = CheckProgress()
        let redirect = LinkRedirect(url: "http://h.test/", status: 302)
        #expect(!progress.isLoop(to: redirect.url))
        progress.redirects = [redirect]
        #expect(!progress.isLoop(to: redirect.url))
        progress.redirects = [redirect, redirect]
        #expect(progress.isLoop(to: redirect.url))
    }
}

extension TargetAnswer {
    fileprivate func result(of fragment: String?, needsTexts: Bool = false) -> CheckedLink.FragmentResult? {
        var steps = 1_000_000
        return result(of: fragment, needsTexts: needsTexts, steps: &steps)
    }
}
