import Foundation
import TestSupport
import Testing

@testable import webinspect

/// Tests of the displayed text of a source.
struct SourceTests {
    @Test(arguments: [
        ("page.html", "page.html"), ("a@b/page.html", "a@b/page.html"), ("-", "-"),
        ("http://h/a@b", "http://h/a@b"), ("mailto:ann@h", "mailto:ann@h"),
        ("http://ann:secret@h/a", "http://***@h/a"), ("http://secret@h/", "http://***@h/"),
        ("http:ann:secret@h/a", "http://***@h/a"), ("HTTPS:/ann:secret@h/a", "https://***@h/a"),
        ("http:\\\\ann:secret@h/a", "http://***@h/a"), ("ht\ttp://ann:secret@h/a", "http://***@h/a"),
        ("http://ann:secret@[/", "http://***@[/"), ("http:ann:secret@h:99999/", "http://***@h:99999/"),
        ("http://ann:secret@h/a@b", "http://***@h/a@b"), ("https://u:p@", "https://***@"),
    ])
    func passwordsAreNotShown(text: String, shown: String) {
        #expect(Source.redacted(text) == shown)
    }

    @Test(arguments: [
        ("www.example.com", true), ("WWW.example.com/a", true), ("example.com/a", true),
        ("localhost:8080", true),
        ("example.com", false), ("readme.md", false), ("folder/page.html", false), ("http://h.test/", false),
        ("/", false), ("-", false), ("data:,x", false),
    ])
    func `a source without a scheme that may be a URL is none`(source: String, isMistake: Bool) {
        do throws(Failure) {
            try SourceMistake.check(source)
            #expect(!isMistake)
        } catch {
            #expect(isMistake && error.message == "no such file; a URL begins with https://")
        }
    }

    @Test func `an archive is no page`() async throws {
        try await withTemporaryFolder { folder in
            for name in ["a.warc.gz", "b.WACZ", "c.html"] {
                let path = folder.appending(path: name).path
                try Data("<title>T</title>".utf8).write(to: folder.appending(path: name))
                do throws(Failure) {
                    try SourceMistake.check(archive: path)
                    #expect(name == "c.html")
                } catch {
                    #expect(error.message.contains("--from \(path)"))
                }
            }
        }
        try SourceMistake.check(archive: "http://h.test/a.warc")
    }

    @Test(arguments: [
        (["chek", "http://h.test/"], "check"), (["Crawl"], "crawl"), (["lniks", "x"], "links"),
        (["frobnicate", "x"], "webinspect --help"), (["frobnicate"], nil), (["http://h.test/", "x"], nil),
        (["/", "x"], nil),
    ])
    func `a command is proposed for one that does not exist`(words: [String], hint: String?) {
        do throws(Failure) {
            try SourceMistake.check(command: words)
            #expect(hint == nil)
        } catch {
            #expect(hint.map { error.message.contains($0) } == true)
            #expect(error.status == .file)
        }
    }
}
