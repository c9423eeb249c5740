import ArgumentParser
import TestSupport
import Testing
import WebLoader

@testable import webinspect

/// Plainly written lines are read without ArgumentParser, which has to read the same out of them.
@Suite struct HotArgumentsTests {
    /// A reader's result for a line.
    enum Reading: Equatable {
        /// The command's name, and the options.
        case line(String?, LineOptions)
        case failure(String)
        /// It is for ArgumentParser to say what is wrong, or to run.
        case none
    }

    private func read(by reader: () throws -> Reading) -> Reading {
        do {
            return try reader()
        } catch let failure as Failure {
            return .failure(failure.line)
        } catch {
            return .none
        }
    }

    private func quickly(_ arguments: [String]) -> Reading {
        read {
            guard let (command, line) = try HotArguments.read(arguments) else { return .none }
            return .line(command.configuration.commandName, line)
        }
    }

    private func byArgumentParser(_ arguments: [String]) -> Reading {
        read {
            guard let command = try RootCommand.parseAsRoot(arguments) as? any QuickCommand else {
                return .none
            }
            return .line(type(of: command).configuration.commandName, try command.line())
        }
    }

    static let words = ["url", "fetch", "select", "text", "extract"]

    private static func flags(of word: String) throws -> [CommandFlag] {
        let command = try #require(
            RootCommand.configuration.subcommands.first { $0.configuration.commandName == word }
        )
        return try #require(command as? any QuickCommand.Type).tables.flatMap(\.self)
    }

    /// The last choice is no default, and 2 is a number, a size and a time that none is.
    private static func value(_ flag: CommandFlag) -> String { flag.choices?().last ?? "2" }

    /// Holds for a flag as soon as it is in a table: its name, its value and what it sets.
    @Test(arguments: words)
    func `both readers understand each flag alike, by each of its names`(_ word: String) throws {
        let plain = quickly([word, "a"])
        for flag in try Self.flags(of: word) {
            for name in [flag.name, flag.otherName].compactMap(\.self) {
                var line = [word, "a", name]
                if case .flag = flag.effect {} else { line.append(Self.value(flag)) }
                let reading = quickly(line)
                #expect(reading != .none, "\(line)")
                #expect(reading != plain, "\(line) sets nothing")
                #expect(reading == byArgumentParser(line), "\(line)")
            }
        }
    }

    @Test(arguments: words)
    func `both readers understand all flags at once, and twice, alike`(_ word: String) throws {
        let flags = try Self.flags(of: word).flatMap { flag in
            if case .flag = flag.effect {
                [flag.name, flag.name]
            } else {
                [flag.name, "1", flag.name, Self.value(flag)]
            }
        }
        // A choice has no value 1.
        let first = flags.enumerated().map { index, text in
            text == "1" && index + 2 < flags.count && flags[index - 1] == flags[index + 1]
                ? flags[index + 2] : text
        }
        let reading = quickly([word] + first + ["a"])
        #expect(reading != .none)
        #expect(reading == byArgumentParser([word] + first + ["a"]))
    }

    /// Lines of everything that a flag, a value and an operand may look like.
    @Test(arguments: PropertySeeds.first(10))
    func `the quick reader never disagrees`(_ seed: Int) throws {
        var random = SeededGenerator(seed: UInt64(seed))
        let values = [
            "1", "2", "", "-", "--", "-1", "+7", "0x10", "1e3", "5s", "200ms", "10MB", "a=b", "-r", "--json",
            "9007199254740992", "9007199254740993", "9223372036854775807", "9223372036854775808", "nan", "٣",
            "html5", "libxml2", "never", "url", "text", "help", "--help", "-h", "\u{301}", "-\u{301}",
            "\u{FFFD}",
            "a b", "returnCacheDataElseLoad", "json", "sarif", "error",
        ]
        for _ in 0..<15 {
            let word = Self.words.randomElement(using: &random) ?? "url"
            let flags = try Self.flags(of: word)
            var line = random.next() % 4 == 0 ? [] : [word]
            for _ in 0..<Int(random.next() % 7) {
                let flag = try #require(flags.randomElement(using: &random))
                let name =
                    [flag.otherName, flag.name].compactMap(\.self).randomElement(using: &random) ?? "-"
                let value = values.randomElement(using: &random) ?? ""
                switch random.next() % 10 {
                case 0: line.append("\(name)=\(value)")
                case 1: line.append("\(name)\(value)")
                case 2: line.append(String(name.dropLast()))
                case 3: line.append(name)
                case 4: line += [name, value]
                case 5: line += [name, name]
                case 6: line.append(value)
                default:
                    line.append(name)
                    if case .flag = flag.effect {} else { line.append(Self.value(flag)) }
                }
            }
            line.insert("page.html", at: Int(random.next() % UInt64(line.count + 1)))
            let reading = quickly(line)
            #expect(reading == .none || reading == byArgumentParser(line), "\(line)")
        }
    }

    @Test func `a line may be long`() {
        let line =
            ["select", "a", "b"]
            + (0..<1000).flatMap { ["-H", "Name: \($0)", "--json", "--timeout", "\($0)"] }
        let reading = quickly(line)
        #expect(reading == byArgumentParser(line))
        guard case .line(_, let options) = reading else {
            Issue.record("\(reading)")
            return
        }
        #expect(options.loading.headers.count == 1000)
        #expect(options.loading.timeout == 999)
    }

    @Test(arguments: [
        ["page.html"], ["url", "page.html"], ["--json", "page.html"], ["-"], [""], ["fetch", "help"],
        ["http://h/", "--cache-only", "--refresh", "--cache-only"], ["fetch", "--data", "", "http://h/"],
        ["http://h/", "--policy", "returnCacheDataElseLoad", "--policy", "useProtocolCachePolicy"],
        ["select"], ["select", "a"], ["select", "select", "b", "c"],
        ["select", "a", "b", "--html", "--text"],
        ["select", "-e", "x", "b", "--css", "--xpath"], ["extract", "-r", "r", "a", "b", "--jsonl"],
        ["extract"],
        ["page.html", "--timeout", "soon"], ["page.html", "--policy", "never", "--timeout", "soon"],
        ["page.html", "--format", "text", "--json"], ["page.html", "--fail-on", "bad", "--parser", "worse"],
        ["page.html", "--max-redirs", "9007199254740992"], ["extract", "a", "--budget-memory", "2P"],
    ])
    func `both readers understand a plain line alike, or find the same mistake`(_ line: [String]) {
        let reading = quickly(line)
        #expect(reading != .none)
        #expect(reading == byArgumentParser(line))
    }

    @Test(arguments: [
        ["extract", "-r"], ["extract", "a", "--worker-reuse", "x"], ["extract", "a", "--unknown"],
        ["text"], ["text", "a", "--format", "md"], ["text", "a", "--encoding"],
        ["select", "a", "b", "-a"], ["select", "-ex=y", "b"],
        [], ["fetch"], ["help"], ["--help"], ["links", "a.html"],
        ["page.html", "--method", "PUT"], ["fetch", "http://h/", "--mime", "text/html"],
        ["page.html", "--cache-dir"], ["page.html", "--cache-dir", "--json"], ["page.html", "--json=1"],
        ["page.html", "--timeout=5"], ["page.html", "--max-redirs", "-1"], ["-js", "a"],
        ["page.html", "--jso"],
        ["page.html", "--max-redirs", "9007199254740993"],
        ["page.html", "--unknown"], ["--", "page.html"], ["--version"],
    ])
    func `what is not plain is left to ArgumentParser`(_ line: [String]) {
        #expect(quickly(line) == .none)
    }

    @Test func `every command is known not to be a source`() {
        let names = RootCommand.configuration.subcommands.compactMap { $0.configuration.commandName }
        #expect(Set(RootCommand.subcommandNames).isSuperset(of: names))
    }

    @Test(arguments: Setting.all.map(\.name))
    func `every setting is a flag`(_ name: String) throws {
        let flags = try Self.flags(of: "select") + Self.flags(of: "extract")
        #expect(flags.contains { $0.isNamed("--\(name)") })
    }
}
