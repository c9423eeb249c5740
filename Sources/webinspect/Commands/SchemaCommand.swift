import ArgumentParser
import WebLoader

/// `webinspect schema`: the JSON Schema of the report, or of what differs between two pages.
struct SchemaCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "schema",
        abstract: "Write the JSON Schema of the report, or of diff --json.",
        discussion: """
            Examples:
              webinspect schema > report.schema.json
              webinspect schema diff > diff.schema.json
            """
    )

    @Argument(
        help: ArgumentHelp("report or diff.", valueName: "name"),
        completion: .list(["report", "diff"])
    )
    var name = "report"

    func run() throws {
        let schema: JSONValue
        switch name {
        case "report": schema = PageReport.schema
        case "diff": schema = DiffSchema.schema
        default: throw Failure(usage: name, "no report has this name; there are report and diff")
        }
        try Output.write(Array("\(schema.indented(columns: 120))\n".utf8))
    }
}
