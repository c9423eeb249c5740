import CLua
import Testing

@testable import WebRules

/// Tests that a script leaves nothing for the next one, wherever it stores it.
struct ScriptIsolationTests {
    private static func document(_ text: String) throws -> RulePage {
        try RecipeRun.rulePage("<!DOCTYPE html><p>\(text)<p>other")
    }

    private static var context: ScriptContext { ScriptContext(baseURL: .aboutBlank) { _ in } }

    private static func run(_ engine: LuaEngine, _ script: String, _ page: RulePage) throws -> JSONValue {
        try engine.run(script, name: "x", on: page.document.documentNode, context: context)
    }

    /// Where a script might hide something, and how another would find it.
    static let places = [
        ("string.left = document", "string.left"), ("table.left = document", "table.left"),
        ("math.left = document", "math.left"), ("utf8.left = document", "utf8.left"),
        ("json.left = document", "json.left"), ("url.left = document", "url.left"),
        ("left = document", "left"), ("_G.left = document", "_G.left"),
        ("_G = nil; (_G or {}).left = document", "(_G or {}).left"),
        ("_G._G = nil pcall(function() _G.left = document end)", "_G.left"),
        ("string = nil string.left = document", "string.left"),
        ("rawset(string, 'left', document)", "rawget(string, 'left')"),
        ("getmetatable('').left = document", "getmetatable('').left"),
        ("getmetatable('').__index.left = document", "(''):left()"),
        ("string.upper = function() return document end", "type((''):upper()) == 'userdata'"),
        ("getmetatable(document).left = document", "getmetatable(document).left"),
        ("getmetatable(_G).left = document", "getmetatable(_G).left"),
        ("json.null = document", "type(json.null) == 'userdata' and pcall(json.null.text)"),
        ("pairs = function() return document end", "type(pairs({})) == 'userdata'"),
        ("setmetatable(string, {__index = {left = document}})", "string.left"),
        ("setmetatable(string, {__index = function() return document end})", "string.left"),
        ("local _ENV = {string = string, document = document} string.left = document", "string.left"),
        ("math.pi = document", "type(math.pi) ~= 'number'"),
    ]

    @Test(arguments: places)
    func nothingIsFoundOnTheNextPage(hide: String, find: String) throws {
        let engine = try #require(LuaEngine(budget: Budget()))
        for text in ["first", "second", "third"] {
            let page = try Self.document(text)
            let found = try Self.run(
                engine,
                "local ok, found = pcall(function() return \(find) end) return ok and found and true or false",
                page
            )
            #expect(found == false)
            _ = try Self.run(engine, "pcall(function() \(hide) end)", page)
        }
    }

    @Test func whatALibraryIsGivenHoldsWithinTheScript() throws {
        let engine = try #require(LuaEngine(budget: Budget()))
        let page = try Self.document("x")
        let script = "function string.twice(s) return s .. s end return ('a'):twice() .. string.twice('b')"
        #expect(try Self.run(engine, script, page) == "aabb")
        #expect(throws: RuleFailure.self) { try Self.run(engine, "return ('a'):twice()", page) }
        let libraries = "return ('a'):upper() .. string.lower('B') .. #utf8.char(228)"
        #expect(try Self.run(engine, libraries, page) == "Ab2")
    }

    @Test func randomNumbersDoNotDependOnOtherScripts() throws {
        let engine = try #require(LuaEngine(budget: Budget()))
        let page = try Self.document("x")
        let first = try Self.run(engine, "return math.random(1 << 40)", page)
        _ = try Self.run(engine, "math.randomseed(5) return math.random()", page)
        #expect(try Self.run(engine, "return math.random(1 << 40)", page) == first)
    }

    @Test func aNodeOfAnEarlierPageIsAnError() throws {
        let engine = try #require(LuaEngine(budget: Budget()))
        let page = try Self.document("x")
        _ = try Self.run(engine, "return 1", page)
        let operations = [
            WEBL_LUA_SELECT, WEBL_LUA_XPATH, WEBL_LUA_TEXT, WEBL_LUA_ATTRIBUTE, WEBL_LUA_HTML,
            WEBL_LUA_CHILDREN, WEBL_LUA_PARENT, WEBL_LUA_LINE, WEBL_LUA_NAME,
        ]
        for serial in [0, 1, 3, UInt64.max] {
            engine.activation = LuaEngine.Activation(
                document: page.document,
                serial: 2,
                context: Self.context
            )
            defer { engine.activation = nil }
            for operation in operations {
                // An address that no tree has: whoever used it would end here.
                let node = webl_lua_node(document: serial, identity: 8)
                let nothing = unsafe UnsafeRawBufferPointer(start: nil, count: 0)
                let answer = unsafe engine.answer(operation.rawValue, node, nothing)
                #expect(answer == WEBL_LUA_ERROR)
            }
        }
        #expect(try Self.run(engine, "return document:select('p')[1]:text()", page) == "x")
    }

    @Test func whatAScriptKeptIsGarbageWhenItHasEnded() throws {
        let engine = try #require(LuaEngine(budget: Budget(memory: .megabytes(4))))
        let page = try Self.document("x")
        for number in 0..<6 {
            let script =
                "kept\(number) = ('x'):rep(2000000) string.kept = kept\(number) return #kept\(number)"
            #expect(try Self.run(engine, script, page) == 2_000_000)
        }
    }
}
