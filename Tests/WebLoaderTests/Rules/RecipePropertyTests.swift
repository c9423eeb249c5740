import Foundation
import TestSupport
import Testing

@testable import WebLoader
@testable import WebRules

/// Tests that a recipe's result on a page depends neither on the process that evaluates it nor on its earlier work.
@Suite(.timeLimit(.minutes(20)))
struct RecipePropertyTests {
    /// A recipe on a page, and its budget.
    private struct Run {
        let markup: String
        let recipe: Recipe
        let text: String
        var budget = Budget(time: .seconds(120), memory: .megabytes(20))
        /// Whether it ends by itself, so that it can be run without a limit.
        var isHarmless = true
    }

    @Test(arguments: PropertySeeds.first(5))
    func outputIsTheSameInWhateverWorker(seed: Int) async throws {
        var random = SeededSequence(seed)
        let runs = try (0..<6).map { _ in try Self.run(&random) }
        var order = Array(runs.indices) + Array(runs.indices)
        for index in order.indices.dropFirst() { order.swapAt(index, random.next(index + 1)) }

        let fresh = loader(pagesPerWorker: 1)
        let kept = loader(pagesPerWorker: 1000)
        var expected: [String] = []
        for run in runs { expected.append(try await Self.output(run, fresh)) }
        for index in order {
            let run = runs[index]
            #expect(try await Self.output(run, kept) == expected[index], "seed \(seed), kept: \(run.text)")
        }
        for (run, expected) in zip(runs, expected) where run.isHarmless {
            let here = try await Self.output(run, fresh, .none)
            #expect(here == expected, "seed \(seed), here: \(run.text)")
        }
    }

    private func loader(pagesPerWorker: Int) -> PageLoader {
        PageLoader.offline { $0.workers.pagesPerWorker = pagesPerWorker }
    }

    /// All that is said of a run but how long it took, and how much memory there was of others.
    private static func output(
        _ run: Run,
        _ loader: PageLoader,
        _ isolation: RuleIsolation = .worker
    ) async throws -> String {
        let page = try await loader.loadHTMLString(run.markup, baseURL: WebURL("http://h.test/d/"))
        var options = ExtractionOptions()
        options.notesProvenance = true
        options.isolation = isolation
        do throws(RuleError) {
            let extraction = try await page.extract(run.recipe, budget: run.budget, options: options)
            let provenance = extraction.provenance.map {
                "\($0.path) \($0.rule) \($0.node ?? "-") \($0.position?.line ?? 0):\($0.position?.column ?? 0) \($0.source)"
            }
            let parts: [String] =
                [String(decoding: extraction.data.serialized(sortingNames: false), as: UTF8.self)]
                + extraction.errors.map(\.description) + extraction.log + provenance
                + [
                    extraction.exceeded.map { "\($0.code) \($0.rule ?? "-") \($0.allowed)" }
                        ?? "whole",
                    extraction.failure?.description ?? "-",
                    extraction.exceeded == nil ? "\(extraction.usage.output)" : "",
                ]
            return parts.joined(separator: "\n")
        } catch {
            return error.description
        }
    }

    // MARK: - Random recipes and pages

    private static func run(_ random: inout SeededSequence) throws -> Run {
        var fields = random.list(1 + random.next(6)) { field(&$0, depth: 2) }
        var (budget, isHarmless) = (Budget(time: .seconds(120), memory: .megabytes(20)), true)
        switch random.next(7) {
        case 0:
            fields.append(script("local a = {} while true do a[#a + 1] = ('ab'):rep(1000) .. #a end"))
            budget.memory = .megabytes(4)
            isHarmless = false
        case 1:
            fields.append(script("while true do end"))
            budget.time = .milliseconds(1500)
            isHarmless = false
        case 2:
            fields.append(script("return ('ab'):rep(20000)"))
            budget.output = .kilobytes(10)
        case 3:
            fields.append(script("for i = 1, 10000 do log(('x'):rep(i)) end"))
            budget.log = .kilobytes(10)
        default: break
        }
        fields.append("\"title\"")
        let members = fields.enumerated().map { "\"f\($0.offset)\":\($0.element)" }.joined(separator: ",")
        let text = "{\"version\":1,\"fields\":{\(members)}}"
        return Run(
            markup: page(&random),
            recipe: try Recipe(text),
            text: text,
            budget: budget,
            isHarmless: isHarmless
        )
    }

