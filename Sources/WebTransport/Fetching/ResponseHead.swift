import HTTPTypes

/// The status line and fields of a response, line by line as libcurl hands them over, interim responses first.
struct ResponseHead {
    /// The status of the response being read, nil before its first line.
    private(set) var status: Int?
    private(set) var fields = HTTPFields()
    private(set) var interim: [WebResponse.Interim] = []
    private(set) var size = 0

    /// How many lines of fields there were, interim responses' and trailers included.
    private(set) var fieldCount = 0

    /// Whether the final response's fields are complete; the lines that follow are trailers.
    private(set) var isComplete = false

    /// Whether the last line's field was kept, so that a folded line can continue it.
    private var isFieldOpen = false

    /// Takes a line with its line end.
    mutating func take(_ line: UnsafeRawBufferPointer, limits: LoadLimits) throws(FetchError) {
        size += line.count
        guard size <= limits.maximumHeaderSize else {
            throw .headersTooLarge(limit: limits.maximumHeaderSize, reached: size)
        }
        if line.count > 2 { fieldCount += 1 }
        guard fieldCount <= limits.maximumHeaderFields else {
            throw .tooManyFields(limit: limits.maximumHeaderFields)
        }
        guard !isComplete else { return }
        var line = unsafe line[...]
        while let last = unsafe line.last, last == 0x0A || last == 0x0D { unsafe line.removeLast() }
        guard unsafe !line.contains(0) else {
            throw FetchError(.malformedResponse, "NUL in the response's fields")
        }
        if unsafe line.isEmpty {
            try endOfFields(limits.maximumInterimResponses)
        } else if unsafe line.starts(with: "HTTP/".utf8) {
            // The status line is not a field.
            fieldCount -= 1
            try unsafe statusLine(line)
        } else if unsafe line.first?.isHTTPTabOrSpace == true {
            try unsafe foldedLine(line)
        } else {
            unsafe field(line)
        }
    }

    private mutating func statusLine(_ line: Slice<UnsafeRawBufferPointer>) throws(FetchError) {
        let digits = unsafe line.drop { $0 != 0x20 }.drop { $0 == 0x20 }.prefix { $0 != 0x20 }
        guard unsafe digits.count == 3, unsafe digits.allSatisfy({ 0x30...0x39 ~= $0 }) else {
            throw FetchError(.malformedResponse, "the status is not a number of three digits")
        }
        let status = unsafe digits.reduce(into: 0) { $0.appendDigit($1) }
        // No request asks for another protocol (101).
        guard status >= 100, status != 101 else {
            throw FetchError(.malformedResponse, "an unexpected status of \(status)")
        }
        self.status = status
        fields = HTTPFields()
        isFieldOpen = false
    }

    private mutating func field(_ line: Slice<UnsafeRawBufferPointer>) {
        isFieldOpen = false
        guard let colon = unsafe line.firstIndex(of: 0x3A) else { return }
        let rawName = unsafe String(decoding: line[..<colon], as: UTF8.self)
        // A line whose name is not a token is not a field; browsers ignore it too.
        guard let name = HTTPField.Name(rawName) else { return }
        var value = unsafe line[(colon + 1)...]
        while let first = unsafe value.first, first == 0x20 || first == 0x09 { unsafe value.removeFirst() }
        while let last = unsafe value.last, last == 0x20 || last == 0x09 { unsafe value.removeLast() }
        unsafe fields.append(received: HTTPField(name: name, bytes: value))
        isFieldOpen = true
    }

    /// Appends a folded line to the previous field.
    ///
    /// [RFC 9112, section 5.2](https://www.rfc-editor.org/rfc/rfc9112#section-5.2)
    private mutating func foldedLine(_ line: Slice<UnsafeRawBufferPointer>) throws(FetchError) {
        guard isFieldOpen, !fields.isEmpty else { return }
        let index = fields.index(before: fields.endIndex)
        let field = fields[index]
        // libcurl interprets these fields itself, without the folded lines.
        guard field.name != .contentLength, field.name != .transferEncoding else {
            throw FetchError(.malformedResponse, "\(field.name.rawName) on several lines")
        }
        var value = Array(field.value.utf8)
        value.append(0x20)
        unsafe value.append(contentsOf: line.drop(while: \.isHTTPTabOrSpace))
        while let last = value.last, last.isHTTPTabOrSpace { value.removeLast() }
        fields[index] = HTTPField(name: field.name, lenientValue: value)
    }

    private mutating func endOfFields(_ maximumInterimResponses: Int) throws(FetchError) {
        guard let status else { return }
        guard 100..<200 ~= status else {
            isComplete = true
            return
        }
        guard interim.count < maximumInterimResponses else {
            throw .tooManyInterimResponses(limit: maximumInterimResponses)
        }
        interim.append(WebResponse.Interim(status: .init(code: status), headerFields: fields))
        self.status = nil
        fields = HTTPFields()
    }
}
