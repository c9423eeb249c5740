import HTTPTypes

/// The status line and fields of a response, line by line as libcurl hands them over, interim responses first.
struct ResponseHead {
    /// The status of the response being read, nil before its first line.
    private(set) var status: Int?
    private(set) var fields = HTTPFields()
    private(set) var interim: [WebResponse.Interim] = []
    private(set) var size = 0

    /// Whether the final response's fields are complete; what comes now are trailers.
    private(set) var isComplete = false

    /// How many interim responses are too many.
    static let maximumInterimResponses = 16

    /// Takes a line with its line end.
    mutating func take(_ line: UnsafeRawBufferPointer, maximumSize: Int) throws(FetchError) {
        size += line.count
        guard size <= maximumSize else {
            throw .headersTooLarge(limit: maximumSize)
        }
        guard !isComplete else { return }
        var line = unsafe line[...]
        while let last = unsafe line.last, last == 0x0A || last == 0x0D { unsafe line.removeLast() }
        guard unsafe !line.contains(0) else {
            throw FetchError(.malformedResponse, "NUL in the response's fields")
        }
        if unsafe line.isEmpty {
            try endOfFields()
        } else if unsafe line.starts(with: "HTTP/".utf8) {
            try unsafe statusLine(line)
        } else {
            unsafe field(line)
        }
    }

    private mutating func statusLine(_ line: Slice<UnsafeRawBufferPointer>) throws(FetchError) {
        let digits = unsafe line.drop { $0 != 0x20 }.drop { $0 == 0x20 }.prefix { $0 != 0x20 }
        guard unsafe digits.count == 3, unsafe digits.allSatisfy({ 0x30...0x39 ~= $0 }) else {
            throw FetchError(.malformedResponse, "the status is not a number of three digits")
        }
        status = unsafe digits.reduce(0) { $0 * 10 + Int($1 - 0x30) }
        fields = HTTPFields()
    }

    private mutating func field(_ line: Slice<UnsafeRawBufferPointer>) {
        guard let colon = unsafe line.firstIndex(of: 0x3A) else { return }
        let rawName = unsafe String(decoding: line[..<colon], as: UTF8.self)
        // What has no token for a name is no field; browsers pass over it too.
        guard let name = HTTPField.Name(rawName) else { return }
        var value = unsafe line[(colon + 1)...]
        while let first = unsafe value.first, first == 0x20 || first == 0x09 { unsafe value.removeFirst() }
        while let last = unsafe value.last, last == 0x20 || last == 0x09 { unsafe value.removeLast() }
        unsafe fields.append(HTTPField(name: name, lenientValue: value))
    }

    private mutating func endOfFields() throws(FetchError) {
        guard let status else { return }
        guard 100..<200 ~= status, status != 101 else {
            isComplete = true
            return
        }
        guard interim.count < Self.maximumInterimResponses else {
            throw FetchError(
                .malformedResponse,
                "more than \(Self.maximumInterimResponses) interim responses",
                limit: Int64(Self.maximumInterimResponses)
            )
        }
        interim.append(WebResponse.Interim(status: status, headerFields: fields))
        self.status = nil
        fields = HTTPFields()
    }
}
