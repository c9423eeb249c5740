/// An error with a stable code and a message for people, like nearly all errors of the library.
///
///     do { … } catch let error as any WebError { print(error.code, error.message) }
public protocol WebError: Error, Equatable, CustomStringConvertible {
    /// The type of its codes.
    associatedtype Code: ErrorCode

    /// The kind of error.
    var code: Code { get }

    /// The message, for people.
    var message: String { get }
}

extension WebError {
    /// The message and the code.
    public var description: String { "\(message) (\(code))" }
}

/// The kind of an error, by a stable identifier such as "network.timeout".
///
/// Codes are open: a later version may have more of them, so a `switch` over codes needs a `default`. A published code
/// is never renamed.
public protocol ErrorCode: RawRepresentable, Hashable, Sendable, Codable, CustomStringConvertible,
    ExpressibleByStringLiteral
where RawValue == String {
    /// Creates the code with an identifier, whether this version knows it or not.
    init(rawValue: String)

    /// Foundation's number for it (`NSURLErrorDomain`); `nil` if there is no such number.
    var nsURLErrorCode: Int? { get }
}

extension ErrorCode {
    /// Creates the code with an identifier.
    public init(stringLiteral identifier: String) { self.init(rawValue: identifier) }

    /// The identifier.
    public var description: String { rawValue }

    /// `nil` by default: Foundation has no number for the code.
    public var nsURLErrorCode: Int? { nil }
}
