import Testing

@testable import WebLoader
@testable import WebRules

/// Scripts, without a worker around them.
struct LuaEngineTests {
    static let html = """
        <!DOCTYPE html><title>T</title><base href="http://h/a/">
        <p id=one class=x>first <b>bold</b></p>
        <p id=two>second</p><ul><li>1<li>2<li>3</ul>
        """

    private let page: ParsedPage

    init() async throws {
        page = try await PageLoader().loadHTMLString(Self.html, baseURL: WebURL("http://h/")).parsed()
    }

    /// Runs a script on the page, or on the first element that matches.
    private func run(
        _ script: String,
        on selector: String? = nil,
        budget: Budget = Budget(),
        log: @escaping (String) -> Void = { _ in }
    ) throws -> JSONValue {
        let engine = try #require(LuaEngine(budget: budget))
        let end = MonotonicClock.now + Double(budget.time.wholeNanoseconds) / 1e9
        engine.interruption = { MonotonicClock.now < end ? nil : budget.time.wholeMilliseconds }
        let document = try #require(page.document)
        let node = try selector.map { try #require(try document.querySelector($0)) } ?? document.documentNode
        let context = ScriptContext(baseURL: page.baseURL, log: log)
        return try engine.run(script, name: "x", on: node, context: context)
    }

    @Test(
        arguments: [
            ("return 1", .integer(1)), ("return 1.5", .number(1.5)), ("return 'a\\0b'", .string("a\u{0}b")),
            ("return true", .bool(true)), ("return nil", .null), ("", .null), ("return json.null", .null),
            ("return {1, 2, 'x'}", [1, 2, "x"]), ("return {}", []),
            ("return {b = 1, a = {2}}", ["a": [2], "b": 1]),
            ("return {[1] = 'a', [3] = 'c'}", ["1": "a", "3": "c"]), ("return '\\xff'", .string("\u{FFFD}")),
            ("return #document:select('p')", 2), ("return document:select('p')[1]:text()", "first bold"),
            ("return document:select('#one')[1]:attr('class')", "x"),
            ("return document:select('p')[1]:attr('none')", .null),
            ("return document:select('#one')[1]:html()", "first <b>bold</b>"),
            ("return #document:select('ul')[1]:children()", 3),
            ("return document:select('b')[1]:parent():name()", "p"),
            ("return document:parent()", .null), ("return document:select('p')[2]:line()", 3),
            ("return document:xpath('count(//li)')", .number(3)),
            ("return document:xpath('//p')[2]:text()", "second"),
            ("return document:xpath('//@id')[2]:text()", "two"),
            ("return document:xpath('//@id')[1]:name()", "id"),
            ("return document:xpath('//@id')[1]:parent():name()", "p"),
            ("return document:xpath('//p')[1] == document:select('p')[1]", true),
            ("return document:xpath('//@id')[1] == document:select('p')[1]", false),
            ("return url.resolve('b')", "http://h/a/b"), ("return url.resolve('http://[')", .null),
            ("return json.decode('{\"a\":[1,null]}')", ["a": [1, .null]]),
            ("return json.encode({b = {1, 2.5}, a = json.null})", #"{"a":null,"b":[1,2.5]}"#),
            ("return (pcall(error, 'x'))", false), ("return select(2, pcall(error, 'x'))", "x"),
            ("return select('#', pcall(function() return 1, 2 end))", 3),
            ("return select(2, xpcall(error, function(m) return m .. '!' end, 'x'))", "x!"),
            ("return setmetatable({}, {__index = function(_, k) return k end}).abc", "abc"),
            (
                "return ('%d'):format(7) .. utf8.char(228) .. math.floor(2.5) .. table.concat({1, 2}, '-')",
                "7ä21-2"
            ),
            ("return ('ab'):rep(3)", "ababab"), ("return ('a'):rep(5, '-')", "a-a-a-a-a"),
            ("return ('a'):rep(0)", ""),
            ("return (''):rep(1e9)", ""), ("return (''):rep(3, ',')", ",,"), ("return ('a'):rep(1)", "a"),
            ("return (pcall(string.rep, 'ab', math.maxinteger))", false),
            ("x = 1 return _G.x", 1), ("return type(getmetatable(document))", "string"),
        ] as [(String, JSONValue)]
    )
    func scriptReturns(script: String, value: JSONValue) throws {
        #expect(try run(script) == value)
    }

    @Test func documentIsTheNodeInHand() throws {
        #expect(try run("return document:text()", on: "#two") == "second")
        #expect(try run("return #document:select('p')", on: "#two") == 0)
    }

    @Test(
        arguments: [
            ("return (", 1, "rule.invalid"), ("\n\nreturn x.y", 3, "rule.failed"),
            ("error('no')", 1, "rule.failed"),
            ("local a = {} a[1] = a return a", nil, "rule.failed"), ("return document", nil, "rule.failed"),
            ("return function() end", nil, "rule.failed"), ("return {[{}] = 1}", nil, "rule.failed"),
            ("return document:select('p[')", 1, "rule.failed"),
            ("return document:xpath('//p[')", 1, "rule.failed"),
            ("return document:text(1, 2).x.y", 1, "rule.failed"), ("error({})", nil, "rule.failed"),
            ("return document.select('p')", 1, "rule.failed"), ("return json.decode('{')", 1, "rule.failed"),
            ("return " + String(repeating: "(", count: 300), nil, "rule.invalid"),
            ("return '\\27Lua' + 1", 1, "rule.failed"),
        ] as [(String, Int?, String)]
    )
    func errorsSayWhere(script: String, line: Int?, code: String) throws {
        do {
            Issue.record("it returned \(try run(script))")
        } catch RuleFailure.rule(let error) {
            #expect(error.code.rawValue == code)
            #expect(error.line == nil)
            #expect(error.message.hasPrefix("line ") == (line != nil))
            if let line { #expect(error.message.hasPrefix("line \(line) of the script: ")) }
            #expect(error.rule == "x")
        }
    }

    @Test(arguments: [
        "load('return 1')", "loadfile('x')", "dofile('x')", "require('os')", "os.getenv('HOME')",
        "io.open('/etc/hostname')",
        "string.dump(print)", "collectgarbage()", "debug.getregistry()", "package.loadlib('x', 'y')",
        "coroutine.create(print)",
        "setmetatable({}, {__gc = print})", "getmetatable(document).__index.x = 1", "warn('@on')",
        "setmetatable(_G, nil)", "document.x = 1",
    ])
    func nothingElseIsThere(call: String) throws {
        #expect(throws: RuleFailure.self) { try run(call) }
    }

    @Test(
        .timeLimit(.minutes(20)),
        arguments: [
            "while true do end", "while true do pcall(function() while true do end end) end",
            "local t = setmetatable({}, {__index = function(t, k) while true do end end}) return t.x",
            "for _ in function() return 1 end do end",
            "local x <close> = setmetatable({}, {__close = function() while true do end end}) while true do end",
            "xpcall(function() while true do end end, function() while true do end end)",
        ]
    )
    func timeEnds(script: String) throws {
        #expect(limit { try run(script, budget: Budget(time: .milliseconds(30))) } == .time)
    }

    @Test(
        .timeLimit(.minutes(20)),
        arguments: [
            "local s = 'x' while true do s = s .. s end",
            "local a = {} while true do a[#a + 1] = {x = #a} end",
            "local a = {} while true do pcall(function() a[#a + 1] = string.rep('ab', 1000) .. #a end) end",
            "return string.rep('x', 20000000)",
            "return table.concat({('x'):rep(3000000), ('y'):rep(3000000)})",
        ]
    )
    func memoryEnds(script: String) throws {
        #expect(limit { try run(script, budget: Budget(memory: .megabytes(4))) } == .memory)
    }

    private func limit(_ body: () throws -> JSONValue) -> BudgetExceeded.Code? {
        do {
            Issue.record("it returned \(try body())")
        } catch RuleFailure.budget(let exceeded) {
            return exceeded.code
        } catch {
            Issue.record(error)
        }
        return nil
    }

    @Test func garbageIsNoLiveMemory() throws {
        let script = "local n = 0 for i = 1, 200 do n = n + #string.rep('ab', 100000) end return n"
        #expect(try run(script, budget: Budget(memory: .megabytes(1))) == 40_000_000)
    }

    @Test func pairsHasAnOrder() throws {
        let script = """
            local keys = {}
            for k, v in pairs({z = 1, a = 2, [3] = 3, [1.5] = 4, m = 5}) do keys[#keys + 1] = tostring(k) .. v end
            return table.concat(keys, ' ')
            """
        #expect(try run(script) == "1.54 33 a2 m5 z1")
        #expect(try run("local t = {a = 1, b = 2, c = 3} for k in pairs(t) do t[k] = nil end return t") == [])
        #expect(
            try run(
                "local t = {a = 1, b = 2} local n = 0 for k in pairs(t) do t.b = nil n = n + 1 end return n"
            ) == 1
        )
    }

    @Test func randomNumbersAreTheSameEveryTime() throws {
        #expect(try run("return math.random(1 << 40)") == run("return math.random(1 << 40)"))
    }

    /// They would differ each time, and say where this process has its memory.
    @Test(
        arguments: [
            ("return tostring({})", "table"), ("return tostring(print)", "function"),
            ("return tostring(document)", "node"),
            ("return ('%s %5s|%%s'):format({}, 'x')", "table     x|%s"),
            ("return tostring(setmetatable({}, {__tostring = function() return 'own' end}))", "own"),
            ("return tostring(setmetatable({}, {__name = 'named'}))", "named"),
            ("return tostring(setmetatable({}, {__name = {}}))", "table"),
            ("return tostring(1.5) .. tostring(nil) .. tostring(true)", "1.5niltrue"),
            ("return ('%5.1f%-3d|'):format(1.25, 3)", "  1.23  |"),
            ("return select(2, pcall(string.format, '%p', {}))", "invalid conversion '%p' to 'format'"),
        ]
    )
    func textsHaveNoAddresses(script: String, text: String) throws {
        #expect(try run(script) == .string(text))
    }

    @Test func randomSeedsAreTheSameEveryTime() throws {
        let script = "math.randomseed() return math.random(1 << 40)"
        #expect(try run(script) == run(script))
        #expect(try run("math.randomseed(7) return math.random(1 << 40)") != run(script))
    }

    @Test func runsDoNotSeeEachOther() throws {
        let engine = try #require(LuaEngine(budget: Budget()))
        let node = try #require(page.document).documentNode
        let context = ScriptContext(baseURL: page.baseURL) { _ in }
        func run(_ script: String) throws -> JSONValue {
            try engine.run(script, name: "x", on: node, context: context)
        }
        #expect(try run("n = (n or 0) + 1 return n") == 1)
        #expect(try run("n = (n or 0) + 1 return n") == 1)
        #expect(try run("return n") == .null)
    }

    @Test func printIsLog() throws {
        var lines: [String] = []
        _ = try run("print('a', 1) log(nil)", log: { lines.append($0) })
        #expect(lines == ["a\t1", "nil"])
    }

    @Test func checkCompilesOnly() throws {
        let engine = try #require(LuaEngine(budget: Budget()))
        try engine.check("while true do end", name: "x")
        #expect(throws: RuleError.self) { try engine.check("return return", name: "x") }
    }
}
