import Testing

@testable import WebRules

/// Tests of the values that scripts return or pass to the libraries, even if they change meanwhile or have no end.
@Suite(.timeLimit(.minutes(20)))
struct ScriptValueTests {
    private func run(_ script: String, budget: Budget = Budget()) throws -> JSONValue {
        let engine = try #require(LuaEngine(budget: budget))
        let end = MonotonicClock.now + Double(budget.time.wholeNanoseconds) / 1e9
        engine.interruption = { MonotonicClock.now < end ? nil : budget.time.wholeMilliseconds }
        let page = try RecipeRun.rulePage("<!DOCTYPE html><p>one<p>two")
        let context = ScriptContext(baseURL: page.baseURL) { _ in }
        return try engine.run(script, name: "x", on: page.document.documentNode, context: context)
    }

    @Test(arguments: ["v", "k", "kv"])
    func entriesThatGoWhileTheyAreWrittenAreLeftOut(mode: String) throws {
        let script = """
            local bad = 0
            for n = 1, 300 do
              local t = setmetatable({}, {__mode = "\(mode)"})
              for i = 1, n % 200 + 20 do t["key" .. i] = {i} end
              for i = 1, n % 50 do t[i] = {i} end
              local ok, text = pcall(json.encode, {w = t, z = "tail"})
              if not ok or text:sub(-11) ~= '"z":"tail"}' or not pcall(json.decode, text) then bad = bad + 1 end
              for k, v in pairs(t) do if v == nil then bad = bad + 1 end end
            end
            return bad
            """
        #expect(try run(script, budget: Budget(time: .seconds(300))) == 0)
    }

