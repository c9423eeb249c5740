import CHTMLTables

/// Comments, CDATA sections and processing instructions.
extension HTMLTokenizer where Sink: ~Copyable {
    /// [Markup declaration open state](https://html.spec.whatwg.org/multipage/parsing.html#markup-declaration-open-state).
    mutating func markupDeclarationOpenState() throws(HTMLParserError) -> Step {
        let index = position + 2
        let remaining = input.count - index
        let dashes = input.matchLength("--", at: index, folding: false)
        let doctype = input.matchLength("doctype", at: index, folding: true)
        let cdata = input.matchLength("[CDATA[", at: index, folding: false)
        if dashes == 2 { return try commentState(from: index + 2) }
        if doctype == 7 { return try doctypeState(from: index + 7) }
        if cdata == 7 {
            if sink.allowsCDATA {
                position = index + 7
                state = .cdataSection
                return .proceed
            }
            report(.cdataInHTMLContent, at: index + 7)
            return try bogusCommentState(from: index)
        }
        if !isFinal, max(dashes, doctype, cdata) == remaining { return .needsInput }
        report(.incorrectlyOpenedComment, at: index)
        return try bogusCommentState(from: index)
    }

    /// [Bogus comment state](https://html.spec.whatwg.org/multipage/parsing.html#bogus-comment-state).
    mutating func bogusCommentState(from start: Int) throws(HTMLParserError) -> Step {
        var value = PendingValue(start: start)
        scratch.reset()
        scratch.begin()
        var index = start
        while true {
            index = unsafe webl_scan_bogus(input.base, index, input.count)
            guard index < input.count else {
                guard isFinal else { return .needsInput }
                let data = finish(&value, at: index)
                try comment(data, end: index)
                return .proceed
            }
            if input[index] == UInt8(ascii: ">") {
                let data = finish(&value, at: index)
                try comment(data, end: index + 1)
                return .proceed
            }
            index = replace(at: index, in: &value)
        }
    }

    /// A value that refers to the input as long as nothing in it has to be replaced.
    private struct PendingValue {
        /// Where the bytes begin that have not been copied yet.
        var start: Int
        var isCopied = false
    }

    /// Ends a value before the byte at `index`.
    private mutating func finish(_ value: inout PendingValue, at index: Int) -> HTMLBytes {
        let rest = input.slice(value.start, max(value.start, index))
        guard value.isCopied else { return rest }
        scratch.append(rest)
        return scratch.finish()
    }

    /// Replaces the NUL or CR at `index`; returns the index at which to continue.
    private mutating func replace(at index: Int, in value: inout PendingValue) -> Int {
        scratch.append(input.slice(value.start, index))
        value.isCopied = true
        value.start = index + 1
        if input[index] == 0 {
            report(.unexpectedNullCharacter, at: index)
            scratch.appendReplacement()
        } else if index + 1 == input.count || input[index + 1] != 0x0A {
            scratch.append(0x0A)
        }
        return index + 1
    }

    /// [Comment start state](https://html.spec.whatwg.org/multipage/parsing.html#comment-start-state) and those after it.
    ///
    /// A run of dashes is handled here for the comment end dash and comment end states.
    private mutating func commentState(from start: Int) throws(HTMLParserError) -> Step {
        // Comment start and comment start dash states
        let abrupt = input.matchLength("->", at: start, folding: false)
        if abrupt == 2 || start < input.count && input[start] == UInt8(ascii: ">") {
            let close = start + (abrupt == 2 ? 1 : 0)
            report(.abruptClosingOfEmptyComment, at: close)
            try comment(input.slice(start, start), end: close + 1)
            return .proceed
        }
        var value = PendingValue(start: start)
        scratch.reset()
        scratch.begin()
        var index = start
        while true {
            index = unsafe webl_scan_comment(input.base, index, input.count)
            guard index < input.count else {
                return try endOfInputInComment(&value, at: index)
            }
            switch input[index] {
            case UInt8(ascii: "-"):
                let dashes = index
                while index < input.count, input[index] == UInt8(ascii: "-") { index += 1 }
                let count = index - dashes
                guard index < input.count else {
                    return try endOfInputInComment(&value, at: index - min(count, 2))
                }
                guard count >= 2 else { continue }
                if input[index] == UInt8(ascii: ">") {
                    let data = finish(&value, at: index - 2)
                    try comment(data, end: index + 1)
                    return .proceed
                }
                // Comment end bang state
                guard input[index] == UInt8(ascii: "!") else { continue }
                guard index + 1 < input.count else {
                    return try endOfInputInComment(&value, at: index - 2)
                }
                if input[index + 1] == UInt8(ascii: ">") {
                    report(.incorrectlyClosedComment, at: index + 1)
                    let data = finish(&value, at: index - 2)
                    try comment(data, end: index + 2)
                    return .proceed
                }
                index += 1
            case UInt8(ascii: "<"):
                if reports.isEnabled, input.matchLength("<!--", at: index, folding: false) == 4,
                    index + 4 < input.count, input[index + 4] != UInt8(ascii: ">")
                {
                    report(.nestedComment, at: index + 4)
                }
                index += 1
            default:
                index = replace(at: index, in: &value)
            }
        }
    }

