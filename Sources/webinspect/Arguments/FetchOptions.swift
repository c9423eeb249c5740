import ArgumentParser

/// The options of `fetch`, besides those of every command that loads.
struct FetchOptions: Equatable {
    /// The method; nil is GET, or POST if there is data.
    var method: String?

    /// The body to send; `nil` if there is none.
    var data: String?

    /// Whether only the head is asked for, and written.
    var showsHead = false
}

/// The flags of `fetch` alone.
struct FetchArguments: FlagGroup {
    static let flags: [CommandFlag] = [
        .value("-X", or: "--method", help: "The method; GET, or POST where there is data.") {
            $0.fetch.method = $1
        },
        .flag("--head", or: "-I", help: "Ask for the head only (HEAD), and write it.") {
            $0.fetch.showsHead = true
        },
        .value("--data", or: "-d", value: "text", help: "The body to send.") { $0.fetch.data = $1 },
    ]
    var given = GivenFlags(flags)
}
