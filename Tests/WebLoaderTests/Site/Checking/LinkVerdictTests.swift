import Testing
import WebStandards

@testable import WebSite

/// Tests of a link's result, given the known state of its target.
struct LinkVerdictTests {
    private func answer(_ change: (inout TargetAnswer) -> Void) -> TargetAnswer {
        var answer = TargetAnswer()
        change(&answer)
        return answer
    }

    @Test(arguments: [
        (200, CheckedLink.Result.ok), (204, .ok), (206, .ok), (300, .ok), (304, .unknown), (400, .broken),
        (401, .unknown), (402, .broken), (403, .unknown), (404, .broken), (405, .broken), (407, .unknown),
        (408, .unknown), (410, .broken), (418, .broken), (425, .unknown), (429, .unknown), (451, .unknown),
        (499, .broken), (500, .broken), (503, .broken), (599, .broken), (600, .unknown), (999, .unknown),
        (100, .unknown), (301, .unknown),
    ])
    func statusesSay(status: Int, result: CheckedLink.Result) {
        let verdict = LinkVerdict.judge(answer { $0.status = status }, fragment: nil)
        #expect(verdict.result == result)
        #expect(verdict.code == (result == .ok ? nil : "http.\(status)"))
    }

    @Test(arguments: [
        ("network.dns", CheckedLink.Result.broken), ("network.connect", .broken), ("network.lost", .broken),
        ("network.tls", .broken), ("network.tls.certificate.expired", .broken), ("redirect.loop", .broken),
        ("file.not-found", .broken), ("network.timeout", .unknown), ("network.timeout.connect", .unknown),
        ("limit.redirects", .unknown), ("limit.size", .unknown), ("file.permission", .unknown),
        ("what.is-new", .unknown),
    ])
    func failuresSay(code: String, result: CheckedLink.Result) {
        let verdict = LinkVerdict.judge(answer { $0.failure = code }, fragment: nil)
        #expect(verdict.result == result)
        #expect(verdict.code == code)
    }

    @Test func aServerThatWantsToBeLeftAloneForLongIsUnknown() {
        let verdict = LinkVerdict.judge(
            answer {
                $0.status = 503
                $0.isPutOff = true
            },
            fragment: nil
        )
        #expect(verdict.result == .unknown)
    }

    @Test func aMissingFragmentCountsOnlyOnWhatIsThere() {
        let there = LinkVerdict.judge(answer { $0.status = 200 }, fragment: .missing)
        #expect(there.result == .broken)
        #expect(there.code == "fragment.missing")
        #expect(LinkVerdict.judge(answer { $0.status = 404 }, fragment: nil).code == "http.404")
        let skipped = LinkVerdict.judge(answer { $0.skipped = "robots.disallowed" }, fragment: nil)
        #expect(skipped.result == .skipped)
        #expect(skipped.code == "robots.disallowed")
    }
}