    /// Handles the end of the input in a comment whose data ends at `index`.
    private mutating func endOfInputInComment(
        _ value: inout PendingValue,
        at index: Int
    ) throws(HTMLParserError) -> Step {
        guard isFinal else { return .needsInput }
        report(.eofInComment, at: input.count)
        let data = finish(&value, at: index)
        try comment(data, end: input.count)
        return .proceed
    }

    /// Passes on the comment that begins at `position`, and moves to its end.
    private mutating func comment(_ data: HTMLBytes, end: Int) throws(HTMLParserError) {
        locate(position)
        // Elements that no tag creates keep the position of the tag before.
        let tagPosition = sink.position
        sink.position = HTMLSourcePosition.pack(line: place.line, column: place.column)
        position = end
        try sink.comment(data)
        sink.position = tagPosition
    }

    // MARK: - Processing instructions

    /// [Processing instruction open state](https://html.spec.whatwg.org/multipage/parsing.html#processing-instruction-open-state).
    mutating func processingInstructionOpenState() throws(HTMLParserError) -> Step {
        // "Convert the temporary buffer to a comment" leaves a bogus comment that begins with the `?`.
        let start = position + 1
        var index = start + 1
        guard index < input.count else { return endOfInputInProcessingInstruction() }
        guard input[index].isASCIIAlpha || input[index] == UInt8(ascii: "_") else {
            report(.invalidFirstCharacterOfProcessingInstructionTarget, at: index)
            return try bogusCommentState(from: start)
        }
        // Processing instruction target state
        while index < input.count {
            let byte = input[index]
            guard byte.isASCIIAlphanumeric || byte == UInt8(ascii: "-") || byte == UInt8(ascii: "_") else {
                break
            }
            index += 1
        }
        guard index < input.count else { return endOfInputInProcessingInstruction() }
        let next = input[index]
        guard next.isASCIIWhitespace || next == UInt8(ascii: "?") || next == UInt8(ascii: ">") else {
            report(.invalidProcessingInstructionTarget, at: index)
            return try bogusCommentState(from: start)
        }
        let target = input.slice(start + 1, index)
        if target.equalsIgnoringCase("xml") || target.equalsIgnoringCase("xml-stylesheet") {
            report(.disallowedProcessingInstructionTarget, at: index)
            return try bogusCommentState(from: start)
        }
        // After processing instruction target state
        while index < input.count, input[index].isASCIIWhitespace { index += 1 }
        // Processing instruction data and questionable states
        var value = PendingValue(start: index)
        scratch.reset()
        scratch.begin()
        while true {
            index = unsafe webl_scan_instruction(input.base, index, input.count)
            guard index < input.count else { return endOfInputInProcessingInstruction() }
            let byte = input[index]
            if byte == UInt8(ascii: ">") || byte == UInt8(ascii: "?") {
                let close = byte == UInt8(ascii: ">") ? index : index + 1
                guard close < input.count else {
                    return endOfInputInProcessingInstruction()
                }
                guard input[close] == UInt8(ascii: ">") else {
                    index += 1
                    continue
                }
                let data = finish(&value, at: index)
                position = close + 1
                try sink.processingInstruction(target: target, data: data)
                return .proceed
            }
            index = replaceInInstruction(at: index, in: &value)
        }
    }

    /// Replaces a NUL in a processing instruction by U+FFFD, as in a comment: libxml2 cannot store a NUL.
    private mutating func replaceInInstruction(at index: Int, in value: inout PendingValue) -> Int {
        replace(at: index, in: &value)
    }

    private mutating func endOfInputInProcessingInstruction() -> Step {
        guard isFinal else { return .needsInput }
        report(.eofInProcessingInstruction, at: input.count)
        position = input.count
        return .needsInput
    }
}
