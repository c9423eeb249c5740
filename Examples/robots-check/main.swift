import Glibc
import WebLoader
import WebSite

// Checks whether a site allows an agent to request URLs, one per line on standard input: `robots-check AGENT`.

let agent = CommandLine.arguments.dropFirst().first ?? "Crab"
let loader = PageLoader()
// A long-running program should fetch a file again after at most a day.
var rules: [String: RobotsRules] = [:]
var isAllowed = true

while let line = readLine() {
    do {
        let url = try WebURL(line)
        let found: RobotsRules
        if let known = rules[url.origin] {
            found = known
        } else {
            found = await loader.robotsRules(ofSite: url)
            rules[url.origin] = found
        }
        let access = found.access(to: url, agent: agent)
        let reason = access.line.map { "line \($0.number): \($0.text)" } ?? access.reason.rawValue
        print(access.isAllowed ? "yes" : "no ", url.path, reason)
        isAllowed = isAllowed && access.isAllowed
    } catch {
        print("not a URL:", line)
    }
}
exit(isAllowed ? 0 : 1)
