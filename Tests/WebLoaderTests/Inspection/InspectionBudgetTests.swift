import Testing

@testable import WebDocument
@testable import WebLoader

@Suite struct InspectionBudgetTests {
    @Test func unitsAreThereOnce() {
        let budget = InspectionBudget(units: 100)
        #expect(budget.spend(60))
        #expect(budget.rest == 40)
        #expect(!budget.isExhausted)
        #expect(!budget.spend(41))
        #expect(!budget.spend(1))
        #expect(budget.isExhausted)
        #expect(budget.rest == 0)
    }

    @Test func timeUsesABudgetUp() {
        let budget = InspectionBudget(units: 1 << 30, seconds: 0)
        var spent = 0
        while budget.spend(1000), spent < 1_000_000 { spent += 1000 }
        #expect(spent < 1_000_000)
        #expect(budget.interruption == .time)
    }

    @Test func aCancelledTaskUsesABudgetUp() async {
        let task = Task {
            unsafe withUnsafeCurrentTask { unsafe $0?.cancel() }
            let budget = InspectionBudget(units: 1 << 30)
            var spent = 0
            while budget.spend(1000), spent < 1_000_000 { spent += 1000 }
            return (spent, budget.interruption)
        }
        let (spent, interruption) = await task.value
        #expect(spent < 1_000_000)
        #expect(interruption == .cancelled)
    }

    /// A text under so many names is written so often, and counted as often.
    @Test(
        arguments: [
            "<div itemscope><b itemprop='\(names("a"))'>",
            "<div itemscope><b itemprop='\(names("a"))' content='y'>",
            "<div property='\(names("og:a"))'>", "<div inlist property='\(names("og:a"))'>",
        ]
    )
    func oneTextUnderManyNamesIsCountedForEach(start: String) async throws {
        let page = try await page(start + String(repeating: "x", count: 500_000))
        let data = page.structuredData
        #expect(data.isTruncated)
        #expect(page.inspectionLimits.map(\.code) == [.inspection])
        let kept =
            data.microdata.reduce(0) { $0 + $1.properties.count }
            + data.rdfa.reduce(0) { $0 + $1.properties.count }
        #expect(kept < 60)
    }

    private static func names(_ prefix: String) -> String {
        (0..<1000).map { "\(prefix)\($0)" }.joined(separator: " ")
    }

    @Test func honestPagesMeetNoLimit() async throws {
        let item = "<h2><a href='/a?b=c'>A title</a></h2><p>Some words.<img src=a.png alt=b width=1 height=2>"
        let page = try await page(String(repeating: item, count: 5000))
        page.shareAllowance()
        #expect(page.links.count == 10_000)
        #expect(page.inventory.images.count == 5000)
        _ = (page.structuredData, page.metadata)
        _ = page.findings
        #expect(page.inspectionLimits == [])
    }

    @Test func aReportsPartsShareOneBudget() async throws {
        let base = String(repeating: "b", count: 200_000)
        let text = "<base href='http://h/\(base)/'>" + String(repeating: "<img src=a>", count: 1000)
        let page = try await page(text)
        let alone = page.images.count { $0.url != nil }
        let shared = ParsedPage(treeOf: page)
        shared.shareAllowance()
        _ = shared.links
        let together = shared.images.count { $0.url != nil }
        #expect(alone > together)
        #expect(shared.inspectionLimits.map(\.code) == [.inspection])
    }

    @Test func whatACancelledTaskGathersIsNotKept() async throws {
        let page = try await page(String(repeating: "<h1><a href=a>b</a></h1>", count: 30_000))
        let counts = await Task {
            unsafe withUnsafeCurrentTask { unsafe $0?.cancel() }
            return [
                page.links.count, page.headings.count, page.structuredData.jsonLD.count,
                page.metadata.titles.count, page.tables.count, page.findings.findings.count,
            ]
        }.value
        #expect(counts.allSatisfy { $0 < 30_000 })
        #expect(page.links.count == 30_000)
        #expect(page.headings.count == 30_000)
        #expect(page.inspectionLimits == [])
    }

    @Test func whatWasGatheredIsKept() async throws {
        let page = try await page("<title>T</title><h1>x</h1><a href=a>b</a><p>text")
        #expect(page.source == page.source)
        let links = page.links
        let isSame = unsafe page.links.withUnsafeBufferPointer { again in
            unsafe links.withUnsafeBufferPointer { unsafe $0.baseAddress == again.baseAddress }
        }
        #expect(isSame)
        let fromBoth = page.structuredData
        #expect(page.structuredData == fromBoth)
        #expect(page.metadata == ParsedPage(treeOf: page).metadata)
    }

    private func page(_ text: String) async throws -> ParsedPage {
        try await PageLoader.offline().loadHTMLString(text, baseURL: try WebURL("http://h/")).parsed()
    }
}
