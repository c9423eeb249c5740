import Testing

@testable import WebDocument

/// The requests that forms make.
@Suite(.timeLimit(.minutes(20)))
struct FormContentTests {
    private func form(_ markup: String, type: String = "text/html; charset=utf-8") throws -> Form {
        try #require(try InspectionPages.page(markup, type: type).forms.first)
    }

    private func body(_ submission: FormSubmission?) throws -> String {
        let content = try #require(submission?.content(boundary: "B"))
        return String(decoding: content.body, as: UTF8.self)
    }

    @Test(
        "Bodies of names and values",
        arguments: [
            ("<input name=a value='b c&d=é+'>", "a=b+c%26d%3D%C3%A9%2B", "a=b c&d=é+\r\n"),
            ("<input name=a value=1><input name=b value=2>", "a=1&b=2", "a=1\r\nb=2\r\n"),
            ("<textarea name=a>x&#13;y\nz</textarea>", "a=x%0D%0Ay%0D%0Az", "a=x\r\ny\r\nz\r\n"),
            ("<input name='a&#10;b' value=x>", "a%0D%0Ab=x", "a\r\nb=x\r\n"),
            ("<input type=hidden name=a value='x&#10;'>", "a=x%0D%0A", "a=x\r\n\r\n"),
            ("<input type=hidden name=_charset_ value=x>", "_charset_=UTF-8", "_charset_=UTF-8\r\n"),
            ("<input type=file name=a>", "a=", "a=\r\n"), ("", "", ""),
        ]
    )
    func bodies(markup: String, encoded: String, plain: String) throws {
        let first = try form("<form method=post>\(markup)")
        #expect(try body(first.submission).utf8.elementsEqual(encoded.utf8))
        #expect(first.submission?.content()?.type == "application/x-www-form-urlencoded")
        #expect(first.submission?.url.href == "http://h.test/d/page.html")
        let second = try form("<form method=post enctype=text/plain>\(markup)")
        #expect(try body(second.submission).utf8.elementsEqual(plain.utf8))
        #expect(second.submission?.content()?.type == "text/plain")
    }

    @Test(
        "Parts of multipart/form-data",
        arguments: [
            ("<input name=a value=b>", "Content-Disposition: form-data; name=\"a\"\r\n\r\nb\r\n"),
            (
                "<input name='a\"b&#13;&#10;c&#10;d' value='\"&#10;'>",
                "Content-Disposition: form-data; name=\"a%22b%0D%0Ac%0D%0Ad\"\r\n\r\n\"\r\n"
            ),
            (
                "<textarea name=a>x\ny</textarea>",
                "Content-Disposition: form-data; name=\"a\"\r\n\r\nx\r\ny\r\n"
            ),
            ("<input name=é% value=\\>", "Content-Disposition: form-data; name=\"é%\"\r\n\r\n\\\r\n"),
            (
                "<input type=file name=a>",
                "Content-Disposition: form-data; name=\"a\"; filename=\"\"\r\nContent-Type: application/octet-stream\r\n\r\n\r\n"
            ),
        ]
    )
    func parts(markup: String, part: String) throws {
        let form = try form("<form method=post enctype=multipart/form-data>\(markup)")
        #expect(try body(form.submission).utf8.elementsEqual("--B\r\n\(part)--B--\r\n".utf8))
        #expect(form.submission?.content(boundary: "B")?.type == "multipart/form-data; boundary=B")
    }

    @Test(
        "Files are sent with their names and types",
        arguments: [
            (FormFile(name: "x.txt", bytes: [0x61, 0x0A, 0x62]), "x.txt", "text/plain", "a\nb"),
            (FormFile(name: "x.txt", mimeType: "a/b", bytes: []), "x.txt", "a/b", ""),
            (FormFile(name: "x", bytes: [0x61]), "x", "application/octet-stream", "a"),
            (FormFile(name: "a\"\nb", bytes: []), "a%22%0Ab", "application/octet-stream", ""),
        ]
    )
    func files(file: FormFile, name: String, type: String, contents: String) throws {
        var form = try form("<form method=post enctype=multipart/form-data><input type=file name=f>")
        try form.choose([file], for: 0)
        let expected =
            "--B\r\nContent-Disposition: form-data; name=\"f\"; filename=\"\(name)\"\r\nContent-Type: \(type)\r\n\r\n\(contents)\r\n--B--\r\n"
        #expect(try body(form.submission(by: nil)).utf8.elementsEqual(expected.utf8))
    }

    @Test func onlyTheNamesOfFilesAreSentOtherwise() throws {
        var form = try form("<form method=post><input type=file name=f multiple>")
        try form.choose([FormFile(name: "a b", bytes: [1]), FormFile(name: "c", bytes: [2])], for: 0)
        #expect(try body(form.submission(by: nil)) == "f=a+b&f=c")
    }

    @Test func bytesOfFilesAreSentAsTheyAre() throws {
        var form = try form(
            "<form method=post enctype=multipart/form-data accept-charset=koi8-r><input type=file name=f>"
        )
        let bytes = Array(UInt8.min...UInt8.max)
        try form.choose([FormFile(name: "x", bytes: bytes)], for: 0)
        let body = try #require(form.submission(by: nil)?.content(boundary: "B")).body
        #expect(body.dropLast("\r\n--B--\r\n".utf8.count).suffix(256) == bytes[...])
    }