    @Test(
        arguments: [
            // A table that is no list, though its length is the number of its keys.
            ("local t = {nil, 5} t.x = 1 return t", ["2": 5, "x": 1]),
            ("return {[2] = 'b', [1] = 'a'}", ["a", "b"]),
            ("return {[0] = 'a'}", ["0": "a"]), ("return {[-1] = 1}", ["-1": 1]),
            ("return {[math.maxinteger] = 1}", ["9223372036854775807": 1]),
            ("return {[math.mininteger] = 1}", ["-9223372036854775808": 1]),
            ("return math.mininteger", .integer(.min)), ("return math.maxinteger", .integer(.max)),
            // An encoding that fails half-way leaves nothing in the result.
            ("pcall(json.encode, {1, 2, print}) return 5", 5),
            ("pcall(json.encode, {a = {b = print}}) return {a = 1}", ["a": 1]),
            // No metamethod has a say in what is written.
            (
                "return setmetatable({1}, {__len = error, __index = error, __pairs = error, __tostring = error})",
                [1]
            ),
            ("return json.encode(setmetatable({a = 1}, {__index = error, __name = 'x'}))", #"{"a":1}"#),
        ] as [(String, JSONValue)]
    )
    func valuesAreWhatIsThere(script: String, value: JSONValue) throws {
        #expect(try run(script) == value)
    }

    @Test(arguments: [
        "return {[1] = 'a', ['1'] = 'b', x = 1}", "return {[1.5] = 1}", "return {[true] = 1}",
        "local t = {} t.t = t return t", "local t = {} t[1] = t return json.encode(t)",
        "local t = {} for i = 1, 200 do t = {t} end return t",
        "local t = {} for i = 1, 200 do t = {a = t} end return json.encode(t)",
        "return json.decode(('['):rep(100000))", "return json.encode()", "return json.encode(print)",
        "return {document}", "return {a = {document:select('p')[1]}}",
    ])
    func whatIsNoValueIsAnError(script: String) throws {
        do {
            Issue.record("it returned \(try run(script))")
        } catch RuleFailure.rule(let error) {
            #expect(error.code == .failed)
        }
    }

    @Test(arguments: [
        "local s = ('x'):rep(100000) local t = {} for i = 1, 5000 do t[i] = s end return t",
        "local s = ('x'):rep(100000) local t = {} for i = 1, 5000 do t[i] = s end return json.encode(t)",
        "local t = {1} for i = 1, 100 do t = {t, t} end return t",
        "local t = {1} for i = 1, 100 do t = {a = t, b = t} end return json.encode(t)",
    ])
    func whatIsThereOnceAndWrittenAThousandTimesIsMemory(script: String) throws {
        do {
            let budget = Budget(time: .seconds(60), memory: .megabytes(4))
            Issue.record("it returned \(try run(script, budget: budget))")
        } catch RuleFailure.budget(let exceeded) {
            #expect(exceeded.code == .memory)
        }
    }

    @Test func aTextThatTakesAnothersPlaceInFormatHasNoAddress() throws {
        let script = """
            local second = setmetatable({}, {__tostring = function() return "second" end})
            local first = setmetatable({}, {__tostring = function()
              getmetatable(second).__tostring = nil
              return "first"
            end})
            return ("%s %s"):format(first, second)
            """
        #expect(try run(script) == "first table")
    }

    /// Each variable is closed by a function of the script, which could go on for as long as there are variables.
    @Test func variablesThatAreToBeClosedDoNotOutlastTheTime() throws {
        let script = """
            local closing = setmetatable({}, {__close = function() for i = 1, 900 do end end})
            local function deeper(n)
              local a <close>, b = closing, 1
              local c <close> = closing
              return n == 0 and (function() while true do end end)() or deeper(n - 1), b
            end
            return deeper(20000)
            """
        do {
            let budget = Budget(time: .milliseconds(50), memory: .megabytes(50))
            Issue.record("it returned \(try run(script, budget: budget))")
        } catch RuleFailure.budget(let exceeded) {
            #expect(exceeded.code == .time)
        }
    }

    private static let arguments = """
        local values = {
          0, 1, -1, 2.5, 1e308, -1e308, 0/0, 1/0, -1/0, math.mininteger, math.maxinteger, 1 << 31, -(1 << 31), 1 << 53,
          "", "a", "\\0", "\\xff\\xfe", ("x"):rep(300), ("%s"):rep(40), "%99.99f", "%1000d", "[", "%", "(((", "^-$", "%b", "%f",
          "<i17", "i0", "!17i16", "s9", "z", "Xi", ">!8 d j n T s16", true, false, {}, {1, 2, 3}, print, document, json.null,
          setmetatable({}, {__len = function() return math.maxinteger end}),
          setmetatable({}, {__len = function() return -1 end}),
          setmetatable({}, {__len = function() return 2.5 end}),
          setmetatable({}, {__index = function(_, k) return k end, __len = function() return 50 end}),
          setmetatable({}, {__tostring = function() return 1 end}), setmetatable({}, {__name = 5}),
          setmetatable({}, {__tostring = function() error({}) end}), setmetatable({}, {__pairs = function() end}),
        }
        local tables = {string = string, table = table, math = math, utf8 = utf8, json = json, url = url,
          node = {select = document.select, xpath = document.xpath, text = document.text, attr = document.attr,
            html = document.html, children = document.children, parent = document.parent, line = document.line,
            name = document.name},
          base = {assert = assert, error = error, getmetatable = getmetatable, ipairs = ipairs, next = next, pairs = pairs,
            pcall = pcall, rawequal = rawequal, rawget = rawget, rawlen = rawlen, rawset = rawset, select = select,
            setmetatable = setmetatable, tonumber = tonumber, tostring = tostring, type = type, xpcall = xpcall, log = log}}
        """

    /// Every function there is, with arguments of every kind: a value or an error, and the state is as good as before.
    @Test(arguments: ["string", "table", "math", "utf8", "json", "url", "node", "base"])
    func functionsTakeArgumentsOfEveryKind(library: String) throws {
        // Functions whose work grows with their arguments get numbers that end soon.
        let script = """
            \(Self.arguments)
            local slow = {rep = true, move = true, concat = true, unpack = true, sort = true, insert = true, remove = true}
            local calls, names = 0, {}
            for name in pairs(tables["\(library)"]) do names[#names + 1] = name end
            for _, name in ipairs(names) do
              local f = tables["\(library)"][name]
              if type(f) == "function" then
                for i, a in ipairs(values) do
                  pcall(f, a)
                  calls = calls + 1
                  if not slow[name] then
                    for j, b in ipairs(values) do
                      pcall(f, a, b)
                      pcall(f, a, b, values[(i * 7 + j * 3) % #values + 1], values[(i + j) % #values + 1])
                    end
                  end
                end
                pcall(f)
              end
            end
            return calls > 0 and #document:select("p")
            """
        #expect(try run(script, budget: Budget(time: .seconds(300), memory: .megabytes(200))) == 2)
    }

    @Test(arguments: [
        "table.concat({}, 'x', math.mininteger, math.mininteger + 5)",
        "table.concat({}, '', 1, math.maxinteger)",
        "table.unpack({}, 1, 1 << 30)", "table.unpack({}, math.mininteger, math.maxinteger)",
        "string.byte(('x'):rep(2000000), 1, -1)",
        "utf8.codepoint(('x'):rep(2000000), 1, -1)", "utf8.char(math.maxinteger)", "utf8.char(-1)",
        "string.rep('x', math.maxinteger)", "string.rep('x', 1 << 62, 'yy')",
        "string.rep('', math.maxinteger, 'x')",
        "string.format(('%d'):rep(100000), table.unpack({}))", "string.format('%1000s', 'x')",
        "select(math.mininteger, 1)", "string.pack('i17', 1)", "string.unpack('s8', ('\\xff'):rep(8))",
        "string.unpack('i16', ('\\x7f'):rep(16))", "table.move({1}, 1, math.maxinteger, 2)",
        "table.move({1}, math.mininteger, -1, math.maxinteger)",
        "table.insert({}, math.maxinteger, 1)", "table.remove({}, math.mininteger)", "error(nil)",
        "string.gsub(('a'):rep(300), ('(.-)'):rep(33), '')", "string.find('x', ('('):rep(500))",
        "setmetatable({}, {__index = setmetatable({}, {__index = error})}).x.y()",
        "(function(...) return select('#', ...) end)(table.unpack({}, 1, 240)) + {}",
        "string.dump(print)", "tonumber('z', 99)", "math.random(math.maxinteger, math.mininteger)",
        "math.tointeger({}).x",
        "utf8.offset('x', math.mininteger, math.mininteger)", "utf8.len('x', math.mininteger).x",
        "rawlen(5)", "rawset(document, 1, 1)", "next({}, 'nothing')", "ipairs()",
    ])
    func extremeArgumentsAreErrors(call: String) throws {
        #expect(throws: RuleFailure.self) { try run("return \(call)", budget: Budget(time: .seconds(2))) }
    }
}
