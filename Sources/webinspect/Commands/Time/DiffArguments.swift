import ArgumentParser
import WebDifference
import WebLoader

/// The flags about changes that count, and about the output.
struct DiffArguments: ParsableArguments {
    /// The formats of `diff`.
    enum Form: String, CaseIterable {
        case text
        case sideBySide = "side-by-side"
        case html
        case json
    }

    @Flag(help: "Report what is volatile too: nonces, tokens, hashes.")
    var all = false

    @Flag(help: "Write texts whole, however long.")
    var full = false

    @Flag(help: "Leave out what the markup hides: hidden, display: none, templates.")
    var visible = false

    @Option(
        help: ArgumentHelp("Leave out what this selector matches; may be repeated.", valueName: "css")
    )
    var ignore: [String] = []

    @Option(
        help: ArgumentHelp("Leave out differences of this attribute; may be repeated.", valueName: "name")
    )
    var ignoreAttribute: [String] = []

    @Option(
        help: ArgumentHelp(
            "What matches this regular expression does not count; may be repeated.",
            valueName: "pattern"
        )
    )
    var ignoreText: [String] = []

    @Option(
        help: ArgumentHelp(
            "Numbers that differ by no more are the same: as in 0.5, or 5% of the larger one.",
            valueName: "n|n%"
        )
    )
    var ignoreNumbers: String?

    @Flag(help: "Load NEW twice from the network, and leave out what differs by itself.")
    var learn = false

    @Flag(help: "Compare the page as it was served (with --rendered).")
    var served = false

    @Flag(help: "Compare it with what its scripts make of it, and say what only they make.")
    var rendered = false

    @Flag(help: "Compare the findings of both pages too.")
    var findings = false

    @Option(
        help: ArgumentHelp("Compare this field of the responses too; may be repeated.", valueName: "name")
    )
    var responseField: [String] = []

    @Option(
        name: [.customShort("r"), .customLong("recipe")],
        help: ArgumentHelp("Compare the data that this recipe extracts from both.", valueName: "recipe")
    )
    var recipe: String?

    @Option(
        help: ArgumentHelp(
            "What to write: \(Form.allCases.map(\.rawValue).joined(separator: ", ")).",
            valueName: "format"
        ),
        completion: .list(Form.allCases.map(\.rawValue))
    )
    var format: String?

    @Flag(help: "Write both pages in two columns: --format side-by-side.")
    var sideBySide = false

    @Option(help: ArgumentHelp("Write an HTML page with both sides to this file too.", valueName: "file"))
    var html: String?

    /// Whether the page as it was served is compared with what its scripts make of it.
    ///
    /// - Throws: ``Failure`` if only one of both is wanted.
    func comparesScripts() throws(Failure) -> Bool {
        guard served == rendered else {
            throw Failure(usage: served ? "--served" : "--rendered", "only together: --served --rendered URL")
        }
        return served
    }

    /// Returns the format of the output.
    func form(_ loading: LoadingOptions) throws(Failure) -> Form {
        let form = try loading.format(format, text: Form.text, json: .json)
        guard sideBySide else { return form }
        guard form == .sideBySide || form == .text else {
            throw Failure(usage: "--side-by-side", "conflicts with --\(format == nil ? "json" : "format")")
        }
        return .sideBySide
    }

    /// The options of the library, but for its time.
    func options(_ loading: LoadingOptions) throws(Failure) -> PageDifference.Options {
        var options = PageDifference.Options()
        options.includesVolatile = all
        options.keepsWholeText = full
        options.isVisibleOnly = visible
        options.comparesFindings = findings
        options.keepsHidden = loading.explains
        options.ignoredAttributes = Set(ignoreAttribute.map { $0.lowercased() })
        options.responseFields.formUnion(responseField.map { $0.lowercased() })
        options.ignoredNumberDifference = try tolerance()
        let form = try form(loading)
        options.keepsRows = form == .sideBySide || form == .html || html != nil
        for text in ignoreText {
            do throws(TextPattern.Failure) {
                options.ignoredPatterns.append(try TextPattern(text))
            } catch {
                throw Failure(usage: "--ignore-text \(text)", error.description)
            }
        }
        for text in ignore {
            do throws(SelectorError) {
                options.ignoredSelectors.append(try Selector(text))
            } catch {
                throw Failure(usage: "--ignore \(text)", error.description, code: error.code.rawValue)
            }
        }
        return options
    }

    private func tolerance() throws(Failure) -> PageDifference.Tolerance? {
        guard let ignoreNumbers else { return nil }
        guard let tolerance = PageDifference.Tolerance(ignoreNumbers) else {
            throw Failure(usage: "--ignore-numbers \(ignoreNumbers)", "not a number, as in 0.5 or 5%")
        }
        return tolerance
    }
}

/// The flags of commands that load pages, with a date for each of both.
struct DiffPageArguments: FlagGroup {
    static let flags: [CommandFlag] = PageArguments.flags.map { flag in
        guard flag.isNamed("--at") else { return flag }
        return .values(
            "--at",
            value: "date",
            help:
                "Compare the copies of these dates, of the archive or the cache (--keep-history): the first is that of OLD, the second that of NEW."
        ) { (line, text) throws(Failure) in line.loading.dates.append(try LoadingOptions.date(text)) }
    }
    var given = GivenFlags(flags)

    func options() throws(Failure) -> LoadingOptions {
        var options = try LineOptions([], [given]).loading
        // A presumed fresh copy may hide the changes.
        options.acceptsPresumedFreshness = false
        return options
    }
}