    @Test(
        "What an encoding does not have is a character reference",
        arguments: [
            ("application/x-www-form-urlencoded", "%E9=%E9%26%239731%3B"),
            ("text/plain", "\u{E9}=\u{E9}&#9731;\r\n"),
            (
                "multipart/form-data",
                "--B\r\nContent-Disposition: form-data; name=\"\u{E9}\"\r\n\r\n\u{E9}&#9731;\r\n--B--\r\n"
            ),
        ]
    )
    func encodings(type: String, expected: String) throws {
        let form = try form(
            "<form method=post enctype=\(type) accept-charset=windows-1252><input name=é value=é&#9731;>"
        )
        let content = try #require(form.submission?.content(boundary: "B"))
        #expect(content.body == expected.unicodeScalars.map { UInt8(truncatingIfNeeded: $0.value) })
    }

    @Test func anEncodingWithStatesEndsInItsFirst() throws {
        let form = try form(
            "<form method=post enctype=text/plain accept-charset=iso-2022-jp><input name=a value=&#x3042;><input name=b value=c>"
        )
        let content = try #require(form.submission?.content())
        let expected: [UInt8] =
            Array("a=".utf8) + [0x1B, 0x24, 0x42, 0x24, 0x22, 0x1B, 0x28, 0x42] + Array("\r\nb=c\r\n".utf8)
        #expect(content.body == expected)
    }

    @Test func anUnknownCharsetIsTheDocuments() throws {
        let form = try form(
            "<form method=post accept-charset=nosuch><input name=a value=&#x43B;>",
            type: "text/html; charset=koi8-r"
        )
        #expect(try body(form.submission) == "a=%CC")
    }

    @Test func aFormSentByGetHasNoBody() throws {
        let form = try form("<form action='x?y#z'><input name=a value=' '>")
        let submission = try #require(form.submission)
        #expect(submission.url.href == "http://h.test/d/x?a=+#z")
        let content = submission.content()
        #expect(content == nil)
    }

    @Test func boundariesAreRandom() throws {
        let submission = try #require(
            try form("<form method=post enctype=multipart/form-data><input name=a>").submission
        )
        let (first, second) = (try #require(submission.content()), try #require(submission.content()))
        #expect(first.type != second.type)
        let boundary = try #require(first.type.split(separator: "=").last)
        #expect((1...70).contains(boundary.utf8.count))
        #expect(String(decoding: first.body, as: UTF8.self).hasPrefix("--\(boundary)\r\n"))
    }

    @Test(
        "A button changes how its form is sent",
        arguments: [
            ("<button formaction=y>", "get text/plain t http://h.test/d/y?a=1"),
            ("<button formaction=''>", "get text/plain t http://h.test/d/page.html?a=1"),
            ("<input type=image formaction=y>", "get text/plain t http://h.test/d/y?a=1&x=0&y=0"),
            ("<button formmethod=POST>", "post text/plain t http://h.test/d/x"),
            ("<button formmethod=nosuch>", "get text/plain t http://h.test/d/x?a=1"),
            ("<button formenctype=multipart/form-data>", "get multipart/form-data t http://h.test/d/x?a=1"),
            ("<button formenctype=nosuch>", "get application/x-www-form-urlencoded t http://h.test/d/x?a=1"),
            ("<button formtarget=u>", "get text/plain u http://h.test/d/x?a=1"),
            ("<button formmethod=dialog>", "-"), ("<button formaction='http://['>", "-"),
            ("<button type=button formmethod=post>", "get text/plain t http://h.test/d/x?a=1"),
            ("<input formmethod=post>", "get text/plain t http://h.test/d/x?a=1"),
            ("<button name=b value=2>", "get text/plain t http://h.test/d/x?a=1&b=2"),
        ]
    )
    func overrides(button: String, expected: String) throws {
        let form = try form("<form action=x enctype=text/plain target=t><input name=a value=1>\(button)")
        let submission = form.submission(by: 1)
        let summary = submission.map {
            "\($0.method.rawValue) \($0.encodingType.rawValue) \($0.target ?? "") \($0.url.href)"
        }
        #expect(summary ?? "-" == expected)
    }

    @Test func onlyTheButtonThatSendsIsSent() throws {
        let form = try form(
            "<form><button name=a value=1></button><input type=submit name=b><input type=image name=c><button name=d disabled>"
        )
        let queries = [nil, 0, 1, 2, 3, 99].map { form.submission(by: $0)?.url.query ?? "" }
        #expect(queries == ["", "a=1", "b=Submit", "c.x=0&c.y=0", "", ""])
        #expect(form.fields.map { $0.override == nil } == [true, true, true, true])
    }

    @Test(
        "A button may make a form sendable that is not by itself",
        arguments: ["<form method=dialog>", "<form action='http://['>"]
    )
    func sendable(start: String) throws {
        let form = try form("\(start)<input name=a><button formaction=y formmethod=post>")
        #expect(form.submission(by: nil) == nil)
        #expect(form.submission(by: 1)?.url.href == "http://h.test/d/y")
    }

    @Test(
        "Which form a field is in, however the page is written",
        arguments: [
            ("<form id=f form=f><input form=f name=a></form>", [["a"]]),
            (
                "<form id=f form=g><input name=a></form><form id=g><input form=f name=b></form>",
                [["a", "b"], []]
            ),
            ("<form id=f><form id=g><input name=a form=g><input name=b></form>", [["b"]]),
            ("<form id=f></form><form id=f></form><input form=f name=a>", [["a"], []]),
            ("<p id=f></p><form id=f><input form=f name=a><input name=b></form>", [["b"]]),
            ("<input id=f form=f name=a><form id=f></form>", [[]]),
            ("<form><input name=a form></form>", [[]]),
        ]
    )
    func owners(markup: String, expected: [[String]]) throws {
        let forms = try InspectionPages.page(markup).forms
        #expect(forms.map { $0.fields.map { $0.name ?? "" } } == expected)
    }
}
