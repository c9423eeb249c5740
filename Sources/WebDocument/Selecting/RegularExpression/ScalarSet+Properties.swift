/// Sets of scalars by what Unicode says of them.
extension ScalarSet {
    /// The set that `\p{…}` names.
    ///
    /// - Parameter name: A general category, by its short or its long name, also behind `gc=` or `General_Category=`; or a
    ///   property that is true or false.
    /// - Returns: The set; nil where there is none by that name, or it is not supported.
    static func property(named name: String) -> ScalarSet? {
        let parts = name.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        if parts.count == 2 {
            return parts[0] == "gc" || parts[0] == "General_Category" ? category(named: parts[1]) : nil
        }
        return category(named: name[...]) ?? binary(named: name)
    }

    private static func category(named name: Substring) -> ScalarSet? {
        guard let codes = categories.first(where: { $0.names.contains(name) })?.codes else { return nil }
        let ranges = codes.split(separator: " ").compactMap { categoryRanges[String($0)] }
        return ScalarSet(sorting: Array(ranges.joined()))
    }

    private static func binary(named name: String) -> ScalarSet? {
        switch name {
        case "Any": .any
        case "ASCII": ScalarSet(sorting: [0...0x7F])
        case "Assigned": category(named: "Cn")?.complement
        case "ASCII_Hex_Digit", "AHex": ScalarSet(sorting: [0x30...0x39, 0x41...0x46, 0x61...0x66])
        case "Alphabetic", "Alpha": alphabetic
        case "Lowercase", "Lower": lowercase
        case "Uppercase", "Upper": uppercase
        case "White_Space", "space": whitespace
        case "ID_Start", "IDS": identifierStart
        case "ID_Continue", "IDC": identifierContinue
        case "Ideographic", "Ideo": ideographic
        case "Emoji": emoji
        case "Emoji_Presentation", "EPres": emojiPresentation
        default: nil
        }
    }

    private static let alphabetic = ScalarSet(where: \.isAlphabetic)
    private static let lowercase = ScalarSet(where: \.isLowercase)
    private static let uppercase = ScalarSet(where: \.isUppercase)
    private static let whitespace = ScalarSet(where: \.isWhitespace)
    private static let identifierStart = ScalarSet(where: \.isIDStart)
    private static let identifierContinue = ScalarSet(where: \.isIDContinue)
    private static let ideographic = ScalarSet(where: \.isIdeographic)
    private static let emoji = ScalarSet(where: \.isEmoji)
    private static let emojiPresentation = ScalarSet(where: \.isEmojiPresentation)

    /// Those of which something is true; nothing is where nothing is assigned.
    private init(where isTrue: (Unicode.Scalar.Properties) -> Bool) {
        var ranges: [ClosedRange<UInt32>] = []
        for value in Self.assigned.joined() {
            guard let scalar = Unicode.Scalar(value), isTrue(scalar.properties) else { continue }
            Self.add(value, to: &ranges)
        }
        self.init(sorting: ranges)
    }

    /// Adds a scalar that is above those before it.
    private static func add(_ value: UInt32, to ranges: inout [ClosedRange<UInt32>]) {
        if let before = ranges.last, before.upperBound &+ 1 == value {
            ranges[ranges.count - 1] = before.lowerBound...value
        } else {
            ranges.append(value...value)
        }
    }

    /// Where characters are assigned; behind these come private use, and planes that are empty.
    private static let assigned: [ClosedRange<UInt32>] = [0...0x3FFFF, 0xE0000...0xE0FFF]

    /// The ranges of each general category, by its short name.
    private static let categoryRanges: [String: [ClosedRange<UInt32>]] = {
        var table: [Unicode.GeneralCategory: [ClosedRange<UInt32>]] = [:]
        var start: (value: UInt32, category: Unicode.GeneralCategory)?
        for range in assigned {
            for value in range {
                let category = Unicode.Scalar(value)?.properties.generalCategory ?? .surrogate
                if let start, start.category == category { continue }
                if let start { table[start.category, default: []].append(start.value...(value &- 1)) }
                start = (value, category)
            }
            if let start { table[start.category, default: []].append(start.value...range.upperBound) }
            start = nil
        }
        table[.privateUse, default: []] += [0xF0000...0xFFFFD, 0x10_0000...0x10_FFFD]
        table[.unassigned, default: []] += [
            0x40000...0xDFFFF, 0xE1000...0xEFFFF, 0xFFFFE...0xFFFFF, 0x10_FFFE...0x10_FFFF,
        ]
        return Dictionary(uniqueKeysWithValues: table.map { (code(of: $0.key), $0.value) })
    }()

