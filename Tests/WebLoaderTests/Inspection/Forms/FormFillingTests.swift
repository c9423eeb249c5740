import Testing

@testable import WebDocument

/// Forms that are filled in.
@Suite(.timeLimit(.minutes(20)))
struct FormFillingTests {
    private func form(_ markup: String) throws -> Form {
        try #require(try InspectionPages.page("<form>\(markup)").forms.first)
    }

    private func entries(_ form: Form) throws -> [String] {
        try #require(form.submission(by: form.defaultButton)).entries.map { "\($0.name)=\($0.value)" }
    }

    @Test(
        "A value is made fit for its type",
        arguments: [
            ("", "x\ny", "xy"), ("value=z", "", ""), ("type=hidden", "x\ny", "x\ny"),
            ("type=password", "p", "p"), ("type=url", " http://h/ ", "http://h/"),
            ("type=email multiple", " a@b , c@d ", "a@b,c@d"),
            ("type=number", "12.5", "12.5"), ("type=number", "-1e3", "-1e3"), ("type=number value=1", "", ""),
            ("type=date", "2024-02-29", "2024-02-29"), ("type=month", "2024-02", "2024-02"),
            ("type=week", "2020-W53", "2020-W53"), ("type=time", "23:59", "23:59"),
            ("type=datetime-local", "2024-02-29 08:05:00", "2024-02-29T08:05"),
            ("type=range", "1000", "100"), ("type=range min=5", "-3", "5"), ("type=range", "nosuch", "50"),
            ("type=range max=10 step=4", "9", "8"), ("type=range step=any", "1.5", "1.5"),
            ("type=range value=3 step=5", "7", "8"), ("type=range value=6 step=10", "0", "6"),
            ("type=range min=10 max=5", "7", "10"),
            ("type=color", "RED", "#ff0000"), ("type=color", "nosuch", "#000000"),
            ("type=nosuch", "x", "x"), ("readonly value=y", "x", "x"),
        ]
    )
    func inputs(attributes: String, value: String, expected: String) throws {
        var form = try form("<input name=a \(attributes)>")
        try form.fill(0, with: value)
        #expect(form.fields[0].value == expected)
        #expect(form.fields[0].isEdited)
        #expect(try entries(form) == ["a=\(expected)"])
    }

    @Test(
        "What a field cannot have is refused, and changes nothing",
        arguments: [
            ("<input name=a type=number>", "x", "the field a is of type number, and \"x\" is not"),
            ("<input name=a type=number>", "1,5", "the field a is of type number, and \"1,5\" is not"),
            (
                "<input name=a type=date>", "2024-02-30",
                "the field a is of type date, and \"2024-02-30\" is not"
            ),
            ("<input name=a type=week>", "2021-W53", "the field a is of type week, and \"2021-W53\" is not"),
            ("<input name=a type=time>", "24:00", "the field a is of type time, and \"24:00\" is not"),
            (
                "<input name=a type=datetime-local>", "2024-02-29",
                "the field a is of type datetime-local, and \"2024-02-29\" is not"
            ),
            ("<input name=a disabled>", "x", "the field a is disabled"),
            ("<fieldset disabled><input name=a>", "x", "the field a is disabled"),
            ("<input name=a type=file>", "x", "the field a takes files, not a text"),
            ("<label>L <input disabled></label>", "x", "the field \"L\" is disabled"),
            ("<input type=submit>", "x", "the submit field is a button, which has no value to fill in"),
            ("<button name=a>b</button>", "x", "the field a is a button, which has no value to fill in"),
            ("<input name=a type=image>", "x", "the field a is a button, which has no value to fill in"),
            (
                "<input name=a type=checkbox value=1>", "2",
                "the field a has no value \"2\", only 1, nor \"off\""
            ),
            ("<input name=a type=radio value=1>", "off", "the field a has no value \"off\", only 1"),
            ("<select name=a><option>1<option>2</select>", "3", "the field a has no option \"3\", only 1, 2"),
            ("<select name=a><option>1</select>", "", "the field a has no option \"\", only 1"),
            (
                "<select name=a><option>1<option disabled>2</select>", "2",
                "the field a: the option \"2\" is disabled"
            ),
            (
                "<select name=a><optgroup disabled><option>1</optgroup><option>2</select>", "1",
                "the field a: the option \"1\" is disabled"
            ),
        ]
    )
    func refused(markup: String, value: String, message: String) throws {
        var form = try form(markup)
        let before = form
        let error = #expect(throws: FormError.self) { try form.fill(0, with: value) }
        #expect(error?.code == .value)
        #expect(error?.message == message)
        #expect(form == before)
    }