    private static func field(_ random: inout SeededSequence, depth: Int) -> String {
        let selector = random.pick([
            "li", "li:nth-child(2n)", ".x", "a[href]", "td", "//li[2]", "//a/@href", "nothing",
            "p:contains('e')", "li:eq(1)",
            "ul > li", "(//td)[last()]", "tr", "b",
        ])
        let take = random.pick([
            "text", "raw", "html", "outer", "attr:class", "url:href", "attr:href", "count", "exists", "line",
        ])
        let transform = random.pick([
            "", "", "\"transform\":\"number\",",
            "\"transform\":[\"lower\",{\"replace\":[\"[aeiou]\",\"*\"]}],",
            "\"transform\":[{\"split\":\" \"},\"unique\",\"sort\",{\"join\":\"-\"}],",
            "\"transform\":{\"match\":\"(\\\\d+)\"},",
            "\"transform\":\"date\",", "\"transform\":\"upper\",\"required\":true,",
        ])
        let quoted = selector.replacing("\"", with: "\\\"")
        switch random.next(depth > 0 ? 8 : 6) {
        case 0, 1: return "{\"select\":\"\(quoted)\",\(transform)\"take\":\"\(take)\"}"
        case 2: return "{\"select\":\"\(quoted)\",\(transform)\"all\":true,\"take\":\"\(take)\"}"
        case 3:
            return random.pick([
                "{\"const\":[1,\"a\"]}", "{\"select\":\"nothing\",\"default\":\"none\"}", "\"b\"",
            ])
        case 4, 5: return script(random.pick(scripts))
        case 6:
            let inner = random.list(1 + random.next(3)) { field(&$0, depth: depth - 1) }
            let members = inner.enumerated().map { "\"g\($0.offset)\":\($0.element)" }.joined(separator: ",")
            return "{\"select\":\"\(random.pick(["li", "tr", "p"]))\",\"each\":{\(members)}}"
        default:
            return "{\"first_of\":[\(field(&random, depth: depth - 1)),\(field(&random, depth: depth - 1))]}"
        }
    }

    private static func script(_ source: String) -> String {
        let escaped = source.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"")
        return "{\"script\":\"\(escaped)\"}"
    }

    /// Scripts that leave something behind where they can, and such as ask for what may differ.
    private static let scripts = [
        "counter = (counter or 0) + 1 return counter",
        "string.upper = function() return 'spoilt' end return ('a'):upper()",
        "return ('abc'):upper()",
        "getmetatable('').__index = nil return 1",
        "return tostring(left) .. tostring(counter)",
        "left = document return #document:select('li')",
        "local keys = '' for key in pairs({a = 1, b = 2, c = 3, [1] = 4, [2.5] = 5, zz = 6, yy = 7}) do keys = keys .. key .. ' ' end return keys",
        "return {a = 1, b = {2, 3}, c = {x = true, y = {}, z = 'ä'}}",
        "local t = {} for i = 1, 30000 do t[i] = i * 2 end return #t",
        "local s = '' for i = 1, 300 do s = s .. document:text() end return #s",
        "return math.random(1, 1000000)",
        "math.randomseed(7) return math.random(1, 1000000)",
        "return tostring({}) .. tostring(print) .. tostring(document) .. ('%5s %s'):format('a', {})",
        "return ('%p'):format({})", "math.randomseed() return math.random(1, 1000000)",
        "return nothing.x", "error('on purpose')", "error({})", "return 1 / 0", "return 0 / 0",
        "log('a', 1, nil, {}) return nil",
        "local function f(n) if n == 0 then return 0 end return 1 + f(n - 1) end return f(100)",
        "local ok, e = pcall(function() return nil + 1 end) return e",
        "setmetatable(_G, {__index = function(_, k) return k end}) return undefined",
        "for k in pairs(_G) do _G[k] = nil end return 'emptied'",
        "return json.encode({b = 1, a = {1, 2, {c = 'x'}}})",
        "return document:xpath('count(//li)') + #document:select('a')",
        "local co = coroutine and coroutine.wrap(function() coroutine.yield(1) end) return co and co() or 'none'",
        "return utf8.char(228, 8364) .. #document:html()",
        "return next({}) == nil and select('#', 1, nil, 3)",
    ]

    private static func page(_ random: inout SeededSequence) -> String {
        var markup = "<!DOCTYPE html><title>\(random.pick(["One", "Zwei ä", "&amp;", ""]))</title>"
        for _ in 0..<(3 + random.next(30)) {
            let number = random.next(10_000)
            markup += random.pick([
                "<ul class=x><li>one <b>\(number)</b><li>two<li><a href='/p/\(number)'>three</a></ul>",
                "<p class='x y'>text \(number),50 € <a href=\(number)>link</a>",
                "<table><tr><td>\(number)<td>1 March 2024<tr><td>b</table>", "<p>", "</div>", "<b>bold",
                "<!--c-->", "é\u{0}&notin",
                "<li><li>loose \(number)", "<script>var x = \(number)</script>",
            ])
        }
        return markup
    }
}
