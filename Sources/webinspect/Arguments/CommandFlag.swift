import WebLoader

/// A flag, declared once.
///
/// From it come ArgumentParser's declaration, and with that the help, the completions and the manual pages; what
/// ``HotArguments`` reads; and what ``Setting`` takes.
struct CommandFlag: Sendable {
    /// The kind of value that a flag takes, and its effect on the options of a line.
    enum Effect: Sendable {
        case flag(Setter)
        /// A value; the last one counts, and the default where there is none.
        case value(ValueSetter, default: String?)
        /// A value that may be repeated; each one counts.
        case values(ValueSetter)
        /// A whole number; as for a value.
        case number(NumberSetter, default: Int?)
    }

    typealias Setter = @Sendable (inout LineOptions) -> Void
    typealias ValueSetter = @Sendable (inout LineOptions, String) throws(Failure) -> Void
    typealias NumberSetter = @Sendable (inout LineOptions, Int) throws(Failure) -> Void
    /// A text of the help: a function, since to make it would take time at each start.
    typealias Text = @Sendable () -> String

    /// As it stands on a line, with its dashes.
    let name: String
    let otherName: String?
    /// The name of the value in the help; `nil` for the flag's name.
    var valueName: String?
    let help: Text
    /// The values that completions offer.
    var choices: (@Sendable () -> [String])?
    let effect: Effect

    static func flag(
        _ name: String,
        or otherName: String? = nil,
        help: @autoclosure @escaping Text,
        _ set: @escaping Setter
    ) -> CommandFlag {
        CommandFlag(name: name, otherName: otherName, help: help, effect: .flag(set))
    }

    static func value(
        _ name: String,
        or otherName: String? = nil,
        value: String? = nil,
        help: @autoclosure @escaping Text,
        choices: (@Sendable () -> [String])? = nil,
        _ set: @escaping ValueSetter
    ) -> CommandFlag {
        let effect = Effect.value(set, default: nil)
        return CommandFlag(
            name: name,
            otherName: otherName,
            valueName: value,
            help: help,
            choices: choices,
            effect: effect
        )
    }

    /// A flag whose value is read by a function.
    static func value<Value>(
        _ name: String,
        or otherName: String? = nil,
        value: String? = nil,
        default: String? = nil,
        help: @autoclosure @escaping Text,
        choices: (@Sendable () -> [String])? = nil,
        read: @escaping @Sendable (String) throws(Failure) -> Value,
        _ set: @escaping @Sendable (inout LineOptions, Value) -> Void
    ) -> CommandFlag {
        let effect = Effect.value(
            { (line, text) throws(Failure) in set(&line, try read(text)) },
            default: `default`
        )
        return CommandFlag(
            name: name,
            otherName: otherName,
            valueName: value,
            help: help,
            choices: choices,
            effect: effect
        )
    }

    static func values(
        _ name: String,
        or otherName: String? = nil,
        value: String,
        help: @autoclosure @escaping Text,
        choices: (@Sendable () -> [String])? = nil,
        _ set: @escaping ValueSetter
    ) -> CommandFlag {
        CommandFlag(
            name: name,
            otherName: otherName,
            valueName: value,
            help: help,
            choices: choices,
            effect: .values(set)
        )
    }

    static func number(
        _ name: String,
        value: String,
        default: Int? = nil,
        help: @autoclosure @escaping Text,
        _ set: @escaping NumberSetter
    ) -> CommandFlag {
        let effect = Effect.number(set, default: `default`)
        return CommandFlag(name: name, otherName: nil, valueName: value, help: help, effect: effect)
    }

    /// Its name in full, without the dashes.
    var word: String {
        let word = !name.hasPrefix("--") ? otherName ?? name : name
        return String(word.drop { $0 == "-" })
    }

    /// Whether a name, with its dashes, is one of its names.
    func isNamed(_ name: String) -> Bool { self.name == name || otherName == name }

    /// Applies one value of the flag, as a line has it; "" for a flag without one.
    func apply(_ value: String, to line: inout LineOptions) throws(Failure) {
        switch effect {
        case .flag(let set): set(&line)
        case .value(let set, _), .values(let set):
            do throws(Failure) {
                try set(&line, value)
            } catch {
                throw error.naming("--\(word)", value)
            }
        // Whoever has read the line has seen that it is a number.
        case .number(let set, _): if let number = Int(bounded: value) { try set(&line, number) }
        }
    }
}
