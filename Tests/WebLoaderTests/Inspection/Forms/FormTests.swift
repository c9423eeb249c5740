import Testing

@testable import WebDocument

/// The forms of a page, and what a browser would send by them.
@Suite(.timeLimit(.minutes(20)))
struct FormTests {
    private func forms(_ markup: String, type: String = "text/html; charset=utf-8") throws -> [Form] {
        try InspectionPages.page(markup, type: type).forms
    }

    private func entries(_ markup: String) throws -> [String] {
        let form = try #require(try forms(markup).first)
        return try #require(form.submission).entries.map {
            "\($0.name)=\($0.value)\($0.isFile ? " file" : "")"
        }
    }

    @Test(
        "Where a form is sent to, and how",
        arguments: [
            ("<form>", "get http://h.test/d/page.html -> http://h.test/d/page.html?"),
            (
                "<base href=/b/><form action=''>",
                "get http://h.test/d/page.html -> http://h.test/d/page.html?"
            ),
            ("<base href=/b/><form action=x?y#z>", "get http://h.test/b/x?y#z -> http://h.test/b/x?#z"),
            ("<form method=POST action=x?y>", "post http://h.test/d/x?y -> http://h.test/d/x?y"),
            ("<form method=nosuch action=x>", "get http://h.test/d/x -> http://h.test/d/x?"),
            ("<form method=dialog>", "dialog http://h.test/d/page.html"),
            ("<form action='http://['>", "get -"),
            ("<form action='javascript:f()'>", "get javascript:f() -> javascript:f()"),
            (
                "<form action=x><button formaction=y formmethod=post>",
                "get http://h.test/d/x -> http://h.test/d/y"
            ),
            (
                "<form action=x><input type=submit formaction=y disabled>",
                "get http://h.test/d/x -> http://h.test/d/x?"
            ),
            (
                "<form action=x><button type=button formaction=y>",
                "get http://h.test/d/x -> http://h.test/d/x?"
            ),
            (
                "<form action=x><input name=a value='b c&d=é+'>",
                "get http://h.test/d/x -> http://h.test/d/x?a=b+c%26d%3D%C3%A9%2B"
            ),
            (
                "<form action=x><textarea name=a>b\nc</textarea>",
                "get http://h.test/d/x -> http://h.test/d/x?a=b%0D%0Ac"
            ),
            (
                "<form action=x accept-charset='nosuch windows-1252'><input name=a value=é><input type=hidden name=_CHARSET_>",
                "get http://h.test/d/x -> http://h.test/d/x?a=%E9&_CHARSET_=windows-1252"
            ),
        ]
    )
    func targets(markup: String, expected: String) throws {
        let form = try #require(try forms(markup).first)
        let target = form.submission.map { " -> \($0.url.href)" } ?? ""
        #expect("\(form.method.rawValue) \(form.action?.href ?? "-")\(target)" == expected)
    }

    @Test func theEncodingIsTheDocuments() throws {
        let form = try #require(
            try forms("<form><input name=a value='&#x43B;'>", type: "text/html; charset=koi8-r").first
        )
        #expect(form.submission?.encoding == "KOI8-R")
        #expect(form.submission?.url.query == "a=%CC")
        let wide = try #require(try forms("<form accept-charset=utf-16><input name=a>").first)
        #expect(wide.submission?.encoding == "UTF-8")
    }

    @Test(
        "The entry list is the standard's",
        arguments: [
            ("<form><input><input name=''><input name=a>", ["a="]),
            ("<form><input name=a value=1><input name=b value=2 disabled>", ["a=1"]),
            ("<form><input type=checkbox name=a checked><input type=checkbox name=b>", ["a=on"]),
            (
                "<form><input type=radio name=a value=1 checked><input type=radio name=a value=2 checked><input type=radio name=b value=3>",
                ["a=2"]
            ),
            ("<form><button name=a value=1>x</button><button name=b value=2>", ["a=1"]),
            ("<form><button name=a value=1 disabled>x</button><button name=b value=2>", []),
            (
                "<form><button type=reset name=a></button><input type=button name=b><input type=submit name=c value=Go>",
                ["c=Go"]
            ),
            ("<form><input type=image name=a>", ["a.x=0", "a.y=0"]),
            ("<form><input type=image>", ["x=0", "y=0"]),
            ("<form><input type=file name=a value=x>", ["a= file"]),
            ("<form><select name=a><option>1<option>2</select>", ["a=1"]),
            ("<form><select name=a><option disabled>1<option value=x>2</select>", ["a=x"]),
            ("<form><select name=a><option selected>1<option selected>2</select>", ["a=2"]),
            ("<form><select name=a size=2><option>1<option>2</select>", []),
            (
                "<form><select name=a multiple><option selected>1<option selected disabled>2<option selected value=''>3</select>",
                ["a=1", "a="]
            ),
            (
                "<form><select name=a><optgroup disabled label=x><option selected>1</optgroup><option>2</select>",
                []
            ),
            ("<form><select name=a><option> a \n <b>b</b> </select>", ["a=a b"]),
            ("<form><select name=a></select>", []),
            ("<form><textarea name=a>\nx</textarea>", ["a=x"]),
            ("<form><datalist><input name=a></datalist><input name=b>", ["a=", "b="]),
            (
                "<form><fieldset disabled><legend><input name=a></legend><legend><input name=b></legend><input name=c></fieldset><input name=d>",
                ["a=", "d="]
            ),
            ("<form><fieldset disabled><fieldset><legend><input name=a></legend></fieldset></fieldset>", []),
            (
                "<form><fieldset disabled><legend><fieldset disabled><input name=a></fieldset><input name=b></legend></fieldset>",
                ["b="]
            ),
            (
                "<form><input name=a dirname=d value=x><textarea name=b dirname=e dir=rtl>x</textarea>",
                ["a=x", "d=ltr", "b=x", "e=rtl"]
            ),
            ("<form><object name=a></object><output name=b>x</output><input name=c>", ["c="]),
        ]
    )
    func entryLists(markup: String, expected: [String]) throws {
        #expect(try entries(markup) == expected)
    }

    @Test(
        "Values are made fit for their type",
        arguments: [
            ("value='a\nb'", "ab"), ("type=url value=' http://h/\n '", "http://h/"),
            ("type=email value=' a@b '", "a@b"), ("type=email multiple value=' a@b , c@d '", "a@b,c@d"),
            ("type=number value=12e1", "12e1"), ("type=number value=1x", ""),
            ("type=color value=#AbCdEf", "#abcdef"),
            ("type=color value=red", "#ff0000"), ("type=date value=2024-02-30", ""),
            ("type=date value=2024-02-29", "2024-02-29"),
            ("type=time value=25:00", ""), ("type=week value=2024-W09", "2024-W09"),
            ("type=month value=2024-13", ""),
            ("type=datetime-local value='2024-02-29 08:05:00.000'", "2024-02-29T08:05"),
            ("type=datetime-local value='2024-02-29T08:05:10.500'", "2024-02-29T08:05:10.5"),
            ("type=range", "50"), ("type=range min=10 max=5", "10"), ("type=range value=200", "100"),
            ("type=range min=0 value=13 step=5", "15"), ("type=range value=1.5 step=any", "1.5"),
            ("type=range value=-1", "0"),
            ("type=range min=0 max=10 value=9 step=4", "8"), ("type=range value=1e999", "50"),
            ("type=hidden value='a\nb'", "a\nb"), ("type=checkbox value=x checked", "x"),
            ("type=nosuch value=x", "x"),
        ]
    )
    func values(attributes: String, expected: String) throws {
        #expect(try forms("<form><input name=a \(attributes)>").first?.fields.first?.value == expected)
    }

    @Test(
        "A control's form is the one that it names, or the parser's, or the one around it",
        arguments: [
            ("<form id=f></form><input form=f name=a>", [["a"]]),
            ("<form id=f><input form=g name=a></form>", [[]]),
            (
                "<input form=f name=a><form id=f><input name=b></form><input form=f name=c>",
                [["a", "b", "c"]]
            ),
            ("<p id=f><form id=f></form><input form=f name=a>", [[]]),
            ("<form id=f></form><input form='' name=a>", [[]]),
            ("<table><form><tr><td><input name=a></table>", [["a"]]),
            ("<div><form></div><input name=a><form></form><input name=b>", [["a"]]),
            ("<form><form><input name=a></form><input name=b>", [["a"]]),
            (
                "<table><form><tr><td><input name=a form=g><select name=b></select><button name=c></table></form><form id=g></form>",
                [["b", "c"], ["a"]]
            ),
            ("<template><form><input name=a></form></template>", []),
            ("<form><template><input name=a></template><input name=b></form>", [["b"]]),
            (
                "<form><div><template shadowrootmode=open><input name=a></template></div><input name=b></form>",
                [["b"]]
            ),
            ("<form><svg><input name=a /></svg></form>", [[]]), ("<input name=a>", []),
        ]
    )
    func owners(markup: String, expected: [[String]]) throws {
        #expect(try forms(markup).map { $0.fields.map { $0.name ?? "" } } == expected)
    }

    @Test(
        "Labels are for what they name, or for the first control inside",
        arguments: [
            ("<label for=a> A \n b</label><input id=a>", ["A b"]), ("<label>A <input> b</label>", ["A b"]),
            ("<label>A <input type=hidden><input></label>", ["", "A"]),
            ("<label for=b>A <input id=a></label>", [""]),
            ("<label for=a>A</label><label for=a>B</label><input id=a><input id=a>", ["A|B", ""]),
            ("<label>A <output></output><input></label>", [""]),
            ("<label>A <select><option>x</select></label>", ["A"]),
            ("<label>A <textarea>x</textarea></label>", ["A"]),
            ("<label>A<label>B<input></label></label>", ["A|B"]),
            ("<label for=a>A</label><input type=hidden id=a>", [""]),
        ]
    )
    func labels(markup: String, expected: [String]) throws {
        let fields = try #require(try forms("<form>\(markup)").first).fields
        #expect(fields.map { $0.labels.joined(separator: "|") } == expected)
    }

    @Test func fieldsAreDescribed() throws {
        let form = try #require(
            try forms(
                """
                <form id=f name=n target=_top novalidate autocomplete=off enctype=MULTIPART/form-data accept-charset=utf-8>
                <input type=text id=i name=a required readonly pattern=x min=1 max=2 step=3 minlength=4 maxlength=5
                placeholder=p autocomplete=email list=l><select multiple required><optgroup label=' g '><option value=v
                label=w>x</select><button>
                """
            ).first
        )
        #expect(
            [form.id, form.name, form.target, form.autocomplete, form.acceptCharset] == [
                "f", "n", "_top", "off", "utf-8",
            ]
        )
        #expect(form.isNotValidated)
        #expect(form.encodingType == .multipart)
        let field = form.fields[0]
        #expect(field.isRequired && field.isReadOnly && !field.isMultiple && !field.isDisabled)
        let constraints = field.constraints
        #expect(
            [
                constraints.pattern, constraints.minimum, constraints.maximum, constraints.step,
                constraints.minimumLength, constraints.maximumLength, constraints.placeholder,
                constraints.autocomplete, constraints.list,
            ] == ["x", "1", "2", "3", "4", "5", "p", "email", "l"]
        )
        #expect(form.fields.map(\.type) == ["text", "select-multiple", "submit"])
        #expect(form.fields[1].optionGroups == ["g"])
        #expect(
            form.fields[1].options == [
                FormOption(value: "v", label: "w", text: "x", isSelected: false, isDisabled: false, group: 0)
            ]
        )
        #expect(form.submission?.submitter == 2)
    }

    // MARK: - Hostile pages

    @Test(
        "However many there are, they take linear time",
        arguments: [
            "<input name=a value=b>", "<input type=radio name=r checked>", "<input id=x form=f>",
            "<label for=x>t</label>",
            "<select><option selected>x</select>", "<label>x", "<fieldset disabled><legend><input>",
            "<table><form><input>", "<option>", "<div><form></div><button>",
            "<input dirname=d name=a value=x dir=auto>",
        ]
    )
    func manyFields(markup: String) throws {
        let forms = try forms("<form id=f>" + String(repeating: markup, count: 20_000))
        #expect(forms.count >= 1)
    }

    @Test func aHundredThousandFieldsAreAllThere() throws {
        let form = try #require(
            try forms("<form>" + String(repeating: "<input name=a value=b>", count: 100_000)).first
        )
        #expect(form.fields.count == 100_000)
        #expect(form.submission?.url.query?.utf8.count == 400_000 - 1)
    }

    @Test func optionsOfOneListTakeLinearTime() throws {
        let group = "<optgroup label='\(String(repeating: "g", count: 100_000))'>"
        let form = try #require(
            try forms("<form><select name=a>\(group)" + String(repeating: "<option>x", count: 100_000)).first
        )
        #expect(form.fields.first?.options.count == 100_000)
        #expect(form.submission?.entries.count == 1)
    }

    @Test func unfinishedMarkupOfEveryLengthIsTaken() throws {
        let markup =
            "<table><form action=x id=f><tr><td><fieldset disabled><legend><label for=a>b<select name=c><optgroup label=d><option selected>e</select>"
        for length in 0...markup.utf8.count { _ = try forms(String(markup.prefix(length))) }
    }
}
