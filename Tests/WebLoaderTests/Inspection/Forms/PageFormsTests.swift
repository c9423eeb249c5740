import TestSupport
import Testing

@testable import WebDocument

/// The forms of a page, as they are filled in by names, labels and selectors.
@Suite(.timeLimit(.minutes(20)))
struct PageFormsTests {
    private func forms(_ markup: String) throws -> PageForms { PageForms(try InspectionPages.page(markup)) }

    private func code(_ action: () throws -> Void) -> FormError.Code? {
        #expect(throws: FormError.self, performing: action)?.code
    }

    @Test(
        "A field has a name, or else a label, or else a selector",
        arguments: [
            ("<form><input name=a><input name=b>", "b", 1),
            ("<form><label>a<input name=b></label><input name=a>", "a", 1),
            ("<form><input><label> A \n b <input></label>", "A b", 1),
            ("<form><label for=i>L</label><input><input id=i>", "L", 1),
            ("<form><input><input class=c>", ".c", 1), ("<form><input><textarea></textarea>", "textarea", 1),
            ("<form><input><input name='a[b]'>", "a[b]", 1), ("<form><input><input name='#('>", "#(", 1),
            ("<form><button name=a></button><input name=a>", "a", 1),
            ("<form><p class=c></p><button class=c></button><select class=c></select>", ".c", 1),
            ("<form><input type=hidden name=a value=0><input type=checkbox name=a>", "a", 0),
            ("<form><input name=a disabled><input name=a>", "a", 1),
            ("<form><input type=hidden name=a>", "a", 0),
            ("<form><input name=a><input name=a>", "a", 0),
            ("<input class=c><form><input class=c>", ".c", 0),
        ]
    )
    func fields(markup: String, name: String, expected: Int) throws {
        let place = try forms(markup).field(name)
        #expect(place == PageForms.Place(form: 0, field: expected))
    }

    @Test(
        "There is no such field",
        arguments: [
            ("<form><input name=a>", "b"), ("<form><input name=a>", ""), ("<form><input name=a>", "("),
            ("<form><input name=a>", "p:nosuch("), ("<form><p>", "p"), ("<form><button name=a>", "a"),
            ("<form><label>L<button>x</button></label>", "L"), ("<input name=a>", "a"), ("<p>", "a"),
            ("<template><form><input name=a></form></template>", "a"), ("<form><input name=a>", "A"),
        ]
    )
    func missing(markup: String, name: String) throws {
        let forms = try forms(markup)
        #expect(code { _ = try forms.field(name) } == .missing)
        let message = #expect(throws: FormError.self) { try forms.field(name) }?.message
        #expect(message == "no field \(name): no control has that name, label or selector")
    }

    @Test func aControlThatBelongsToNoFormIsNamed() throws {
        let forms = try forms("<input id=a><form></form>")
        #expect(throws: FormError(.missing, "input #a belongs to no form")) { try forms.field("#a") }
    }

    @Test(
        "A button has a name, a selector or a text",
        arguments: [
            ("<form><button name=a>x</button><button>y</button>", "y", 1),
            ("<form><button>x</button><button> A \n <b>b</b> </button>", "A b", 1),
            ("<form><button>x</button><input type=submit value=' Go  on '>", "Go on", 1),
            ("<form><button>x</button><input type=submit>", "Submit", 1),
            ("<form><button>x</button><input type=submit name=a>", "a", 1),
            ("<form><button>x</button><input type=image class=c>", ".c", 1),
            ("<form><button>x</button><button>Save (all)!</button>", "Save (all)!", 1),
            ("<form><button type=button>x</button><button>x</button>", "x", 1),
            ("<form><input name=a><button name=a>x</button>", "a", 1),
            ("<form><button disabled>x</button><button>x</button>", "x", 1),
            ("<form><button name=a disabled>x</button><button name=a>x</button>", "a", 1),
        ]
    )
    func buttons(markup: String, name: String, expected: Int) throws {
        #expect(try forms(markup).button(name) == PageForms.Place(form: 0, field: expected))
    }

