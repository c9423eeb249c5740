/// An argument of a test whose description is cut to some words: it is written for each run, and a megabyte of it hides the rest.
public struct Abbreviated<Value: Sendable>: Sendable, CustomStringConvertible {
    /// The argument itself.
    public let value: Value

    /// Abbreviates an argument.
    public init(_ value: Value) {
        self.value = value
    }

    /// Arguments that may be long.
    public static func each(_ values: [Value]) -> [Self] { values.map(Self.init) }

    /// The first 60 characters, and how many bytes there are.
    public var description: String {
        let text = String(describing: value)
        return text.utf8.count <= 80 ? text : "\(text.prefix(60)) … (\(text.utf8.count) bytes)"
    }
}
