import CHTMLTables

/// The tokenizer: turns bytes of UTF-8 into tokens, without allocating memory for them.
///
/// Input may come in pieces. An incomplete token is left in the input and read again from its start when
/// there is more (``HTMLParser`` ensures that this stays linear); text is passed on at once. CR and CR LF
/// become LF during tokenization, without a separate pass.
///
/// [Tokenization](https://html.spec.whatwg.org/multipage/parsing.html#tokenization)
struct HTMLTokenizer<Sink: HTMLTokenSink & ~Copyable>: ~Copyable {
    /// How a call of a state function ended.
    enum Step {
        /// Something was consumed, or the state changed.
        case proceed
        /// The rest of the input is the start of a token that more input may continue.
        case needsInput
    }

    /// The receiver of the tokens.
    var sink: Sink

    /// All input so far.
    ///
    /// Indices into it change only in ``rebase(onto:discarding:)``.
    var input: HTMLBytes

    /// Where the next token begins.
    var position = 0

    /// Whether `input` ends at the end of the page.
    var isFinal = false

    var state = HTMLTokenizerState.data

    /// The number of the name of the last start tag, whose end tag is the appropriate one; 0 if there is none.
    var lastStartTag: UInt32 = 0

    /// In the escaped states of script data: how many dashes are before `position`, 2 at most.
    var dashes = 0

    let names: HTMLNames
    var scratch = HTMLScratch()
    var attributes: HTMLAttributeBuffer
    var reports: HTMLErrorReports

    /// The position in the source (line and column) of the index `placed`.
    var place = webl_position(line: 1, column: 1)
    var placed = 0

    /// The position in the source of the index of the last error.
    private var reportedPlace = webl_position(line: 1, column: 1)
    private var reportedIndex = 0

    /// Whether the end of file has been passed on.
    var isFinished = false

    init(sink: consuming Sink, input: HTMLBytes, maximumAttributes: Int, reportsErrors: Bool) {
        names = sink.names
        self.sink = sink
        self.input = input
        attributes = HTMLAttributeBuffer(limit: maximumAttributes)
        reports = HTMLErrorReports(isEnabled: reportsErrors)
    }

    /// Consumes as much of the input as possible.
    mutating func run() throws(HTMLParserError) {
        while !sink.isStopped {
            if position == input.count {
                if isFinal { try finish() }
                return
            }
            let step: Step
            switch state {
            case .data: step = try dataState()
            case .rcdata: step = try rcdataState()
            case .rawtext: step = try rawtextState()
            case .scriptData: step = try scriptDataState()
            case .scriptDataEscaped: step = try scriptDataEscapedState(doubly: false)
            case .scriptDataDoubleEscaped: step = try scriptDataEscapedState(doubly: true)
            case .plaintext: step = try plaintextState()
            case .cdataSection: step = try cdataSectionState()
            }
            if step == .needsInput {
                if isFinal && position == input.count { continue }
                // The rest will be read again, and its errors found again.
                reports.forget(inTokenAt: position)
                return
            }
        }
    }

    private mutating func finish() throws(HTMLParserError) {
        guard !isFinished else { return }
        isFinished = true
        switch state {
        case .scriptDataEscaped, .scriptDataDoubleEscaped:
            report(.eofInScriptHTMLCommentLikeText, at: position)
        case .cdataSection: report(.eofInCDATA, at: position)
        case .data, .rcdata, .rawtext, .scriptData, .plaintext: break
        }
        try sink.endOfFile()
    }

    /// Moves to a new location of the input's bytes, without the first `number` ones.
    mutating func rebase(onto new: HTMLBytes, discarding number: Int) {
        if placed < number { locate(number) }
        placed -= number
        reportedIndex = 0
        reports.keep()
        position -= number
        input = new
    }

    // MARK: - Places and errors

    /// Sets `place` to the position of `index`, which must not be before `placed`.
    @inline(__always)
    mutating func locate(_ index: Int) {
        unsafe webl_advance(input.base, placed, index, input.count, &place)
        placed = index
    }

    @inline(__always)
    mutating func report(_ code: HTMLParseError.Code, at index: Int) {
        if reports.isEnabled { record(code, at: index) }
    }

    @inline(never)
    private mutating func record(_ code: HTMLParseError.Code, at index: Int) {
        // Errors are in order, except for those of a token that is read again.
        if index < reportedIndex || reportedIndex < placed {
            reportedPlace = place
            reportedIndex = placed
        }
        unsafe webl_advance(input.base, min(reportedIndex, index), index, input.count, &reportedPlace)
        reportedIndex = index
        reports.append(
            HTMLParseError(
                code: code,
                line: Int(bounded: reportedPlace.line),
                column: Int(bounded: reportedPlace.column)
            ),
            inTokenAt: position
        )
    }

    // MARK: - Text

    /// Passes on a piece of the input as text.
    @inline(__always)
    mutating func emit(_ from: Int, _ to: Int) throws(HTMLParserError) {
        if from < to { try sink.characters(input.slice(from, to)) }
    }

    /// Passes on an LF for the CR at `index`, unless an LF follows; returns false if more input is needed to
    /// decide.
    mutating func emitCarriageReturn(at index: Int) throws(HTMLParserError) -> Bool {
        if index + 1 == input.count {
            guard isFinal else { return false }
        } else if input[index + 1] == 0x0A {
            position = index + 1
            return true
        }
        scratch.reset()
        scratch.begin()
        scratch.append(0x0A)
        position = index + 1
        try sink.characters(scratch.finish())
        return true
    }

    /// Passes on U+FFFD for the NUL at `index`.
    mutating func emitReplacement(at index: Int) throws(HTMLParserError) {
        report(.unexpectedNullCharacter, at: index)
        scratch.reset()
        scratch.begin()
        scratch.appendReplacement()
        position = index + 1
        try sink.characters(scratch.finish())
    }
}

/// The parse errors found so far.
struct HTMLErrorReports {
    let isEnabled: Bool
    private(set) var errors: [HTMLParseError] = []
    private(set) var isTruncated = false

    /// For each of the last errors that may be discarded, where its token began.
    private var indices: [Int] = []

    init(isEnabled: Bool) {
        self.isEnabled = isEnabled
    }

    mutating func append(_ error: HTMLParseError, inTokenAt index: Int) {
        guard errors.count < ParseErrors.maximumCount else {
            isTruncated = true
            return
        }
        errors.append(error)
        indices.append(index)
    }

    /// Discards the errors of the token at `index`, which is going to be read again.
    mutating func forget(inTokenAt index: Int) {
        while let last = indices.last, last >= index {
            indices.removeLast()
            errors.removeLast()
        }
    }

    /// Keeps all errors so far for good: the input moves, and indices into it become invalid.
    mutating func keep() {
        indices.removeAll()
    }
}
