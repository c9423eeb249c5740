import Testing

@testable import WebRules

struct RecipeEvaluationTests {
    static let page = """
        <!DOCTYPE html><html lang=en><title>T</title><body><h1> Two \n words </h1>
        <ul><li class=a>One <b>1</b><li class=b>Two<li class=a data-x=7>Three</ul>
        <a href="../up?q=1">Up</a><a href="http://[">Bad</a><a>None</a>
        <article><h2>A</h2><p class=p>1</p><p class=p>2</p></article>
        <article><h2>B</h2></article></body></html>
        """

    /// Fields, and what they are on the page.
    static let fields: [(fields: String, data: String)] = [
        // The short form, and what is taken.
        (#"{"t":"h1"}"#, #"{"t":"Two words"}"#),
        (#"{"t":{"select":"h1","take":"raw"}}"#, #"{"t":" Two \n words "}"#),
        (#"{"t":{"select":"li","take":"html"}}"#, #"{"t":"One <b>1</b>"}"#),
        (#"{"t":{"select":"li.b","take":"outer"}}"#, #"{"t":"<li class=\"b\">Two</li>"}"#),
        (#"{"t":{"select":"li","take":"attr:data-x"}}"#, #"{"t":null}"#),
        (#"{"t":{"select":"li","take":"attr:data-x","all":true}}"#, #"{"t":["7"]}"#),
        (#"{"t":{"select":"a","take":"url:href","all":true}}"#, #"{"t":["http://h.test/up?q=1"]}"#),
        (#"{"t":{"select":"li","take":"count"}}"#, #"{"t":3}"#),
        (#"{"t":{"select":"none","take":"count"}}"#, #"{"t":0}"#),
        (#"{"t":{"select":"li","take":"exists"},"u":{"css":"x","take":"exists"}}"#, #"{"t":true,"u":false}"#),
        (#"{"t":{"select":"li","take":"line","all":true}}"#, #"{"t":[3,3,3]}"#),
        (#"{"t":{"select":"li","all":true}}"#, #"{"t":["One 1","Two","Three"]}"#),
        (#"{"t":"none","u":{"select":"none","all":true}}"#, #"{"t":null,"u":[]}"#),
        // XPath, of every type.
        (#"{"t":"//h1"}"#, #"{"t":"Two words"}"#),
        (#"{"t":{"xpath":"//li/@class","all":true}}"#, #"{"t":["a","b","a"]}"#),
        (#"{"t":"(//li)[2]"}"#, #"{"t":"Two"}"#),
        (
            #"{"t":{"xpath":"count(//li)"},"u":{"xpath":"1 div 2"},"v":{"xpath":"0 div 0"}}"#,
            #"{"t":3,"u":0.5,"v":null}"#
        ),
        (#"{"t":{"xpath":"string(//h2)"},"u":{"xpath":"count(//li)>2"}}"#, #"{"t":"A","u":true}"#),
        (#"{"t":{"xpath":"string(//h2)","all":true}}"#, #"{"t":["A"]}"#),
        (#"{"t":{"xpath":"//a/@href","take":"url:href"}}"#, #"{"t":"http://h.test/up?q=1"}"#),
        (#"{"t":{"xpath":"//h1/text()","take":"raw"}}"#, #"{"t":" Two \n words "}"#),
        // Groups.
        (
            #"{"i":{"select":"article","each":{"h":"h2","p":{"select":"p","all":true}}}}"#,
            #"{"i":[{"h":"A","p":["1","2"]},{"h":"B","p":[]}]}"#
        ),
        (
            #"{"i":{"select":"ul","each":{"l":{"select":"li","each":{"b":"b"}}}}}"#,
            #"{"i":[{"l":[{"b":"1"},{"b":null},{"b":null}]}]}"#
        ),
        (
            #"{"i":{"select":"li","each":{"c":{"take":"attr:class"},"t":{"take":"text"}}}}"#,
            #"{"i":[{"c":"a","t":"One 1"},{"c":"b","t":"Two"},{"c":"a","t":"Three"}]}"#
        ),
        (
            #"{"i":{"xpath":"//article","each":{"h":"./h2","n":{"xpath":"count(.//p)"}}}}"#,
            #"{"i":[{"h":"A","n":2},{"h":"B","n":0}]}"#
        ),
        (
            #"{"i":{"select":":scope > body > article","each":{"h":":scope > h2"}}}"#,
            #"{"i":[{"h":"A"},{"h":"B"}]}"#
        ),
        // Constants, alternatives, defaults.
        (#"{"a":{"const":{"z":1,"b":[true,null]}}}"#, #"{"a":{"z":1,"b":[true,null]}}"#),
        (#"{"a":{"first_of":["none","h2","h1"]}}"#, #"{"a":"A"}"#),
        (#"{"a":{"first_of":[{"select":"h1","transform":["number"]},"h2"]}}"#, #"{"a":"A"}"#),
        (#"{"a":{"first_of":[{"select":"li","matches":"^T"},{"select":"li.b"}]}}"#, #"{"a":"Two"}"#),
        (#"{"a":{"first_of":["none"],"default":7}}"#, #"{"a":7}"#),
        (#"{"a":{"select":"none","default":[]}}"#, #"{"a":[]}"#),
        (#"{"a":{"first_of":["none",{"const":"x"}],"transform":["upper"]}}"#, #"{"a":"X"}"#),
        // The order is the recipe's.
        (#"{"z":"h2","a":"h1"}"#, #"{"z":"A","a":"Two words"}"#),
    ]

    @Test(arguments: fields)
    func fieldsAreTaken(_ sample: (fields: String, data: String)) throws {
        let run = try RecipeRun.fields(sample.fields, on: Self.page)
        #expect(run.data == sample.data)
        #expect(run.errors.isEmpty)
    }

    @Test func theSameInputGivesTheSameBytes() throws {
        let recipe =
            #"{"b":{"select":"li","each":{"z":"b","a":{"take":"attr:class"}}},"a":{"const":{"y":1,"x":2}}}"#
        let first = try RecipeRun.fields(recipe, on: Self.page).data
        for _ in 0..<5 { #expect(try RecipeRun.fields(recipe, on: Self.page).data == first) }
    }

    // MARK: - Assertions

    static let drifts: [(field: String, words: String?)] = [
        (#"{"select":"none","required":true}"#, "required, but found nothing"),
        (#"{"select":"none","all":true,"required":true}"#, "required, but found an empty list"),
        (#"{"select":"h1","required":true}"#, nil), (#"{"select":"none","min":1}"#, nil),
        (#"{"select":"li","all":true,"min":4}"#, "a list of at least 4, found 3"),
        (#"{"select":"li","all":true,"max":2}"#, "a list of at most 2, found 3"),
        (#"{"select":"li","all":true,"min":3,"max":3}"#, nil),
        (#"{"select":"li","take":"count","max":2.5}"#, "a number of at most 2.5, found 3"),
        (#"{"select":"h2","min":2}"#, "a length of at least 2, found 1"),
        (#"{"select":"h1","matches":"^\\d"}"#, "does not match"),
        (#"{"select":"h1","matches":"words$"}"#, nil),
        (#"{"select":"li","all":true,"matches":"e"}"#, "\"Two\" does not match e"),
        (#"{"select":"article","each":{"t":"h2"},"min":3}"#, "a list of at least 3, found 2"),
        (#"{"select":"none","required":true,"default":1}"#, "required"),
    ]

    @Test(arguments: drifts)
    func whatDoesNotHoldIsDrift(_ drift: (field: String, words: String?)) throws {
        let run = try RecipeRun.fields(#"{"f":\#(drift.field)}"#, on: Self.page)
        #expect(run.errors.map(\.code) == (drift.words == nil ? [] : [.drift]))
        if let words = drift.words { #expect(run.errors[0].message.contains(words), "\(run.errors[0])") }
        #expect(run.errors.allSatisfy { $0.rule == "f" && $0.line == 1 })
    }

    @Test func aFieldThatDriftedKeepsItsValue() throws {
        let run = try RecipeRun.fields(#"{"f":{"select":"h1","matches":"x"},"g":"h2"}"#, on: Self.page)
        #expect(run.data == #"{"f":"Two words","g":"A"}"#)
    }

    // MARK: - Failures

    @Test(arguments: [
        (#"{"select":"h1","transform":["number"]}"#, "number: \"Two words\" is not a single number"),
        (#"{"select":"h1","transform":["date"]}"#, "date: \"Two words\""),
        (#"{"select":"h1","transform":["json"]}"#, "json: line 1, column 1"),
        (#"{"const":"http://[","transform":["url"]}"#, "is not a valid URL"),
        (#"{"const":{"a":1},"transform":["trim"]}"#, "expected a text, found an object"),
        (#"{"xpath":"nothing(1)"}"#, "XPath: "), (#"{"xpath":"1","each":{"a":"b"}}"#, "expected nodes"),
        (#"{"script":"return 1"}"#, "scripts cannot be run here"),
        (#"{"select":"a","follow":{"fields":{"a":"b"}}}"#, "no pages can be followed"),
    ])
    func aRuleThatFailsIsNullAndTheOthersStand(field: String, words: String) throws {
        let run = try RecipeRun.fields(#"{"f":\#(field),"g":"h2"}"#, on: Self.page)
        #expect(run.data == #"{"f":null,"g":"A"}"#)
        #expect(run.errors.count == 1)
        #expect(run.errors[0].message.contains(words), "\(run.errors[0])")
        #expect(run.errors[0].rule == "f")
    }

    @Test func aFailureInAnEachIsItsOwn() throws {
        let run = try RecipeRun.fields(
            #"{"i":{"select":"li","each":{"n":{"take":"text","transform":["number"]}}}}"#,
            on: Self.page
        )
        #expect(run.data == #"{"i":[{"n":1},{"n":null},{"n":null}]}"#)
        #expect(run.errors.map(\.rule) == ["i[].n", "i[].n"])
    }

    @Test func oneRuleIsNotReportedThousandsOfTimes() throws {
        let run = try RecipeRun.fields(
            #"{"i":{"select":"p","each":{"n":{"take":"text","transform":["number"]}}}}"#,
            on: String(repeating: "<p>x", count: 5000)
        )
        #expect(run.errors.count == 11)
        #expect(run.errors.last?.message == "the same error 4990 more times")
    }

    @Test(arguments: [
        (#"{"const":"a","transform":[{"match":"("}]}"#, "regular expression: byte 1"),
        (#"{"const":"a","transform":[{"match":"((a{1,100}){1,100}){1,100}"}]}"#, "regular expression"),
        (#"{"const":"a","matches":"[z-a]"}"#, "regular expression"),
        (#"{"const":"a","transform":[{"match":"\\C"}]}"#, "regular expression"),
    ])
    func aPatternThatDoesNotCompileIsInvalid(field: String, words: String) throws {
        let run = try RecipeRun.fields(#"{"g":"h1","f":\#(field)}"#, on: Self.page)
        #expect(run.data == "{}")
        #expect(run.errors.map(\.code) == [.invalid])
        #expect(run.errors[0].message.contains(words), "\(run.errors[0])")
        #expect(run.errors[0].rule == "f")
        #expect(run.errors[0].column == 33)
    }

    // MARK: - Bounds

    private func budget(_ change: (inout Budget) -> Void) -> Budget {
        var budget = Budget()
        change(&budget)
        return budget
    }

    @Test func whatWasFinishedBeforeABreachStays() throws {
        let recipe =
            #"{"version":1,"fields":{"a":"h1","b":{"const":"x","transform":[{"repeat":1000}]},"c":"h2"}}"#
        let run = try RecipeRun.run(recipe, on: Self.page, budget: budget { $0.output = .bytes(500) })
        #expect(run.data == #"{"a":"Two words"}"#)
        let exceeded = try #require(run.exceeded)
        #expect(exceeded.code == .output)
        #expect(exceeded.rule == "b")
        #expect(exceeded.allowed == 500)
        #expect(exceeded.used > 1000)
    }

    @Test(arguments: [
        #"{"const":"x","transform":[{"repeat":9000000000000000000}]}"#,
        #"{"const":"xxxxxxxx","transform":[{"repeat":2000000}]}"#,
        #"{"const":"x","transform":[{"repeat":1000},{"replace":["","0123456789"]},{"replace":["","0123456789"]},{"replace":["","0123456789"]},{"replace":["","0123456789"]}]}"#,
        #"{"const":"x","transform":[{"repeat":9000},{"template":"${value}${value}${value}${value}"},{"template":"${value}${value}${value}${value}"},{"template":"${value}${value}${value}${value}"},{"template":"${value}${value}${value}${value}"},{"template":"${value}${value}${value}${value}"},{"template":"${value}${value}${value}${value}"}]}"#,
    ])
    func textsThatGrowAreStopped(field: String) throws {
        let run = try RecipeRun.fields(#"{"a":"h1","f":\#(field)}"#, on: Self.page)
        #expect(run.exceeded?.code == .memory)
        #expect(run.exceeded?.rule == "f")
        #expect(run.data == #"{"a":"Two words"}"#)
    }

    @Test func aPatternThatBacktracksIsStopped() throws {
        let run = try RecipeRun.fields(
            #"{"f":{"const":"\#(String(repeating: "a", count: 60))!","transform":[{"match":"^(a+)+$"}]}}"#
        )
        #expect(run.exceeded?.code == .time)
    }

    @Test(arguments: [
        #"{"a":"h1"}"#, #"{"a":"none","é\"":{"select":"li","all":true}}"#,
        #"{"i":{"select":"article","each":{"h":"h2","p":{"select":"p","each":{"t":{"take":"text"}}}}}}"#,
        #"{"i":{"select":"none","each":{"h":"h2"}},"c":{"const":{"x":[1,{"y":null}],"z":"\n\u0001"}}}"#,
    ])
    func theResultsLengthIsCountedToTheByte(fields: String) throws {
        let run = RecipeRun()
        var evaluator = RecipeEvaluator(
            try Recipe(#"{"version":1,"fields":\#(fields)}"#),
            budget: Budget(),
            engine: nil,
            host: nil,
            sink: run
        )
        try evaluator.run(on: try RecipeRun.rulePage(Self.page))
        #expect(evaluator.output == run.data.utf8.count)
    }

    @Test func everyRuleThatIsTakenUpIsAnnounced() throws {
        let run = try RecipeRun.fields(#"{"i":{"select":"li","each":{"t":"b"}}}"#, on: Self.page)
        #expect(run.begun >= 4)
    }

    // MARK: - Provenance

    @Test func valuesHaveTheirOrigins() throws {
        let run = try RecipeRun.fields(
            """
            {"t":{"select":"h1"},"l":{"select":"li","all":true,"transform":["upper"]},
             "u":{"select":"li","all":true,"take":"attr:class","transform":["unique"]},
             "i":{"select":"article","each":{"h":"h2"}},"x":{"xpath":"//li/@class"},"c":{"const":1}}
            """,
            on: Self.page,
            notesProvenance: true
        )
        let notes = run.provenance.map { "\($0.path) \($0.rule) \($0.node ?? "-") \($0.position?.line ?? 0)" }
        #expect(
            notes == [
                "t t /html/body/h1 1", "l[0] l /html/body/ul/li[1] 3", "l[1] l /html/body/ul/li[2] 3",
                "l[2] l /html/body/ul/li[3] 3", "u u /html/body/ul/li[1] 3", "u u /html/body/ul/li[2] 3",
                "u u /html/body/ul/li[3] 3", "i[0].h i[].h /html/body/article[1]/h2 5",
                "i[1].h i[].h /html/body/article[2]/h2 6", "x x /html/body/ul/li[1]/@class 3", "c c - 0",
            ]
        )
        #expect(run.provenance.allSatisfy { $0.source == "http://h.test/d/page" })
    }
}
