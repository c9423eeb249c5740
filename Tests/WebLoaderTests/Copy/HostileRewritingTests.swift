import Testing
import WebDocument
import WebStandards

@testable import WebCopy

/// Pages made to take long, to fill memory, or to get something past the rewriting.
@Suite(.timeLimit(.minutes(10)))
struct HostileRewritingTests {
    private static func copy(_ html: String) throws -> (rewriter: PageRewriter, copy: Rewritten) {
        let page = try ParsedPage(html: html, baseURL: WebURL("http://h.test/"))
        let rewriter = try PageRewriter(page)
        return (rewriter, rewriter.rewritten { $0.isRequisite ? .url("data:,") : .absolute })
    }

    @Test func manyCandidatesTakeLinearTime() throws {
        let srcset = String(repeating: "x 1x,", count: 200_000)
        let (rewriter, copy) = try Self.copy("<img srcset='\(srcset)'>")
        #expect(rewriter.requisites.count == 1)
        #expect(copy.text.hasSuffix("<img srcset='data:%2C 1x'>"))
        _ = try Self.copy("<img srcset='\(String(repeating: ",", count: 1_000_000))'>")
        _ = try Self.copy("<img sizes='\(String(repeating: "1px,", count: 250_000))' srcset='a 1w, b 2w'>")
    }

    @Test func manyStylesTakeLinearTime() throws {
        let (rewriter, copy) = try Self.copy(String(repeating: "<b style=x:url(a)></b>", count: 20_000))
        #expect(rewriter.requisites.count == 20_000)
        #expect(copy.bytes.count > 400_000)
        let css = String(repeating: "a{b:url(c)}", count: 20_000)
        let sheet = SheetRewriter(css, url: try WebURL("http://h.test/"))
        #expect(sheet.rewritten { _ in .url("d") }.text == css.replacing("(c)", with: "(d)"))
    }

