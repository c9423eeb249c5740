import WebStandards

/// How a form is sent.
extension Form {
    /// The data that a browser sends for the form as it is filled in.
    ///
    /// Constraints are not checked: see ``problems(sendingBy:)``.
    ///
    /// - Parameter button: The index of the button that submits it (``defaultButton``); `nil` without a button.
    /// - Returns: The data; nil where a browser sends nothing: for a dialog's form, and where the action is no valid
    ///   URL.
    /// - Complexity: O(n) in the fields and their values.
    public func submission(by button: Int?) -> FormSubmission? {
        let override = button.flatMap { fields.indices.contains($0) ? fields[$0].override : nil }
        let method = override?.method ?? method
        let target = override?.reference == nil ? action : override?.action
        guard method != .dialog, let target else { return nil }
        let textEncoding = TextEncoding(label: encoding) ?? .utf8
        var builder = EntryListBuilder(encoding: textEncoding, submitter: button)
        for (index, field) in fields.enumerated() { builder.add(field, at: index) }
        return FormSubmission(
            submitter: button,
            url: method == .get ? builder.url(for: target) : target,
            method: method,
            encodingType: override?.encodingType ?? encodingType,
            encoding: encoding,
            target: override?.target ?? self.target,
            entries: builder.entries
        )
    }
}

extension FormSubmission {
    /// The body of a request with the entries, and the value of its Content-Type field.
    ///
    /// - Parameter boundary: The boundary between the parts of "multipart/form-data": 1 to 70 letters, digits and
    ///   hyphens that no part contains; `nil` for a random boundary.
    /// - Returns: The body and its type; nil for a form that is sent by GET, whose entries are in ``url``.
    /// - Complexity: O(n) in the entries and files.
    ///
    /// [Form submission algorithm, submit as entity
    /// body](https://html.spec.whatwg.org/multipage/form-control-infrastructure.html#submit-body)
    public func content(boundary: String? = nil) -> (type: String, body: [UInt8])? {
        guard method == .post else { return nil }
        let encoder = TextEncoder(TextEncoding(label: encoding) ?? .utf8)
        switch encodingType {
        case .urlEncoded:
            let parameters = URLSearchParameters(
                entries.map { .init(name: $0.name.normalizingNewlines, value: $0.value.normalizingNewlines) }
            )
            return (encodingType.rawValue, Array(parameters.serialized(using: encoder).utf8))
        case .text:
            var body: [UInt8] = []
            for entry in entries {
                body += encoder.formBytes(of: entry.name.normalizingNewlines) + [UInt8(ascii: "=")]
                body += encoder.formBytes(of: entry.value.normalizingNewlines) + [0x0D, 0x0A]
            }
            return (encodingType.rawValue, body)
        case .multipart:
            let boundary = boundary ?? Self.randomBoundary()
            return ("\(encodingType.rawValue); boundary=\(boundary)", parts(boundary, encoder))
        }
    }

    /// [Multipart form
    /// data](https://html.spec.whatwg.org/multipage/form-control-infrastructure.html#multipart-form-data).
    private func parts(_ boundary: String, _ encoder: TextEncoder) -> [UInt8] {
        var body: [UInt8] = []
        for entry in entries {
            body += "--\(boundary)\r\nContent-Disposition: form-data; name=\"".utf8
            body += Self.quoted(encoder.formBytes(of: entry.name.normalizingNewlines))
            guard entry.isFile else {
                body += "\"\r\n\r\n".utf8
                body += encoder.formBytes(of: entry.value.normalizingNewlines)
                body += "\r\n".utf8
                continue
            }
            body += "\"; filename=\"".utf8
            body += Self.quoted(encoder.formBytes(of: entry.value))
            let type = entry.file.flatMap { $0.mimeType ?? MediaType.forUpload(of: $0.name)?.essence }
            body += "\"\r\nContent-Type: \(type ?? "application/octet-stream")\r\n\r\n".utf8
            body += entry.file?.bytes ?? []
            body += "\r\n".utf8
        }
        body += "--\(boundary)--\r\n".utf8
        return body
    }

    /// A name as it stands between quotation marks.
    private static func quoted(_ bytes: [UInt8]) -> [UInt8] {
        bytes.flatMap { byte -> [UInt8] in
            switch byte {
            case 0x0A: Array("%0A".utf8)
            case 0x0D: Array("%0D".utf8)
            case UInt8(ascii: "\""): Array("%22".utf8)
            default: [byte]
            }
        }
    }

    private static func randomBoundary() -> String {
        let letters = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789".utf8)
        let random = (0..<24).map { _ in letters[Int.random(in: letters.indices)] }
        return "----WebLoaderForm" + String(decoding: random, as: UTF8.self)
    }
}

extension TextEncoder {
    /// A text in the encoding, with character references for what it does not have.
    ///
    /// [Encode, with the error mode "html"](https://encoding.spec.whatwg.org/#encode)
    fileprivate consuming func formBytes(of text: String) -> [UInt8] {
        var bytes: [UInt8] = []
        for scalar in text.unicodeScalars where !encode(scalar, into: &bytes) {
            bytes += "&#\(errorScalar(for: scalar).value);".utf8
        }
        finish(into: &bytes)
        return bytes
    }
}

extension String {
    /// The text, with each line ending replaced by CR LF.
    var normalizingNewlines: String { replacingNewlines(by: [0x0D, 0x0A]) }

    /// The text, with each line ending replaced by LF.
    var normalizingToLineFeeds: String { replacingNewlines(by: [0x0A]) }

    private func replacingNewlines(by replacement: [UInt8]) -> String {
        guard utf8.contains(where: { $0 == 0x0A || $0 == 0x0D }) else { return self }
        var output: [UInt8] = []
        var previous: UInt8 = 0
        for byte in utf8 {
            if byte == 0x0D || byte == 0x0A && previous != 0x0D {
                output += replacement
            } else if byte != 0x0A {
                output.append(byte)
            }
            previous = byte
        }
        return String(decoding: output, as: UTF8.self)
    }
}
