import Glibc
import WebBrowsing

// Logs in and prints the title of the page behind the login: `session-login URL USER PASSWORD`. The form on the page
// has fields named user and password.

guard CommandLine.arguments.count == 4, let url = try? WebURL(CommandLine.arguments[1]) else {
    print("usage: session-login URL USER PASSWORD")
    exit(2)
}

var configuration = PageSession.Configuration()
// Pages behind a login must not be stored in the cache.
configuration.loader.cacheDirectory = nil
let session = try PageSession(configuration: configuration)

do {
    try await session.load(WebRequest(url: url))
    try await session.fill("user", with: CommandLine.arguments[2])
    try await session.fill("password", with: CommandLine.arguments[3])
    let answer = try await session.submit()

    // If the page asks for a password again, the login failed.
    let forms = try await session.pageForms?.forms ?? []
    let isOutside = forms.contains { $0.fields.contains { $0.type == "password" } }
    print(isOutside ? "not logged in" : answer.page.title ?? "untitled")
    exit(isOutside ? 1 : 0)
} catch let error as FormError {
    print(error.code.rawValue, error.message)
    exit(1)
} catch let error as LoadError {
    print(error.code)
    exit(1)
}