    @Test(arguments: [-1, 1, Int.max]) func thereIsNoSuchField(index: Int) throws {
        var form = try form("<input name=a>")
        #expect(throws: FormError(.missing, "the form has 1 fields, and no number \(index)")) {
            try form.fill(index, with: "x")
        }
        #expect(throws: FormError(.missing, "the form has 1 fields, and no number \(index)")) {
            try form.choose([], for: index)
        }
    }

    @Test(
        "Boxes and buttons of a name, filled in one after another",
        arguments: [
            ("<input type=checkbox name=a>", ["on"], ["a=on"]),
            ("<input type=checkbox name=a checked>", ["off"], []),
            ("<input type=checkbox name=a value=1>", ["on"], ["a=1"]),
            (
                "<input type=checkbox name=a value=1><input type=checkbox name=a value=2 checked>", ["1"],
                ["a=1", "a=2"]
            ),
            (
                "<input type=checkbox name=a value=1 checked><input type=checkbox name=a value=2 checked>",
                ["off", "2"], ["a=2"]
            ),
            (
                "<input type=checkbox name=a value=1 checked><input type=checkbox name=b value=2 checked>",
                ["off"], ["b=2"]
            ),
            (
                "<input type=checkbox name=a value=1 disabled><input type=checkbox name=a value=2>", ["2"],
                ["a=2"]
            ),
            (
                "<input type=radio name=a value=1 checked><input type=radio name=a value=2><input type=radio name=b value=3 checked>",
                ["2"], ["a=2", "b=3"]
            ),
            ("<input type=radio name=a value=1 disabled><input type=radio name=a value=2>", ["2"], ["a=2"]),
            ("<input type=radio name=a>", ["on"], ["a=on"]),
        ]
    )
    func boxes(markup: String, values: [String], expected: [String]) throws {
        var form = try form(markup)
        for value in values { try form.fill(0, with: value) }
        #expect(try entries(form) == expected)
    }

    @Test func boxesWithoutANameAreEachTheirOwn() throws {
        var form = try form("<input type=radio checked><input type=radio>")
        try form.fill(1, with: "on")
        #expect(form.fields.map(\.isChecked) == [true, true])
    }

    @Test(
        "Options are chosen by their value, or else by their text",
        arguments: [
            ("<select name=a><option>1<option>2</select>", ["2"], ["a=2"]),
            ("<select name=a><option value=1>one<option value=2> t  wo </select>", ["t wo"], ["a=2"]),
            ("<select name=a><option value=2>1<option value=1>2</select>", ["2"], ["a=2"]),
            ("<select name=a><option value=''>none<option selected>1</select>", [""], ["a="]),
            ("<select name=a multiple><option>1<option>2<option>3</select>", ["3", "1"], ["a=1", "a=3"]),
            ("<select name=a multiple><option selected>1<option>2</select>", [""], []),
            ("<select name=a multiple><option selected>1<option value=''>2</select>", [""], ["a=1", "a="]),
            ("<select name=a size=3><option>1<option selected>2</select>", ["1"], ["a=1"]),
        ]
    )
    func options(markup: String, values: [String], expected: [String]) throws {
        var form = try form(markup)
        for value in values { try form.fill(0, with: value) }
        #expect(try entries(form) == expected)
    }

    @Test func aTextAreaHasLineFeeds() throws {
        var form = try form("<textarea name=a>x</textarea>")
        try form.fill(0, with: "a\r\nb\rc\n")
        #expect(form.fields[0].value.map { Array($0.utf8) } == Array("a\nb\nc\n".utf8))
    }

    @Test func filesReplaceThoseThatWereChosen() throws {
        var form = try form("<input type=file name=a multiple><input type=file name=b>")
        let files = [FormFile(name: "1.txt", bytes: [1]), FormFile(name: "2.txt", bytes: [2])]
        try form.choose(files, for: 0)
        try form.choose([files[1]], for: 1)
        #expect(try entries(form) == ["a=1.txt", "a=2.txt", "b=2.txt"])
        #expect(throws: FormError(.value, "the field b takes one file, not 2")) {
            try form.choose(files, for: 1)
        }
        try form.choose([], for: 0)
        let submission = try #require(form.submission(by: nil))
        #expect(submission.entries.map(\.isFile) == [true, true])
        #expect(submission.entries.map(\.file) == [nil, files[1]])
    }

    @Test(
        "Only file fields that can be changed take files",
        arguments: [
            ("<input name=a>", "the field a takes no files"),
            ("<textarea name=a></textarea>", "the field a takes no files"),
            ("<input type=file name=a disabled>", "the field a is disabled"),
        ]
    )
    func noFiles(markup: String, message: String) throws {
        var form = try form(markup)
        #expect(throws: FormError(.value, message)) { try form.choose([], for: 0) }
    }

    @Test(
        "The default button is the first, unless it is disabled",
        arguments: [
            ("<input><button>a</button><button>b</button>", 1), ("<input type=image><button>b</button>", 0),
            ("<button disabled>a</button><button>b</button>", nil),
            ("<button type=button>a</button><input type=reset>", nil),
        ]
    )
    func defaultButtons(markup: String, expected: Int?) throws {
        #expect(try form(markup).defaultButton == expected)
    }

    @Test func theDirectionIsThatOfTheTextThatIsFilledIn() throws {
        var form = try form("<input name=a dirname=d dir=auto value=x>")
        #expect(try entries(form) == ["a=x", "d=ltr"])
        try form.fill(0, with: "1 \u{5D0} x")
        #expect(try entries(form) == ["a=1 \u{5D0} x", "d=rtl"])
    }

    @Test func whatIsFilledInLeavesTheInitialSubmissionAlone() throws {
        var form = try form("<input name=a value=x>")
        try form.fill(0, with: "y")
        #expect(form.submission?.url.query == "a=x")
        #expect(form.submission(by: nil)?.url.query == "a=y")
    }
}

