/// The options of `fetch`, besides those of every command that loads.
struct FetchOptions: Equatable {
    var url: String

    /// The method; nil is GET, or POST if there is data.
    var method: String?

    /// The body to send, nil for none.
    var data: String?
}
