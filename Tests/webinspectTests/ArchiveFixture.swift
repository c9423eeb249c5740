import Foundation

/// A WARC as a test needs it: plain, a record for each exchange.
struct ArchiveFixture {
    private(set) var bytes = Data()

    /// Adds a response, whose body is in no coding.
    mutating func add(
        _ url: String,
        date: String = "2024-03-04T10:00:00Z",
        status: String = "200 OK",
        type: String = "text/html; charset=utf-8",
        fields: String = "",
        body: String
    ) {
        let head =
            "HTTP/1.1 \(status)\r\nContent-Type: \(type)\r\n\(fields)Content-Length: \(body.utf8.count)\r\n\r\n"
        add(url, kind: "response", date, "application/http; msgtype=response", head + body)
    }

    /// Adds a record.
    mutating func add(
        _ url: String,
        kind: String,
        _ date: String,
        _ type: String,
        _ block: String,
        fields: String = ""
    ) {
        let head =
            "WARC/1.1\r\nWARC-Type: \(kind)\r\nWARC-Record-ID: <urn:uuid:\(UUID())>\r\nWARC-Date: \(date)\r\n"
            + "WARC-Target-URI: \(url)\r\nContent-Type: \(type)\r\n\(fields)Content-Length: \(block.utf8.count)\r\n\r\n"
        bytes += Data("\(head)\(block)\r\n\r\n".utf8)
    }

    /// A site of two pages, of which one has two copies, with a redirect, a picture's place and a page that is not there.
    static var site: ArchiveFixture {
        var site = ArchiveFixture()
        site.add(
            "http://site.test/",
            date: "2023-01-01T00:00:00Z",
            body: "<title>Old</title><h1>Old</h1><a href=/two>two</a>"
        )
        site.add("http://site.test/moved", status: "302 Found", fields: "Location: /two\r\n", body: "")
        site.add(
            "http://site.test/two",
            body: "<title>Two</title><img src=/i.png><link rel=stylesheet href=/s.css>"
        )
        site.add("http://site.test/s.css", type: "text/css", body: "p{}")
        site.add("http://site.test/gone", status: "404 Not Found", body: "<title>Gone</title>")
        site.add("http://site.test/", body: "<title>New</title><h1>New</h1><a href=/two>two</a>")
        return site
    }

    /// Writes it into a folder.
    func write(to folder: URL, as name: String = "site.warc") throws -> String {
        let file = folder.appending(path: name)
        try bytes.write(to: file)
        return file.path
    }
}
