public import HTTPTypes

/// What to load and how, field for field what Foundation's `URLRequest` is.
public struct WebRequest: Hashable, Sendable {
    /// The URL.
    ///
    /// `http`, `https`, `file` and `data` can be loaded.
    public var url: WebURL

    /// What may come from the cache.
    public var cachePolicy: CachePolicy

    /// Seconds without a byte of progress after which the load fails, 60 unless said otherwise; 0 or less is
    /// no time-out.
    ///
    /// The load as a whole is bounded by ``LoadLimits/maximumTime``.
    public var timeoutInterval: Double

    /// The method, a token; "GET" unless said otherwise.
    public var httpMethod = "GET"

    /// The bytes to send, nil for none.
    public var httpBody: [UInt8]?

    /// The fields to send besides those that the loader sets (User-Agent, Accept, Accept-Encoding, Host), which a
    /// field of the same name replaces.
    ///
    /// A body goes as `application/x-www-form-urlencoded` unless Content-Type says
    /// otherwise.
    public var headerFields = HTTPFields()

    /// Names of fields that are not to be sent though the loader would, "accept" for one.
    public var omittedFields: Set<HTTPField.Name> = []

    /// Whether redirects are followed; true unless said otherwise.
    ///
    /// If not, the redirect itself is the answer.
    public var followsRedirects = true

    /// Whether the cache may keep the response, where HTTP lets it; true unless said otherwise.
    public var storesResponse = true

    /// Whether the cache keeps the response for offline use even where the server forbids storing it; false unless
    /// said otherwise.
    ///
    /// What is kept so answers ``CachePolicy/returnCacheDataDontLoad`` and ``CachePolicy/returnCacheDataElseLoad``
    /// alone. Errors (a status of 400 or above) are not kept by it, and nothing is where ``storesResponse`` is false.
    public var keepsForOfflineUse = false

    /// Whether credentials that are kept for its host may go with it: it is the user who names the URL, or a page of the
    /// same origin.
    var mayHaveKeptCredentials = true

    /// Creates a GET request.
    public init(
        url: WebURL,
        cachePolicy: CachePolicy = .useProtocolCachePolicy,
        timeoutInterval: Double = 60
    ) {
        self.url = url
        self.cachePolicy = cachePolicy
        self.timeoutInterval = timeoutInterval
    }
}

// MARK: - As URLRequest has them

extension WebRequest {
    /// The fields as a dictionary; of a name that occurs several times, in whatever case, the values joined with ", ",
    /// under the name as it came first.
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

    /// The value of a field, several joined with ", "; nil if it is not there or `name` is no token.
    public func value(forHTTPHeaderField name: String) -> String? {
        HTTPField.Name(name).flatMap { headerFields[$0] }
    }

    /// Sets a field, in place of all of that name; nil takes it away.
    ///
    /// A `name` that is no token changes nothing.
    public mutating func setValue(_ value: String?, forHTTPHeaderField name: String) {
        guard let name = HTTPField.Name(name) else { return }
        headerFields[name] = value
    }

    /// Adds a field beside those of that name.
    ///
    /// A `name` that is no token changes nothing.
    public mutating func addValue(_ value: String, forHTTPHeaderField name: String) {
        guard let name = HTTPField.Name(name) else { return }
        headerFields.append(HTTPField(name: name, value: value))
    }
}
