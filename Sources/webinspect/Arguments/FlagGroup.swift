import ArgumentParser

/// A table of flags, as ArgumentParser knows groups of them.
///
/// ArgumentParser reflects a group's properties to find declarations, and decodes them. A group has none: what
/// it shows and decodes is a declaration for each row of its table.
protocol FlagGroup: ParsableArguments, CustomReflectable {
    static var flags: [CommandFlag] { get }
    var given: GivenFlags { get set }
}

extension FlagGroup {
    init(from decoder: any Decoder) throws {
        self.init()
        let container = try decoder.container(keyedBy: CommandFlag.Key.self)
        for (index, flag) in Self.flags.enumerated() {
            for value in try flag.values(in: container) { given.add(value, at: index) }
        }
    }

    var customMirror: Mirror {
        Mirror(self, children: Self.flags.map { (label: $0.key.stringValue, value: $0.declaration) })
    }
}

extension CommandFlag {
    /// The key of a flag in what ArgumentParser has parsed.
    struct Key: CodingKey {
        let stringValue: String
        var intValue: Int? { nil }

        init(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }
    }

    fileprivate var key: Key { Key(stringValue: word) }

    /// The property wrapper that declares the flag to ArgumentParser.
    fileprivate var declaration: Any {
        let names = NameSpecification(
            [name, otherName].compactMap(\.self).map { name in
                let letters = name.drop { $0 == "-" }
                return name.hasPrefix("--")
                    ? .customLong(String(letters)) : .customShort(letters.first ?? "-")
            }
        )
        let help = ArgumentHelp(help(), valueName: valueName)
        let completion = choices.map { CompletionKind.list($0()) }
        return switch effect {
        case .flag: Flag(wrappedValue: false, name: names, help: help)
        case .value(_, let value?):
            Option(wrappedValue: value, name: names, help: help, completion: completion)
        case .value: Option<String?>(name: names, help: help, completion: completion)
        case .values: Option<[String]>(wrappedValue: [], name: names, help: help, completion: completion)
        case .number(_, let value?):
            Option(wrappedValue: value, name: names, help: help, completion: completion)
        case .number: Option<Int?>(name: names, help: help, completion: completion)
        }
    }

    /// The values that ArgumentParser has found for the flag.
    fileprivate func values(in container: KeyedDecodingContainer<Key>) throws -> [String] {
        switch effect {
        case .flag: try container.decode(Flag<Bool>.self, forKey: key).wrappedValue ? [""] : []
        case .value(_, _?): [try container.decode(Option<String>.self, forKey: key).wrappedValue]
        case .value: [try container.decode(Option<String?>.self, forKey: key).wrappedValue].compactMap(\.self)
        case .values: try container.decode(Option<[String]>.self, forKey: key).wrappedValue
        case .number(_, _?): ["\(try container.decode(Option<Int>.self, forKey: key).wrappedValue)"]
        case .number:
            [try container.decode(Option<Int?>.self, forKey: key).wrappedValue].compactMap {
                $0.map(String.init)
            }
        }
    }
}