    @Test func manyReferencesInOneAttributeTakeLinearTime() throws {
        let value = String(repeating: "x:url(&quot;a&quot;);", count: 50_000)
        let (_, copy) = try Self.copy("<p style=\"\(value)\">")
        #expect(
            copy.text.hasSuffix(
                "<p style=\"" + String(repeating: "x:url(&quot;data:,&quot;);", count: 50_000) + "\">"
            )
        )
    }

    @Test(arguments: [
        "<p a='b' ", "<svg><script>", "<svg><style>&amp;", "<noscript>", "<noscript><span>",
        "<iframe srcdoc='<p>'>", "<script>",
        "<p><b>", "<table><tr>", "</noscript>", "<style>@import 'a';", "<![CDATA[", "<!--", "&amp;",
        "<html style='x:url(a)'>",
        "<link rel=preload>", "<svg><animate attributeName=href>", "<template>", "<meta charset=x>",
    ])
    func repeatedMarkupTakesLinearTime(_ piece: String) throws {
        _ = try Self.copy(String(repeating: piece, count: 3_000))
    }

    @Test func aTagOfManyAttributesTakesLinearTime() throws {
        let attributes = (0..<100_000).map { "a\($0)=b" }.joined(separator: " ")
        let (_, copy) = try Self.copy("<img \(attributes) src=late onload=x>")
        #expect(!copy.text.contains("late"))
        #expect(!copy.text.contains("onload"))
    }

    @Test func framesInFramesEnd() throws {
        var markup = "<img src=x>"
        for _ in 0..<24 {
            let escaped = markup.replacing("&", with: "&amp;").replacing("'", with: "&#39;")
            markup = "<iframe srcdoc='\(escaped)'></iframe>"
        }
        let (rewriter, copy) = try Self.copy(markup)
        #expect(rewriter.requisites.isEmpty)
        #expect(!copy.text.contains("src=x"))
        #expect(copy.changed["srcdoc"] == 1)
    }

    @Test func manyPoliciesTakeLinearTime() throws {
        let policies = (0..<5_000).map {
            "<meta http-equiv=content-security-policy content='img-src \($0).test'>"
        }
        let (rewriter, _) = try Self.copy(policies.joined() + String(repeating: "<img src=a>", count: 5_000))
        #expect(rewriter.requisites.count == 5_000)
    }

    @Test func manyTagsOfTheBodyTakeLinearTime() throws {
        let tags = (0..<3_000).map { "<body a\($0)=b>" }.joined()
        let references = String(repeating: "b:url(c);", count: 5_000)
        let (rewriter, copy) = try Self.copy("\(tags)<body style='\(references)'>")
        #expect(rewriter.requisites.count == 5_000)
        #expect(!copy.text.contains("url(c)"))
    }

    @Test func manyReferencesOfATagOfManyAttributesTakeLinearTime() throws {
        let attributes = (0..<4_000).map { "a\($0)=b" }.joined(separator: " ")
        let references = String(repeating: "b:url(c);", count: 20_000)
        let (rewriter, _) = try Self.copy("<p \(attributes) style='\(references)'>")
        #expect(rewriter.requisites.count == 20_000)
    }

    @Test func moreTagsThanCanBeNotedAreLeftOut() throws {
        var limits = LoadLimits()
        limits.maximumNodes = 50
        let html = "<p>" + String(repeating: "</i>", count: 200) + "<img src=late>"
        let page = try ParsedPage(html: html, baseURL: WebURL("http://h.test/"), limits: limits)
        let rewriter = try PageRewriter(page)
        #expect(rewriter.isTruncated)
        #expect(!rewriter.rewritten { _ in .url("data:,") }.text.contains("late"))
    }

    @Test func styleSheetsInStyleSheetsTakeLinearTime() throws {
        let count = 3_000
        _ = try Self.copy(
            "<svg>" + String(repeating: "<style>&amp;", count: count)
                + String(repeating: "</style>", count: count)
        )
    }

    @Test func policiesOfManyWordsTakeLinearTime() throws {
        let words = String(repeating: "a.test ", count: 20_000)
        let html =
            "<meta http-equiv=content-security-policy content='img-src \(words)'>"
            + String(repeating: "<img src=a>", count: 200)
        let (rewriter, _) = try Self.copy(html)
        let isForbidden = rewriter.requisites.map(\.isForbidden)
        #expect(!isForbidden.contains(false))
    }

    @Test func unfinishedMarkupOfEveryLengthIsTaken() throws {
        let markup = """
            <meta charset=x><p style="b:url('c\\27')"><svg><style>a{b:url(&quot;c)}<![CDATA[d]]></style><use xlink:href=d>\
            <iframe srcdoc='&lt;img srcset="e 1x">'><noscript><b>\u{0}<script>f</script><img a=&amp
            """
        for length in 0...markup.utf8.count {
            _ = try Self.copy(String(decoding: markup.utf8.prefix(length), as: UTF8.self))
        }
        let xml = """
            <?xml version="1.0"?><?xml-stylesheet href="a"?><!DOCTYPE svg [<!ENTITY a "<b/>">]><svg xmlns="http://www.w3.org/2000/svg">
            <style>a{b:url(&quot;c&quot;)}<![CDATA[d]]><!-- x --></style>&a;<image href='b'/></svg>
            """
        for length in 0...xml.utf8.count {
            let data = Array(xml.utf8.prefix(length))
            guard
                let page = try? ParsedPage(
                    data: data,
                    mimeType: "image/svg+xml",
                    baseURL: WebURL("http://h.test/")
                ),
                let rewriter = try? PageRewriter(page)
            else { continue }
            _ = rewriter.rewritten { _ in .missing }
        }
    }

    @Test func whatIsNotParsedIsNotCopied() throws {
        var limits = LoadLimits()
        limits.maximumNodes = 50
        let html = String(repeating: "<img src=a>", count: 1_000)
        let page = try ParsedPage(html: html, baseURL: WebURL("http://h.test/"), limits: limits)
        let rewriter = try PageRewriter(page)
        #expect(rewriter.isTruncated)
        #expect(!rewriter.rewritten { _ in .url("data:,") }.text.contains("src=a"))
    }
}
