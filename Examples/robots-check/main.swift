import Glibc
import WebLoader
import WebSite

// Whether a site lets an agent ask for URLs, which are lines of standard input: `robots-check AGENT`.

let agent = CommandLine.arguments.dropFirst().first ?? "Crab"
let loader = PageLoader()
// A program that runs for days fetches a file again after a day at most.
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
