import Testing

@testable import WebDocument

/// Pages made to take long or to fill memory.
@Suite(.timeLimit(.minutes(20)))
struct HostileLinksTests {
    @Test func nestedAnchorsTakeLinearTime() throws {
        let svg = String(repeating: "<svg><a href=x>", count: 250) + "t"
        let page = try InspectionPages.page(String(repeating: svg, count: 200))
        #expect(page.links.count == 50_000)
    }

    @Test func manyReferencesOfOneElementTakeLinearTime() throws {
        let attributes = (0..<4_000).map { "a\($0)=b" }.joined(separator: " ")
        let srcset = String(repeating: "x 1x,", count: 50_000)
        let ping = String(repeating: "y ", count: 50_000)
        let page = try InspectionPages.page("<img \(attributes) srcset='\(srcset)'><a href=x ping='\(ping)'>")
        #expect(page.links.count == 100_001)
    }

    @Test func referencesOfOneByteDoNotFillMemory() throws {
        let page = try InspectionPages.page(
            "<a href=x ping='" + String(repeating: "y ", count: 2_000_000) + "'>"
        )
        #expect(page.links.count < 1_000_000)
    }

    @Test func aHugeBaseDoesNotFillMemory() throws {
        let base = String(repeating: "b", count: 1_000_000)
        let page = try InspectionPages.page(
            "<base href='/\(base)/'>" + String(repeating: "<a href=x>", count: 100_000)
        )
        let links = page.links
        #expect(links.count < 200)
        #expect(links.first?.url?.href.utf8.count == 1_000_016)
    }

    @Test func nestedFramesEnd() throws {
        var markup = "<a href=x>"
        for _ in 0..<20 {
            let escaped = markup.replacing("&", with: "&amp;").replacing("'", with: "&#39;")
            markup = "<iframe srcdoc='\(escaped)'></iframe>"
        }
        #expect(try InspectionPages.page(markup).links.isEmpty)
    }

    @Test func unfinishedMarkupOfEveryLengthIsTaken() throws {
        let markup =
            "<a href=x ping='y z' style=\"b:url('c\"><template><svg><a xlink:href=d><iframe srcdoc='<img srcset=\"e 1x'>"
        for length in 0...markup.utf8.count {
            _ = try InspectionPages.page(String(markup.prefix(length))).links
        }
    }
}
