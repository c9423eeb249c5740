public import HTTPTypes

/// A URL and how to load it, modelled on Foundation's `URLRequest`.
public struct WebRequest: Hashable, Sendable {
    /// The URL.
    ///
    /// `http`, `https`, `file` and `data` can be loaded.
    public var url: WebURL

    /// How the cache is used.
    public var cachePolicy: CachePolicy

    /// The time without a byte of progress after which the load fails, 60 seconds by default; zero or less is no timeout.
    ///
    /// The load as a whole is bounded by ``LoadLimits/maximumTime``.
    public var timeoutInterval: Duration

    /// The method, a token; "GET" by default.
    public var httpMethod = "GET"

    /// The bytes to send; `nil` if there are none.
    public var httpBody: [UInt8]?

    /// The fields to send besides those that the loader sets (User-Agent, Accept, Accept-Encoding, Host),
    /// which fields of the same name replace.
    ///
    /// A body is sent as `application/x-www-form-urlencoded` unless Content-Type is set.
    public var headerFields = HTTPFields()

    /// Names of fields that the loader would set but must not send, for example "accept".
    public var omittedFields: Set<HTTPField.Name> = []

    /// The page that the request comes from, such as the page of a followed link; `nil`, the default, for a request by
    /// the user.
    ///
    /// With it, Referer and Origin are sent according to ``referrerPolicy``, unless ``headerFields`` have them, and
    /// cookies according to ``Cookie/sameSite``. Without it, neither field is sent, and cookies are sent regardless of
    /// ``Cookie/sameSite``.
    public var referrer: WebURL?

    /// How much of ``referrer`` is sent; a redirect may change the policy for the following requests.
    public var referrerPolicy = ReferrerPolicy.strictOriginWhenCrossOrigin

    /// Whether redirects are followed; true by default.
    ///
    /// If not, the redirect itself is the response.
    public var followsRedirects = true

    /// Whether the cache may store the response, if HTTP allows it; true by default.
    public var storesResponse = true

    /// Whether a stored response without a specified lifetime may be used without revalidation, for a tenth of the time
    /// since it was last modified, as HTTP allows; true by default.
    ///
    /// It applies only to ``CachePolicy/useProtocolCachePolicy``.
    ///
    /// [RFC 9111, section 4.2.2](https://www.rfc-editor.org/rfc/rfc9111#section-4.2.2)
    public var acceptsPresumedFreshness = true

    /// Whether the cache stores the response for offline use even if the server forbids storing it; false by default.
    ///
    /// Such a response is used only for ``CachePolicy/returnCacheDataDontLoad`` and
    /// ``CachePolicy/returnCacheDataElseLoad``. Errors (a status of 400 or above) are not stored, and nothing is if
    /// ``storesResponse`` is false.
    public var keepsForOfflineUse = false

    /// Whether stored credentials for its host may be sent with it: its URL is from the user, or from a page
    /// of the same origin.
    package var mayHaveKeptCredentials = true

    /// Whether its fields are for the origin of its URL alone: where a redirect leads to another, they do not go along.
    package var keepsFieldsToOrigin = false

    /// Whether it has a connection of its own: a request on one that is open is made again where the server has closed it.
    package var hasOwnConnection = false

    /// Removes all that is meant for certain sites: all fields except those that describe the wanted response.
    package mutating func keepForEverybody() {
        headerFields = headerFields.filter { Self.fieldsForEverybody.contains($0.name) }
        mayHaveKeptCredentials = false
    }

    /// The names of the fields that describe the wanted response: other fields of a user may contain a key.
    ///
    /// They are those of <https://fetch.spec.whatwg.org/#cors-safelisted-request-header> that a GET request has, and
    /// those that browsers send to every host.
    private static let fieldsForEverybody: Set<HTTPField.Name> = [
        .accept, .acceptEncoding, .acceptLanguage, .cacheControl, .userAgent,
    ]

    /// Creates a GET request.
    public init(
        url: WebURL,
        cachePolicy: CachePolicy = .useProtocolCachePolicy,
        timeoutInterval: Duration = .seconds(60)
    ) {
        self.url = url
        self.cachePolicy = cachePolicy
        self.timeoutInterval = timeoutInterval
    }
}

// MARK: - As URLRequest has them

extension WebRequest {
    /// The fields as a dictionary; the values of fields with the same name (in any case) are joined with ",
    /// ", under the first spelling of the name.
    public var allHTTPHeaderFields: [String: String] {
        var names: [String: String] = [:]
        return headerFields.reduce(into: [:]) { fields, field in
            let name = names[field.name.canonicalName] ?? field.name.rawName
            names[field.name.canonicalName] = name
            if fields[name] == nil {
                fields[name] = field.value
            } else {
                fields[name]?.append(", \(field.value)")
            }
        }
    }

    /// The value of a field, several joined with ", "; `nil` if the field is missing or `name` is not a token.
    public func value(forHTTPHeaderField name: String) -> String? {
        HTTPField.Name(name).flatMap { headerFields[$0] }
    }

    /// Sets a field, replacing all of that name; nil removes them.
    ///
    /// A `name` that is not a token changes nothing.
    public mutating func setValue(_ value: String?, forHTTPHeaderField name: String) {
        guard let name = HTTPField.Name(name) else { return }
        // A list: a Cookie as one text would become as many fields as it has semicolons.
        headerFields[values: name] = value.map { [$0] } ?? []
    }

    /// Adds a field beside those of that name.
    ///
    /// A `name` that is not a token changes nothing, and neither does a field beyond the 10,000th.
    public mutating func addValue(_ value: String, forHTTPHeaderField name: String) {
        guard let name = HTTPField.Name(name) else { return }
        headerFields.append(received: HTTPField(name: name, value: value))
    }
}