/// Tests of the values that sliders derive from numbers: decimals, as they are written.
@Suite struct FormRangeTests {
    @Test(
        "Steps are decimal, ties go up, and numbers are JavaScript's",
        arguments: [
            ("0.34", nil, nil, "0.1", "0.3"), ("0.00003", nil, "0.0001", "0.00001", "0.00003"),
            ("0.7", "0.05", nil, "0.1", "0.75"), ("2.34", nil, nil, "0.1", "2.3"),
            ("0.37", nil, nil, "0.05", "0.35"),
            ("-0.555", "-1", nil, "0.01", "-0.55"), (nil, nil, "0.00001", "any", "0.000005"),
            ("0", "1e-7", nil, "any", "1e-7"), ("5", nil, nil, "1e-300", "5"), ("7", nil, nil, "1e300", "0"),
            ("1e300", nil, "1e308", "any", "1e300"), ("101", nil, nil, nil, "100"),
            ("x", nil, nil, nil, "50"),
        ] as [(String?, String?, String?, String?, String)]
    )
    func fit(value: String?, minimum: String?, maximum: String?, step: String?, expected: String) {
        var constraints = FormConstraints()
        (constraints.minimum, constraints.maximum, constraints.step) = (minimum, maximum, step)
        #expect(FormRange.value(value, constraints, nil) == expected)
    }

    @Test(
        arguments: [
            (0, "0"), (-0.0, "0"), (1, "1"), (-1.5, "-1.5"), (1e20, "100000000000000000000"), (1e21, "1e+21"),
            (1.25e21, "1.25e+21"), (1e-6, "0.000001"), (1e-7, "1e-7"), (-1.5e-9, "-1.5e-9"),
            (123_456.789, "123456.789"),
            (.leastNonzeroMagnitude, "5e-324"), (1.7976931348623157e308, "1.7976931348623157e+308"),
            (0.1 + 0.2, "0.30000000000000004"),
        ] as [(Double, String)]
    )
    func written(value: Double, text: String) {
        #expect(FormRange.written(value) == text)
    }
}
