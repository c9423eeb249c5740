import Testing

@testable import WebDocument

/// Tests of the constraints that prevent a browser from submitting a form.
@Suite(.timeLimit(.minutes(20)))
struct FormValidityTests {
    private func form(_ markup: String) throws -> Form {
        try #require(
            try InspectionPages.page(markup.hasPrefix("<form") ? markup : "<form>\(markup)").forms.first
        )
    }

    /// Returns each problem as "INDEX KIND".
    private func problems(_ markup: String, by button: Int? = nil) throws -> [String] {
        try form(markup).problems(sendingBy: button).map { "\($0.field) \($0.kind.rawValue)" }
    }

    private func kinds(_ form: Form) -> [FormProblem.Kind] { form.problems(sendingBy: nil).map(\.kind) }

    @Test(
        "What is required is there",
        arguments: [
            ("<input required>", ["0 value-missing"]), ("<input required value=x>", []),
            ("<input required value=' '>", []), ("<textarea required></textarea>", ["0 value-missing"]),
            ("<input type=number required value=x>", ["0 value-missing"]),
            ("<input type=checkbox required>", ["0 value-missing"]),
            ("<input type=checkbox required checked>", []),
            (
                "<input type=checkbox name=a required><input type=checkbox name=a checked>",
                ["0 value-missing"]
            ),
            ("<input type=file required>", ["0 value-missing"]),
            ("<input type=hidden required><input type=color required><input type=range required>", []),
            ("<input type=submit required><input type=reset required><button required>", []),
            (
                "<input type=radio name=a required><input type=radio name=a>",
                ["0 value-missing", "1 value-missing"]
            ),
            ("<input type=radio name=a required><input type=radio name=a checked>", []),
            ("<input type=radio name=a required><input type=radio name=a checked disabled>", []),
            ("<input type=radio name=a required disabled><input type=radio name=a>", ["1 value-missing"]),
            ("<input type=radio name=a required><input type=radio name=b checked>", ["0 value-missing"]),
            ("<input type=radio required><input type=radio checked>", []),
            ("<select required><option value=''>x<option>y</select>", ["0 value-missing"]),
            ("<select required><option value=''>x<option selected>y</select>", []),
            ("<select required><option>x<option selected value=''>y</select>", []),
            ("<select required><optgroup><option value=''>x</optgroup></select>", []),
            ("<select required></select>", ["0 value-missing"]),
            ("<select required multiple><option selected value=''>x</select>", []),
            ("<select required multiple><option>x</select>", ["0 value-missing"]),
            ("<select required size=2><option selected value=''>x</select>", []),
            ("<select required size=2><option>x</select>", ["0 value-missing"]),
            ("<select required size=1><option value=''>x</select>", ["0 value-missing"]),
            ("<select required><option value='' disabled selected>x<option>y</select>", ["0 value-missing"]),
        ]
    )
    func required(markup: String, expected: [String]) throws {
        #expect(try problems(markup) == expected)
    }

    @Test(
        "Addresses are addresses",
        arguments: [
            ("<input type=email value=a@b.c>", []), ("<input type=email value=a>", ["0 type-mismatch"]),
            ("<input type=email value=a@b,c@d>", ["0 type-mismatch"]),
            ("<input type=email multiple value='a@b , c@d'>", []),
            ("<input type=email multiple value='a@b,'>", ["0 type-mismatch"]),
            ("<input type=email multiple value='a@b,c'>", ["0 type-mismatch"]),
            ("<input type=email value=a@-b>", ["0 type-mismatch"]),
            ("<input type=url value=http://h/>", []), ("<input type=url value=mailto:a>", []),
            ("<input type=url value=/a>", ["0 type-mismatch"]),
            ("<input type=url value='http://['>", ["0 type-mismatch"]),
            ("<input type=url><input type=email>", []),
        ]
    )
    func types(markup: String, expected: [String]) throws {
        #expect(try problems(markup) == expected)
    }

    @Test(
        "The pattern is for all of the value",
        arguments: [
            ("<input pattern=b value=abc>", ["0 pattern-mismatch"]), ("<input pattern=abc value=abc>", []),
            ("<input pattern='a|bc' value=abc>", ["0 pattern-mismatch"]),
            ("<input pattern='a|bc' value=bc>", []),
            ("<input pattern='[0-9]{3}' value=12>", ["0 pattern-mismatch"]), ("<input pattern=x>", []),
            ("<input pattern='^a$' value=a>", []), ("<input pattern='' value=a>", ["0 pattern-mismatch"]),
            ("<input pattern=A value=a>", ["0 pattern-mismatch"]),
            ("<input pattern='(' value=a>", []), ("<input pattern='a)(?:b' value=c>", []),
            ("<input pattern='(?=x)y' value=a>", ["0 pattern-mismatch"]),
            ("<input pattern='(a)\\1' value=b>", []),
            ("<input pattern='(?i)a' value=b>", []),
            (
                "<input type=tel pattern=x value=a><input type=search pattern=x value=a>",
                ["0 pattern-mismatch", "1 pattern-mismatch"]
            ),
            ("<input type=password pattern=. value=é>", []), ("<input pattern=. value=&#x1F600;>", []),
            ("<input type=url pattern='https:.*' value=http://h/>", ["0 pattern-mismatch"]),
            ("<input type=email pattern=.*c value=a@b>", ["0 pattern-mismatch"]),
            ("<input type=email multiple pattern=...c value=a@bc,d@ec>", []),
            ("<input type=email multiple pattern=...c value=a@bc,d@e>", ["0 pattern-mismatch"]),
            ("<input type=number pattern=x value=1><textarea pattern=x>a</textarea>", []),
            ("<input type=hidden pattern=x value=1><input type=checkbox pattern=x value=1 checked>", []),
        ]
    )
    func patterns(markup: String, expected: [String]) throws {
        #expect(try problems(markup) == expected)
    }

    @Test(
        "Numbers and times are within their limits",
        arguments: [
            ("<input type=number min=3 value=2>", ["0 range-underflow"]),
            ("<input type=number min=3 value=3>", []),
            ("<input type=number max=3 value=4>", ["0 range-overflow"]),
            ("<input type=number min=x value=-4>", []),
            ("<input type=number min=3>", []), ("<input min=3 value=2>", []),
            ("<input type=number min=-1e1 value=-11>", ["0 range-underflow"]),
            ("<input type=date min=2024-02-29 value=2024-02-28>", ["0 range-underflow"]),
            ("<input type=date max=2024-02-29 value=2024-03-01>", ["0 range-overflow"]),
            ("<input type=month max=2023-12 value=2024-01>", ["0 range-overflow"]),
            ("<input type=week min=2021-W01 value=2020-W53>", ["0 range-underflow"]),
            ("<input type=week max=2020-W53 value=2021-W01>", ["0 range-overflow"]),
            (
                "<input type=datetime-local min=2024-02-29T10:00 value=2024-02-29T09:59>",
                ["0 range-underflow"]
            ),
            ("<input type=time min=09:00 max=17:00 value=17:01>", ["0 range-overflow"]),
            ("<input type=time min=22:00 max=06:00 value=23:30>", []),
            ("<input type=time min=22:00 max=06:00 value=05:30>", []),
            ("<input type=time min=22:00 max=06:00 value=06:00>", []),
            ("<input type=time min=22:00 max=06:00 value=12:00>", ["0 range-underflow"]),
            ("<input type=number min=5 max=1 value=3>", ["0 range-underflow"]),
            ("<input type=range min=5 max=9 value=3>", []),
        ]
    )
    func ranges(markup: String, expected: [String]) throws {
        #expect(try problems(markup) == expected)
    }

    @Test(
        "Steps begin at the minimum, or at the value that the page came with",
        arguments: [
            ("type=number", "1.5", true), ("type=number", "2", false), ("type=number step=any", "1.5", false),
            ("type=number step=ANY", "1.5", false), ("type=number step=0.1", "0.3", false),
            ("type=number step=0.1", "1000000.7", false), ("type=number step=0.1", "0.35", true),
            ("type=number step=0", "1.5", true), ("type=number step=-1", "1.5", true),
            ("type=number step=x", "1.5", true), ("type=number min=1 step=3", "7", false),
            ("type=number min=1 step=3", "6", true), ("type=number value=2 step=5", "7", false),
            ("type=number value=2 step=5", "5", true), ("type=number value=2 min=0 step=5", "5", false),
            ("type=number step=5", "-10", false),
            ("type=date step=7", "1970-01-08", false), ("type=date step=7", "1970-01-07", true),
            ("type=date min=2024-01-01 step=7", "2024-01-15", false),
            ("type=month step=12", "1975-01", false), ("type=month step=12", "1975-02", true),
            ("type=week", "2020-W53", false), ("type=week step=2", "1970-W01", false),
            ("type=week step=2", "1970-W02", true), ("type=week min=2020-W53 step=2", "2021-W02", false),
            ("type=time", "10:30:30", true), ("type=time", "10:30", false),
            ("type=time step=1", "10:30:30", false),
            ("type=time step=1", "10:30:30.5", true), ("type=time step=0.5", "10:30:30.5", false),
            ("type=datetime-local", "2024-02-29T10:30:01", true),
            ("type=datetime-local step=3600", "2024-02-29T10:00", false),
            ("step=5", "7", false),
        ]
    )
    func steps(attributes: String, value: String, isMismatch: Bool) throws {
        var form = try form("<input \(attributes)>")
        try form.fill(0, with: value)
        #expect(kinds(form) == (isMismatch ? [.stepMismatch] : []))
    }

    @Test(
        "Lengths count only for what was filled in, in UTF-16 units",
        arguments: [
            ("<input maxlength=2>", "abc", [.tooLong]), ("<input maxlength=2>", "ab", []),
            ("<input maxlength=2>", "\u{1F600}", []), ("<input maxlength=1>", "\u{1F600}", [.tooLong]),
            ("<input minlength=2>", "a", [.tooShort]), ("<input minlength=2>", "\u{1F600}", []),
            ("<input minlength=2>", "", []), ("<input maxlength=' +2x'>", "abc", [.tooLong]),
            ("<input maxlength=-1>", "abc", []), ("<input maxlength=x>", "abc", []),
            ("<input maxlength=''>", "abc", []),
            ("<input maxlength=0>", "a", [.tooLong]),
            ("<input maxlength=99999999999999999999>", "a", []),
            ("<textarea maxlength=3></textarea>", "a\r\nb", []),
            ("<textarea maxlength=2></textarea>", "a\r\nb", [.tooLong]),
            ("<textarea minlength=2></textarea>", "a", [.tooShort]),
            ("<input type=number maxlength=1>", "123", []),
            ("<input type=email minlength=9>", "a@b", [.tooShort]),
        ] as [(String, String, [FormProblem.Kind])]
    )
    func lengths(markup: String, value: String, expected: [FormProblem.Kind]) throws {
        var form = try form(markup)
        try form.fill(0, with: value)
        #expect(kinds(form) == expected)
    }

    @Test(arguments: [
        "<input maxlength=1 value=abc>", "<input minlength=5 value=abc>",
        "<textarea maxlength=1>abc</textarea>",
    ])
    func lengthsOfThePageDoNotCount(markup: String) throws {
        #expect(try problems(markup).isEmpty)
    }

    @Test(
        "Fields without validation have no problems",
        arguments: [
            "<input required disabled>", "<fieldset disabled><input required>", "<input required readonly>",
            "<textarea required readonly></textarea>", "<datalist><input required></datalist>",
            "<form novalidate><input required>", "<input type=number readonly min=3 value=1>",
        ]
    )
    func barred(markup: String) throws {
        #expect(try problems(markup).isEmpty)
    }

    @Test func readOnlyBarsEveryInputAndNoList() throws {
        let markup =
            "<input type=checkbox required readonly><select required readonly></select><input type=file required readonly>"
        #expect(try problems(markup) == ["1 value-missing"])
    }

    @Test func aButtonMaySendWithoutValidation() throws {
        let markup = "<input required formnovalidate><button formnovalidate>a</button><button>b</button>"
        #expect(try problems(markup, by: 1).isEmpty)
        #expect(try problems(markup, by: 2) == ["0 value-missing"])
        #expect(try problems(markup) == ["0 value-missing"])
        // Neither a field that is no button nor one that is not there changes anything.
        #expect(try problems(markup, by: 0) == ["0 value-missing"])
        #expect(try problems(markup, by: 9) == ["0 value-missing"])
    }

    @Test(
        "Messages name the field and what is wrong with it",
        arguments: [
            ("<input name=a required>", "the field a has to be filled in"),
            ("<label>L <input required></label>", "the field \"L\" has to be filled in"),
            ("<select required></select>", "the select-one field has to be filled in"),
            ("<input name=a type=url value=x>", "the field a: \"x\" is no URL"),
            ("<input name=a type=email value=x>", "the field a: \"x\" is no e-mail address"),
            ("<input name=a pattern=y value=x>", "the field a: \"x\" does not match the pattern y"),
            ("<input name=a type=number min=3 value=1>", "the field a: \"1\" is below 3"),
            ("<input name=a type=number max=3 value=4>", "the field a: \"4\" is above 3"),
            ("<input name=a type=number min=0 value=.5>", "the field a: \".5\" is not on a step of 1"),
        ]
    )
    func messages(markup: String, expected: String) throws {
        #expect(try form(markup).problems(sendingBy: nil).map(\.message) == [expected])
    }

    @Test func whatIsFilledInMayMakeItValid() throws {
        var form = try form(
            "<input name=a required><input name=b type=radio value=1 required><input name=c type=file required>"
        )
        #expect(kinds(form).count == 3)
        try form.fill(0, with: "x")
        try form.fill(1, with: "1")
        try form.choose([FormFile(name: "f", bytes: [])], for: 2)
        #expect(kinds(form).isEmpty)
    }

    @Test(
        "Hostile patterns and texts take linear time",
        arguments: ["(a*)*b", "(a|a)*b", "((((a*)*)*)*)*b", "a{1000}{1000}", "(((((((((("]
    )
    func hostilePatterns(pattern: String) throws {
        let form = try form("<input pattern='\(pattern)' value=\(String(repeating: "a", count: 20_000))>")
        #expect(kinds(form).count <= 1)
    }

    @Test func manyRadioButtonsTakeLinearTime() throws {
        let form = try form(String(repeating: "<input type=radio name=a required>", count: 20_000))
        #expect(kinds(form).count == 20_000)
    }
}
