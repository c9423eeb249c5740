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
        let data = try page.structuredData
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
        #expect(try page.links.count == 10_000)
        #expect(try page.inventory.images.count == 5000)
        _ = try page.metadataAndStructuredData
        _ = try page.findings
        #expect(page.inspectionLimits == [])
    }

    @Test func aReportsPartsShareOneBudget() async throws {
        let base = String(repeating: "b", count: 200_000)
        let text = "<base href='http://h/\(base)/'>" + String(repeating: "<img src=a>", count: 1000)
        let page = try await page(text)
        let alone = try page.images.count { $0.url != nil }
        page.shareAllowance()
        _ = try page.links
        let together = try page.images.count { $0.url != nil }
        #expect(alone > together)
        #expect(page.inspectionLimits.map(\.code) == [.inspection])
    }

    @Test func inspectionsOfACancelledTaskAreCancelled() async throws {
        let page = try await page(String(repeating: "<h1><a href=a>b</a></h1>", count: 30_000))
        let codes: [ParsingError.Code?] = await Task {
            unsafe withUnsafeCurrentTask { unsafe $0?.cancel() }
            return [
                code { () throws(ParsingError) in _ = try page.links },
                code { () throws(ParsingError) in _ = try page.inventory },
                code { () throws(ParsingError) in _ = try page.structuredData },
                code { () throws(ParsingError) in _ = try page.metadata },
            ]
        }.value
        #expect(codes == [ParsingError.Code?](repeating: .cancelled, count: 4))
        #expect(try page.links.count == 30_000)
    }

    private func page(_ text: String) async throws -> Page {
        try await PageLoader.offline().loadHTMLString(text, baseURL: try WebURL("http://h/"))
    }
}

private func code(_ body: () throws(ParsingError) -> Void) -> ParsingError.Code? {
    do throws(ParsingError) {
        try body()
        return nil
    } catch {
        return error.code
    }
}