    @Test(
        "There is no such button",
        arguments: [
            ("<form><button>x</button>", "y"), ("<form><button>x</button>", "("),
            ("<form><button type=reset>x</button>", "x"), ("<form><input name=x>", "x"),
            ("<button>x</button>", "x"),
            ("<form></form><button id=x>x</button>", "#x"), ("", "x"),
        ]
    )
    func noButton(markup: String, name: String) throws {
        let forms = try forms(markup)
        #expect(throws: FormError(.missing, "no button \(name): none has that name, text or selector")) {
            try forms.button(name)
        }
    }

    @Test func aFormIsFilledInAndSent() throws {
        var forms = try forms(
            """
            <form action=search><input name=q></form><form action=login method=post><label>User <input name=u></label>
            <input type=password name=p required><input type=hidden name=t value=1><button name=b value=in>Log in</button>
            <button name=c value=up>Sign up</button></form>
            """
        )
        #expect(forms.filledForm == nil)
        #expect(try forms.submission().url.href == "http://h.test/d/search?q=")
        #expect(try forms.fill("User", with: "ada") == PageForms.Place(form: 1, field: 0))
        #expect(forms.filledForm == 1)
        #expect(throws: FormError(.invalid, "the field p has to be filled in")) { try forms.submission() }
        try forms.fill("[type=password]", with: "secret")
        let body = try #require(try forms.submission().content()).body
        #expect(String(decoding: body, as: UTF8.self) == "u=ada&p=secret&t=1&b=in")
        let other = try forms.submission(button: "Sign up").entries.map(\.value)
        #expect(other == ["ada", "secret", "1", "up"])
        #expect(forms[PageForms.Place(form: 1, field: 1)].value == "secret")
        #expect(try forms.submission(button: "b").url.href == "http://h.test/d/login")
    }

    @Test func aHiddenFieldBesideABoxStaysAsItIs() throws {
        var forms = try forms("<form><input type=hidden name=a value=0><input type=checkbox name=a value=1>")
        let box = "input[type=checkbox][name=a]"
        try forms.fill(box, with: "1")
        #expect(try forms.submission().url.query == "a=0&a=1")
        try forms.fill(box, with: "off")
        #expect(try forms.submission().url.query == "a=0")
    }

    @Test func filesAreChosenByName() throws {
        var forms = try forms("<form></form><form method=post><input type=file name=f required>")
        try forms.choose([FormFile(name: "x", bytes: [])], for: "f")
        #expect(forms.filledForm == 1)
        #expect(try forms.submission().entries.map(\.value) == ["x"])
        #expect(code { try forms.choose([], for: "g") } == .missing)
    }

    @Test func whatFailsDoesNotCountAsFilledIn() throws {
        var forms = try forms("<form><input name=a></form><form><input name=b type=number></form>")
        #expect(code { try forms.fill("b", with: "x") } == .value)
        #expect(code { try forms.choose([], for: "b") } == .value)
        #expect(forms.filledForm == nil)
    }

    @Test(
        "What is not sent, and why",
        arguments: [
            ("", nil, .missing), ("<input>", nil, .missing), ("<form>", "x", .missing),
            ("<form><button disabled>x</button>", "x", .value), ("<form><input required>", nil, .invalid),
            ("<form method=dialog><button>x</button>", "x", .unsent), ("<form method=dialog>", nil, .unsent),
            ("<form action='http://['>", nil, .unsent),
            ("<form><button formmethod=dialog>x</button>", nil, .unsent),
        ] as [(String, String?, FormError.Code)]
    )
    func unsent(markup: String, button: String?, expected: FormError.Code) throws {
        let forms = try forms(markup)
        #expect(code { _ = try forms.submission(button: button) } == expected)
    }

    @Test func aButtonMaySendWithoutValidation() throws {
        let forms = try forms(
            "<form><input name=a required><button>x</button><button formnovalidate>y</button>"
        )
        #expect(code { _ = try forms.submission(button: "x") } == .invalid)
        #expect(try forms.submission(button: "y").url.query == "a=")
    }

    @Test func atMostEightProblemsAreTold() throws {
        let forms = try forms("<form>" + String(repeating: "<input name=a required>", count: 20))
        let message = #expect(throws: FormError.self) { try forms.submission() }?.message
        #expect(message?.split(separator: ";").count == 8)
    }

    @Test func aPageThatIsNoMarkupHasNoForms() throws {
        let forms = PageForms(try InspectionPages.page("<form><input name=a>", type: "image/png"))
        #expect(forms.forms.isEmpty)
        #expect(code { _ = try forms.field("a") } == .missing)
        #expect(code { _ = try forms.button("a") } == .missing)
        #expect(code { _ = try forms.submission() } == .missing)
    }

    @Test func theFormsAreThoseOfThePage() throws {
        let page = try InspectionPages.page(
            "<table><form id=f><tr><td><input name=a></table><input form=f name=b><form>"
        )
        #expect(PageForms(page).forms == page.forms)
    }

    @Test(
        "However many fields there are, they take linear time",
        .enabled(if: Nightly.isOn, "nightly: slow where it is not optimised"),
        arguments: [
            "<input name=a value=b>", "<input type=checkbox name=a value=b>",
            "<input type=radio name=a value=b>",
            "<label>a<input></label>", "<input name=a><button>x</button>",
            "<input name=a type=color value=red>",
            "<input name=a type=range>", "<select name=a><option>b</select>",
        ]
    )
    func manyFields(markup: String) throws {
        // The limits of a page bound how many controls are found.
        let count = markup.contains("</button>") ? 10_000 : 20_000
        var forms = try forms(
            "<form method=post>" + String(repeating: markup, count: count) + "<button id=z>last"
        )
        for _ in 0..<3 { try forms.fill("a", with: markup.contains("range") ? "1" : "b") }
        #expect(code { _ = try forms.field("nosuch") } == .missing)
        let place = try forms.button("last")
        #expect(forms[place].id == "z")
        let body = try #require(try forms.submission(button: "last").content()).body
        #expect(!body.isEmpty || markup.contains("label"))
    }
}
