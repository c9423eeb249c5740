import WebDifference

// Prints the differences between two HTML pages on standard input, separated by a line "---": `page-changes [CSS]`.
// Elements that the selector matches are excluded, and their differences are reported separately.

var pages = ["", ""]
var index = 0
while let line = readLine() {
    if line == "---" { index = 1 } else { pages[index] += line + "\n" }
}
do {
    var options = PageDifference.Options()
    options.keepsHidden = true
    options.ignoredSelectors = try CommandLine.arguments.dropFirst().map { try Selector($0) }
    let difference = try PageDifference(
        from: ParsedPage(html: pages[0]),
        to: ParsedPage(html: pages[1]),
        options: options
    )
    for change in difference.changes { print("line \(change.newLine ?? 0): \(change.summary)") }
    for hidden in difference.hidden { print("left out by \(hidden.rule): \(hidden.change.summary)") }
    if difference.isSame { print("the same") }
} catch {
    print(error)
}
