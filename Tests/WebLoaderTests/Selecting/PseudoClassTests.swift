import HTTPTypes
import Testing

@testable import WebDocument

/// Pseudo-classes of links, languages, directions and form controls.
struct PseudoClassTests {
    @Test func everyPseudoClassParsesAndMatchesWithoutTrouble() throws {
        let document = try SelectorPages.html("<form><input><select><option></select></form><p>x")
        for pseudoClass in PseudoClass.allCases {
            let found = try document.querySelectorAll(":\(pseudoClass.rawValue)")
            if !pseudoClass.isStatic { #expect(found.isEmpty, "\(pseudoClass)") }
        }
    }

    @Test(
        "Links and elements",
        arguments: [
            (":link", "a m s"), (":any-link", "a m s"), (":-webkit-any-link", "a m s"), (":visited", ""),
            (":defined[id]", "a n m l s d o q v"),
            (":open", "o"), (":paused", "v"), (":muted", "v"), (":root", "html"), ("p:empty", "q"),
            (":not(:defined)", "c i"), ("dialog:open", ""),
        ]
    )
    func links(selector: String, expected: String) throws {
        let document = try SelectorPages.html(
            """
            <a id=a href=x></a><a id=n></a><area id=m href=y><link id=l href=z><svg><a id=s href=q></a></svg>\
            <details id=d></details><details id=o open></details><x-y id=c></x-y><p id=q><!--c--></p><p is=x-p id=i>t</p>\
            <video id=v muted></video>
            """
        )
        let ids = try SelectorPages.ids(document, selector).split(separator: " ").filter { $0 != "path" }
        #expect(ids.joined(separator: " ") == expected || selector == ":link" && ids.isEmpty)
    }

    @Test(
        ":lang()",
        arguments: [
            (":lang(en)", "html head meta body e g"), (":lang('en')", "html head meta body e g"),
            (":lang(EN-us)", "g"), (":lang(de)", "d h i"),
            (":lang('de-DE')", "h i"), (":lang('*-DE')", "h i"), (":lang('de-*-1996')", "i"),
            (":lang(de-1996)", "i"), (":lang('*')", "html head meta body e g d h i x"),
            (":lang('')", "u"), (":lang(fr, de)", "d h i x"), (":lang(e)", ""), (":lang(fr)", "x"),
        ]
    )
    func languages(selector: String, expected: String) throws {
        let document = try SelectorPages.html(
            """
            <meta http-equiv=Content-Language content=" en "><p id=e></p><p lang=en-US id=g></p><p lang=DE id=d><b lang=de-Latn-DE id=h></b>\
            <b lang=de-DE-1996 id=i></b></p><p lang="" id=u></p><svg xml:lang=fr lang=it id=x></svg>
            """
        )
        #expect(try SelectorPages.ids(document, selector) == expected)
    }

    @Test func theFieldSaysTheLanguageWhereTheMarkupDoesNot() throws {
        let page = try InspectionPages.page("<p id=p>", fields: [("Content-Language", "nl")])
        #expect(try page.document?.querySelectorAll("p:lang(nl)").count == 1)
        let several = try InspectionPages.page("<p id=p>", fields: [("Content-Language", "nl, en")])
        #expect(try several.document?.querySelectorAll("p:lang(nl)").isEmpty == true)
    }

    @Test func theTargetIsWhatTheFragmentNames() throws {
        let page = try InspectionPages.page("<p id='a b'>1<p id='a b'>2<p id=c>", url: "http://h.test/#a%20b")
        #expect(try page.document?.querySelectorAll(":target").map(\.textContent) == ["1"])
    }

    @Test(
        ":dir()",
        arguments: [
            (":dir(rtl)", "r c a script t b"), ("p:dir(ltr)", "l u e"), (":dir(sideways)", ""),
            ("input:dir(ltr)", "p"), (":dir(RTL)", "r c a script t b"),
        ]
    )
    func directions(selector: String, expected: String) throws {
        let document = try SelectorPages.html(
            """
            <p id=l></p><p dir=RTL id=r><b id=c></b></p><p dir=auto id=a>12 <script>x</script>\u{5D0} a</p><p id=u dir=no>\u{5D0}</p>\
            <p dir=auto id=e>12</p><textarea dir=auto id=t>\u{627}</textarea><bdi id=b>\u{5D0}</bdi><input type=tel id=p>
            """
        )
        #expect(try SelectorPages.ids(document, "body \(selector)") == expected)
    }

    static let form = """
        <form id=f><input id=t><input id=r required readonly value=v><input id=d disabled><input id=c type=checkbox checked><input id=k type=checkbox required>\
        <input type=radio name=a id=ra checked><input type=radio name=a id=rb checked><input type=radio name=b id=rc><input id=h type=hidden required>\
        <input id=ph placeholder=x><input id=pv placeholder=x value=y><select id=s><option id=o1><option id=o2 disabled></select>\
        <select id=m multiple required><option id=m1 selected><option id=m2 selected></select><select id=w required><option id=w1 value=""><option id=w2 value=x></select>\
        <textarea id=ta required></textarea><fieldset id=fs disabled><legend><input id=lg></legend><input id=in><legend><input id=l2></legend></fieldset>\
        <optgroup id=og disabled><option id=oo></optgroup><button id=b1></button><input type=submit id=b2><input id=n type=number min=1 max=5 value=7>\
        <input id=n2 type=number min=1 max=5 value=3><input id=e type=email value=nobody><input id=e2 type=email value=a@b.c><progress id=pg></progress></form>\
        <div id=ed contenteditable><i id=ei></i></div><button form=f id=b3></button><button id=b4 type=button></button>
        """

    @Test(
        "Form controls",
        arguments: [
            (":disabled", "d o2 fs in l2 og oo"), (":checked", "c rb o1 m1 m2 w1"),
            (":required", "r k m w ta"), (":default", "c ra rb m1 m2 b1"),
            (":placeholder-shown", "ph"), (":indeterminate", "rc pg"), (":in-range", "n2"),
            (":out-of-range", "n"), ("input:invalid", "k n e"),
            ("select:invalid", "w"), ("textarea:invalid", "ta"), ("form:invalid", "f"),
            ("fieldset:valid", "fs"), ("input:valid:not([type])", "t ph pv lg"),
            (":read-write", "t ph pv ta lg n n2 e e2 ed ei"), ("button:enabled", "b1 b3 b4"),
            ("option:enabled", "o1 m1 m2 w1 w2"),
            ("[required]:optional", "h"), ("button:optional", "b1 b3 b4"), ("input:user-invalid", ""),
            (":autofill", ""),
        ]
    )
    func controls(selector: String, expected: String) throws {
        #expect(try SelectorPages.ids(SelectorPages.html(Self.form), selector) == expected)
    }

    @Test(
        "Numbers and times",
        arguments: [
            ("number", "1.5e1", 15), ("number", "0x1", nil), ("number", "inf", nil), ("number", "1.", nil),
            ("number", ".5", 0.5), ("date", "1970-01-02", 86_400_000),
            ("date", "2024-02-29", 1_709_164_800_000), ("date", "2023-02-29", nil),
            ("date", "1969-12-31", -86_400_000), ("month", "1970-03", 2),
            ("month", "1970-13", nil), ("week", "1970-W01", -259_200_000),
            ("week", "2026-W01", 1_766_966_400_000), ("time", "00:01", 60_000), ("time", "24:00", nil),
            ("time", "00:00:00.5", 500), ("datetime-local", "1970-01-01T00:01", 60_000),
            ("datetime-local", "1970-01-01", nil), ("date", "", nil),
            ("date", "99999999999999999999-01-01", nil),
        ] as [(String, String, Double?)]
    )
    func inputValues(type: String, text: String, expected: Double?) throws {
        #expect(InputValue(text, try #require(InputType(rawValue: type)))?.number == expected)
    }
}
