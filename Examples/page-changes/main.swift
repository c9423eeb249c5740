import WebDifference

// Prints what differs between two pages of HTML on standard input, with a line "---" between them: `page-changes [CSS]`. What
// the selector matches is left out, and it is said what that was.

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
