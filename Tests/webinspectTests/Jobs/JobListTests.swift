import Testing

@testable import webinspect

/// How `--run` is read.
struct JobListTests {
    @Test(arguments: [
        ("links", ["links"]), ("  text  --markdown ", ["text", "--markdown"]),
        (#"select 'a b' "c d""#, ["select", "a b", "c d"]),
        (#"a\ b 'c\d' "e\"f\g""#, ["a b", #"c\d"#, #"e"f\g"#]),
        (#"x'y'"z""#, ["xyz"]), ("''", [""]), ("", []), ("a\tb\nc", ["a", "b", "c"]),
        ("é 'ü ö'", ["é", "ü ö"]),
    ])
    func `words are split as a shell splits them`(_ text: String, _ words: [String]) {
        #expect(ShellWords.split(text) == words)
    }

    @Test(arguments: ["'", "a \"b", "a\\", "\"a\\"])
    func `a quote that is not closed is no word`(_ text: String) {
        #expect(ShellWords.split(text) == nil)
    }

    @Test func `names are made unique, and given ones stay`() throws {
        let list = try JobList(
            ["links", "links.2=text", "links", "a=meta", "links --unique"],
            LoadingOptions()
        )
        #expect(list.jobs.map(\.name) == ["links", "links.2", "links.3", "a", "links.4"])
    }

    @Test(
        arguments: [
            [], ["bogus"], [""], ["links --foo"], ["links --kind"], ["links --kind none"], ["links x"],
            ["a=links", "a=text"],
            ["a b=links"], ["=links"], ["select"], ["select 'a['"], ["select a b"], ["select -e x"],
            ["text --whole --comments"],
            ["tables --table 0"], ["url --format html"], ["url --with-resources"], ["extract"],
            ["extract -e t=h1 --jsonl"],
            ["links --unique=yes"], ["extract -e t=h1 --worker-reuse 3"], ["'links"],
        ] as [[String]]
    )
    func `what is no job is a usage error`(_ texts: [String]) {
        let failure = #expect(throws: Failure.self) { try JobList(texts, LoadingOptions()) }
        #expect(failure?.status == .usage)
    }

    @Test(arguments: [
        "links --kind image --unique", "text --markdown", "select h1 --attribute id",
        "select -e a=b -e 'c=d e'", "tables --fill",
        "extract -e t=h1 --budget-time=1s", "url --findings", "meta", "text --json", "select -- -x",
        "tables --table '#a'",
    ])
    func `a command with its own flags is a job`(_ text: String) throws {
        #expect(try JobList([text], LoadingOptions()).jobs.count == 1)
    }
}