    private static func code(of category: Unicode.GeneralCategory) -> String {
        switch category {
        case .uppercaseLetter: "Lu"
        case .lowercaseLetter: "Ll"
        case .titlecaseLetter: "Lt"
        case .modifierLetter: "Lm"
        case .otherLetter: "Lo"
        case .nonspacingMark: "Mn"
        case .spacingMark: "Mc"
        case .enclosingMark: "Me"
        case .decimalNumber: "Nd"
        case .letterNumber: "Nl"
        case .otherNumber: "No"
        case .connectorPunctuation: "Pc"
        case .dashPunctuation: "Pd"
        case .openPunctuation: "Ps"
        case .closePunctuation: "Pe"
        case .initialPunctuation: "Pi"
        case .finalPunctuation: "Pf"
        case .otherPunctuation: "Po"
        case .mathSymbol: "Sm"
        case .currencySymbol: "Sc"
        case .modifierSymbol: "Sk"
        case .otherSymbol: "So"
        case .spaceSeparator: "Zs"
        case .lineSeparator: "Zl"
        case .paragraphSeparator: "Zp"
        case .control: "Cc"
        case .format: "Cf"
        case .surrogate: "Cs"
        case .privateUse: "Co"
        case .unassigned: "Cn"
        @unknown default: "Cn"
        }
    }

    /// The names of general categories, and those that each stands for.
    private static let categories: [(names: [Substring], codes: String)] = [
        (["L", "Letter"], "Lu Ll Lt Lm Lo"), (["LC", "Cased_Letter"], "Lu Ll Lt"),
        (["Lu", "Uppercase_Letter"], "Lu"), (["Ll", "Lowercase_Letter"], "Ll"),
        (["Lt", "Titlecase_Letter"], "Lt"), (["Lm", "Modifier_Letter"], "Lm"),
        (["Lo", "Other_Letter"], "Lo"), (["M", "Mark", "Combining_Mark"], "Mn Mc Me"),
        (["Mn", "Nonspacing_Mark"], "Mn"), (["Mc", "Spacing_Mark"], "Mc"), (["Me", "Enclosing_Mark"], "Me"),
        (["N", "Number"], "Nd Nl No"), (["Nd", "Decimal_Number", "digit"], "Nd"),
        (["Nl", "Letter_Number"], "Nl"), (["No", "Other_Number"], "No"),
        (["P", "Punctuation", "punct"], "Pc Pd Ps Pe Pi Pf Po"), (["Pc", "Connector_Punctuation"], "Pc"),
        (["Pd", "Dash_Punctuation"], "Pd"), (["Ps", "Open_Punctuation"], "Ps"),
        (["Pe", "Close_Punctuation"], "Pe"), (["Pi", "Initial_Punctuation"], "Pi"),
        (["Pf", "Final_Punctuation"], "Pf"), (["Po", "Other_Punctuation"], "Po"),
        (["S", "Symbol"], "Sm Sc Sk So"), (["Sm", "Math_Symbol"], "Sm"), (["Sc", "Currency_Symbol"], "Sc"),
        (["Sk", "Modifier_Symbol"], "Sk"), (["So", "Other_Symbol"], "So"),
        (["Z", "Separator"], "Zs Zl Zp"), (["Zs", "Space_Separator"], "Zs"),
        (["Zl", "Line_Separator"], "Zl"), (["Zp", "Paragraph_Separator"], "Zp"),
        (["C", "Other"], "Cc Cf Cs Co Cn"),
        (["Cc", "Control", "cntrl"], "Cc"), (["Cf", "Format"], "Cf"), (["Cs", "Surrogate"], "Cs"),
        (["Co", "Private_Use"], "Co"), (["Cn", "Unassigned"], "Cn"),
    ]
}
