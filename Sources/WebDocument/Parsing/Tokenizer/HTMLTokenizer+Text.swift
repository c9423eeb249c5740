import CHTMLTables

/// The states that hold text: data, RCDATA, RAWTEXT, PLAINTEXT, CDATA section.
extension HTMLTokenizer where Sink: ~Copyable {
    /// [Data state](https://html.spec.whatwg.org/multipage/parsing.html#data-state).
    @inline(__always)
    mutating func dataState() throws(HTMLParserError) -> Step {
        let start = position
        let stop = unsafe webl_scan_data(input.base, start, input.count)
        if stop > start {
            position = stop
            try sink.characters(input.slice(start, stop))
            if stop == input.count { return .needsInput }
        }
        switch input[stop] {
        case UInt8(ascii: "<"): return try tagOpenState()
        case UInt8(ascii: "&"): return try characterReferenceInText()
        case 0:
            report(.unexpectedNullCharacter, at: stop)
            position = stop + 1
            try sink.nullCharacter()
            return .proceed
        default: return try emitCarriageReturn(at: stop) ? .proceed : .needsInput
        }
    }

    /// [RCDATA state](https://html.spec.whatwg.org/multipage/parsing.html#rcdata-state).
    mutating func rcdataState() throws(HTMLParserError) -> Step {
        var index = position
        while true {
            index = unsafe webl_scan_data(input.base, index, input.count)
            guard index < input.count else { return try passText(to: index) }
            switch input[index] {
            case UInt8(ascii: "<"):
                // RCDATA less-than sign, end tag open and end tag name states
                switch appropriateEndTag(at: index) {
                case .no: index += 1
                case .yes:
                    try emit(position, index)
                    position = index
                    return try tag(from: index, isEnd: true)
                case .unknown: return try passText(to: index)
                }
            case UInt8(ascii: "&"):
                try emit(position, index)
                position = index
                return try characterReferenceInText()
            default: return try interruptText(at: index)
            }
        }
    }

    /// [RAWTEXT state](https://html.spec.whatwg.org/multipage/parsing.html#rawtext-state).
    mutating func rawtextState() throws(HTMLParserError) -> Step {
        var index = position
        while true {
            index = unsafe webl_scan_raw(input.base, index, input.count)
            guard index < input.count else { return try passText(to: index) }
            guard input[index] == UInt8(ascii: "<") else { return try interruptText(at: index) }
            // RAWTEXT less-than sign, end tag open and end tag name states
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

    /// [PLAINTEXT state](https://html.spec.whatwg.org/multipage/parsing.html#plaintext-state).
    mutating func plaintextState() throws(HTMLParserError) -> Step {
        let index = unsafe webl_scan_plain(input.base, position, input.count)
        guard index < input.count else { return try passText(to: index) }
        return try interruptText(at: index)
    }

    /// [CDATA section state](https://html.spec.whatwg.org/multipage/parsing.html#cdata-section-state).
    mutating func cdataSectionState() throws(HTMLParserError) -> Step {
        var index = position
        while true {
            index = unsafe webl_scan_cdata(input.base, index, input.count)
            guard index < input.count else { return try passText(to: index) }
            switch input[index] {
            case UInt8(ascii: "]"):
                // CDATA section bracket and CDATA section end states
                let matched = input.matchLength("]]>", at: index, folding: false)
                if matched == 3 {
                    try emit(position, index)
                    position = index + 3
                    state = .data
                    return .proceed
                }
                if index + matched == input.count && !isFinal { return try passText(to: index) }
                index += 1
            case 0:
                // Here the tree construction stage decides how to treat a NUL.
                try emit(position, index)
                position = index + 1
                try sink.nullCharacter()
                return .proceed
            default: return try interruptText(at: index)
            }
        }
    }

    /// Passes on the text up to `index`, where the input ends or more input is needed to continue.
    mutating func passText(to index: Int) throws(HTMLParserError) -> Step {
        let start = position
        position = index
        try emit(start, index)
        return .needsInput
    }

    /// Passes on the text up to the NUL or CR at `index`, and then that character.
    mutating func interruptText(at index: Int) throws(HTMLParserError) -> Step {
        try emit(position, index)
        position = index
        if input[index] == 0 {
            try emitReplacement(at: index)
            return .proceed
        }
        return try emitCarriageReturn(at: index) ? .proceed : .needsInput
    }

    /// Whether something was found, or whether more input is needed to decide.
    enum Finding {
        case yes
        case no
        case unknown
    }

    /// Whether the `<` at `index` begins the end tag of the last start tag.
    ///
    /// [Appropriate end tag token](https://html.spec.whatwg.org/multipage/parsing.html#appropriate-end-tag-token)
    mutating func appropriateEndTag(at index: Int) -> Finding {
        var at = index + 1
        guard at < input.count else { return isFinal ? .no : .unknown }
        guard input[at] == UInt8(ascii: "/") else { return .no }
        at += 1
        guard lastStartTag != 0, lastStartTag < UInt32(truncatingIfNeeded: HTMLAtom.knownCount) else {
            return .no
        }
        // Only elements with known names switch the tokenizer out of the data state.
        let name = unsafe HTMLBytes(webl_name_bytes(lastStartTag), count: Int(webl_name_count(lastStartTag)))
        for position in 0..<name.count {
            guard at < input.count else { return isFinal ? .no : .unknown }
            guard input[at].asciiLowercased == name[position] else { return .no }
            at += 1
        }
        guard at < input.count else { return isFinal ? .no : .unknown }
        let next = input[at]
        return next.isASCIIWhitespace || next == UInt8(ascii: "/") || next == UInt8(ascii: ">") ? .yes : .no
    }
}
