import ArgumentParser
import WebLoader

/// `webinspect schema`: the JSON Schema of the report.
struct SchemaCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "schema",
        abstract: "Write the JSON Schema of the report of SOURCE --json.",
        discussion: """
            Examples:
              webinspect schema > report.schema.json
            """
    )

    func run() throws {
        try Output.write(Array("\(PageReport.schema.indented(columns: 120))\n".utf8))
    }
}
