import CHTMLTables

/// The script data states; the escaped ones differ in how many dashes came before, which `dashes` counts.
extension HTMLTokenizer where Sink: ~Copyable {
    /// [Script data state](https://html.spec.whatwg.org/multipage/parsing.html#script-data-state).
    mutating func scriptDataState() throws(HTMLParserError) -> Step {
        var index = position
        while true {
            index = unsafe webl_scan_raw(input.base, index, input.count)
            guard index < input.count else { return try passText(to: index) }
            guard input[index] == UInt8(ascii: "<") else { return try interruptText(at: index) }
            // Script data less-than sign state
            let escape = input.matchLength("<!--", at: index, folding: false)
            if escape == 4 {
                // Script data escape start and escape start dash states
                try emit(position, index + 4)
                position = index + 4
                dashes = 2
                state = .scriptDataEscaped
                return .proceed
            }
            if index + escape == input.count && !isFinal { return try passText(to: index) }
            // Script data end tag open and end tag name states
            switch appropriateEndTag(at: index) {
            case .no: index += 1
            case .yes:
                try emit(position, index)
                position = index
                return try tag(from: index, isEnd: true)
            case .unknown: return try passText(to: index)
            }
        }
    }

    /// The script data escaped, escaped dash and escaped dash dash states, and the doubly escaped ones.
    ///
    /// [Script data escaped state](https://html.spec.whatwg.org/multipage/parsing.html#script-data-escaped-state)
    mutating func scriptDataEscapedState(doubly: Bool) throws(HTMLParserError) -> Step {
        var index = position
        while true {
            if dashes == 0 {
                index = unsafe webl_scan_escaped(input.base, index, input.count)
            }
            guard index < input.count else { return try passText(to: index) }
            switch input[index] {
            case UInt8(ascii: "-"):
                dashes = min(2, dashes + 1)
                index += 1
            case UInt8(ascii: ">") where dashes == 2:
                dashes = 0
                state = .scriptData
                try emit(position, index + 1)
                position = index + 1
                return .proceed
            case UInt8(ascii: "<"):
                if doubly {
                    // Script data double escaped less-than sign and double escape end states
                    switch scriptName(after: "</", at: index) {
                    case .unknown: return try passText(to: index)
                    case .no:
                        dashes = 0
                        index += 1
                    case .yes:
                        dashes = 0
                        state = .scriptDataEscaped
                        // "</script" and the character that ended it are text.
                        return try passScriptName(to: index + 9)
                    }
                    continue
                }
                // Script data escaped less-than sign state
                switch appropriateEndTag(at: index) {
                case .unknown: return try passText(to: index)
                case .yes:
                    dashes = 0
                    try emit(position, index)
                    position = index
                    return try tag(from: index, isEnd: true)
                case .no: break
                }
                // Script data double escape start state
                switch scriptName(after: "<", at: index) {
                case .unknown: return try passText(to: index)
                case .no:
                    dashes = 0
                    index += 1
                case .yes:
                    dashes = 0
                    state = .scriptDataDoubleEscaped
                    return try passScriptName(to: index + 8)
                }
            case 0, 0x0D:
                dashes = 0
                return try interruptText(at: index)
            default:
                dashes = 0
                index += 1
            }
        }
    }

    /// Passes on text up to the character that ended a script name, including that character unless it is a
    /// CR.
    private mutating func passScriptName(to end: Int) throws(HTMLParserError) -> Step {
        let stop = input[end - 1] == 0x0D ? end - 1 : end
        try emit(position, stop)
        position = stop
        return .proceed
    }

    /// Whether `prefix`, "script" and then white space, `/` or `>` are at `index`.
    private func scriptName(after prefix: StaticString, at index: Int) -> Finding {
        var at = index + input.matchLength(prefix, at: index, folding: false)
        guard at == index + prefix.utf8CodeUnitCount else {
            return at == input.count && !isFinal ? .unknown : .no
        }
        at += input.matchLength("script", at: at, folding: true)
        guard at < input.count else { return isFinal ? .no : .unknown }
        guard at == index + prefix.utf8CodeUnitCount + 6 else { return .no }
        let next = input[at]
        return next.isASCIIWhitespace || next == UInt8(ascii: "/") || next == UInt8(ascii: ">") ? .yes : .no
    }
}
