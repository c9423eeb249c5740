/// What the flags of `fetch` say besides those of every command that loads.
struct FetchOptions: Equatable {
    var url: String

    /// Nil is GET, or POST where there is data.
    var method: String?

    /// The body to send, nil for none.
    var data: String?
}
