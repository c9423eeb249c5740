extension RecipeEvaluator {
    /// Applies a transform to a value.
    ///
    /// Most transforms turn a list into a list, item by item. Null stays null, unless the transform is a
    /// default.
    func apply(
        _ transform: RecipeTransform,
        to value: JSONValue,
        in scope: RuleScope
    ) throws(RuleFailure) -> JSONValue {
        switch transform {
        case .fallback(let fallback): return value.isNothing ? fallback : value
        case .unique:
            guard case .array(let items) = value else { return value }
            var seen: Set<[UInt8]> = []
            return .array(items.filter { seen.insert($0.serialized()).inserted })
        case .sort:
            guard case .array(let items) = value else { return value }
            return .array(items.sorted { $0.isOrdered(before: $1) })
        case .join(let separator): return try join(value, separator)
        case .slice(let from, let to): return try slice(value, from, to)
        case .json(let path):
            guard case .array(let items) = value else { return path.value(in: try json(value)) }
            var found: [JSONValue] = []
            for item in items {
                let value = path.value(in: try json(item))
                if path.isSingular { found.append(value) } else { found += value.children }
            }
            return .array(found)
        case .split, .matchAll:
            guard case .array(let items) = value else { return try part(transform, value, in: scope) }
            var parts: [JSONValue] = []
            for item in items { parts += try part(transform, item, in: scope).children }
            return .array(parts)
        case .trim, .collapse, .lower, .upper, .number, .date, .url, .match, .replace, .map, .template,
            .repetition:
            guard case .array(let items) = value else { return try part(transform, value, in: scope) }
            var results: [JSONValue] = []
            results.reserveCapacity(items.count)
            for item in items { results.append(try part(transform, item, in: scope)) }
            return .array(results)
        }
    }

    /// Applies a transform to a single value.
    private func part(
        _ transform: RecipeTransform,
        _ value: JSONValue,
        in scope: RuleScope
    ) throws(RuleFailure) -> JSONValue {
        if value == .null { return .null }
        guard let text = value.plainText else {
            throw .rule(RuleError(.failed, "\(transform.name): expected a text, found \(value.kind)"))
        }
        switch transform {
        case .trim: return .string(text.trimmingWhitespace)
        case .collapse: return .string(text.collapsingWhitespace)
        case .lower: return .string(text.lowercased())
        case .upper: return .string(text.uppercased())
        case .number(let format):
            guard let number = format.number(in: text) else {
                throw .rule(RuleError(.failed, "number: \"\(text.prefix(60))\" is not a single number"))
            }
            return number
        case .date(let order):
            do throws(DateReader.Failure) {
                return .string(try DateReader.read(text, order: order))
            } catch {
                throw .rule(RuleError(.failed, "date: \"\(text.prefix(60))\": \(error.message)"))
            }
        case .url:
            guard let url = WebURL(resolving: text, against: scope.page.baseURL) else {
                throw .rule(RuleError(.failed, "url: \"\(text.prefix(60))\" is not a valid URL"))
            }
            return .string(url.href)
        case .match(let pattern): return try match(pattern, text)
        case .matchAll(let pattern): return try matchAll(pattern, text)
        case .replace(let pattern, with: let template): return try replace(pattern, template, text)
        case .split(let separator): return try split(text, separator)
        case .map(let members): return members.first { $0.name == text }?.value ?? .null
        case .template(let template): return try fill(template, text)
        case .repetition(let count):
            try checkSize(text.utf8.count *| count)
            // An empty text passes the check with any count, and building it would take that many iterations.
            return .string(text.isEmpty ? "" : String(repeating: text, count: count))
        case .fallback, .unique, .sort, .join, .slice, .json: return value
        }
    }

    // MARK: - Lists

    private func join(_ value: JSONValue, _ separator: String) throws(RuleFailure) -> JSONValue {
        guard case .array(let items) = value else { return value }
        var output = ""
        var isFirst = true
        for item in items where item != .null {
            guard let text = item.plainText else {
                throw .rule(RuleError(.failed, "join: expected texts, found \(item.kind)"))
            }
            if !isFirst { output += separator }
            isFirst = false
            output += text
            try checkSize(output.utf8.count)
        }
        return .string(output)
    }

    private func split(_ text: String, _ separator: String) throws(RuleFailure) -> JSONValue {
        if separator.isEmpty { return .array(text.map { .string(String($0)) }) }
        return .array(text.pieces(separatedBy: separator).map { .string($0) })
    }

    /// A part of a list, or of a text's characters; numbers below 0 count from the end.
    private func slice(_ value: JSONValue, _ from: Int, _ to: Int?) throws(RuleFailure) -> JSONValue {
        func range(_ count: Int) -> Range<Int> {
            func place(_ index: Int) -> Int { index < 0 ? max(0, count &+ index) : min(index, count) }
            let lower = place(from)
            return lower..<max(lower, to.map(place) ?? count)
        }
        switch value {
        case .array(let items): return .array(Array(items[range(items.count)]))
        case .null: return .null
        case .string, .integer, .number, .bool, .object:
            guard let text = value.plainText else {
                throw .rule(RuleError(.failed, "slice: expected a list or a text, found \(value.kind)"))
            }
            let range = range(text.count)
            return .string(String(text.dropFirst(range.lowerBound).prefix(range.count)))
        }
    }

    /// Parses a text as JSON; other values are returned unchanged.
    private func json(_ value: JSONValue) throws(RuleFailure) -> JSONValue {
        guard case .string(let text) = value else { return value }
        do throws(JSONValue.ParsingError) {
            return try JSONValue(parsing: text.utf8)
        } catch {
            throw .rule(RuleError(.failed, "json: \(error)"))
        }
    }

    // MARK: - Texts

    private func fill(_ template: String, _ text: String) throws(RuleFailure) -> JSONValue {
        var output = ""
        for (index, piece) in template.pieces(separatedBy: "${value}").enumerated() {
            if index > 0 { output += text }
            output += piece
            try checkSize(output.utf8.count)
        }
        return .string(output)
    }

    private func match(_ pattern: String, _ text: String) throws(RuleFailure) -> JSONValue {
        var result = JSONValue.null
        try unsafe matches(pattern, text, isFirstEnough: true) { (bytes, groups) throws(RuleFailure) in
            result = unsafe Self.captured(bytes, groups)
        }
        return result
    }

    private func matchAll(_ pattern: String, _ text: String) throws(RuleFailure) -> JSONValue {
        var results: [JSONValue] = []
        try unsafe matches(pattern, text, isFirstEnough: false) { (bytes, groups) throws(RuleFailure) in
            unsafe results.append(Self.captured(bytes, groups))
        }
        return .array(results)
    }

    /// The first group of a match, or the whole match if the expression has no groups.
    private static func captured(_ bytes: UnsafeBufferPointer<UInt8>, _ groups: [Range<Int>?]) -> JSONValue {
        guard let range = groups.count > 1 ? groups[1] : groups[0] else { return .null }
        return unsafe .string(String(decoding: bytes[range], as: UTF8.self))
    }

    private func replace(
        _ pattern: String,
        _ template: String,
        _ text: String
    ) throws(RuleFailure) -> JSONValue {
        let template = ReplacementTemplate(template)
        var output: [UInt8] = []
        var end = 0
        var text = text
        try unsafe matches(pattern, text, isFirstEnough: false) { (bytes, groups) throws(RuleFailure) in
            guard let whole = groups[0] else { return }
            // \K in a look-behind can put the start of a match before the end of the last one.
            let start = max(end, whole.lowerBound)
            unsafe output += bytes[end..<start]
            unsafe template.append(to: &output, bytes, groups)
            end = max(end, whole.upperBound)
            try checkSize(output.count)
        }
        text.withUTF8 { bytes in unsafe output += bytes[end...] }
        try checkSize(output.count)
        return .string(String(decoding: output, as: UTF8.self))
    }

    /// Whether a regular expression matches somewhere in a text.
    func isMatch(_ pattern: String, _ text: String) throws(RuleFailure) -> Bool {
        var isMatch = false
        try unsafe matches(pattern, text, isFirstEnough: true) { (_, _) throws(RuleFailure) in isMatch = true
        }
        return isMatch
    }

    /// Calls `body` with each match, or only with the first.
    private func matches(
        _ pattern: String,
        _ text: String,
        isFirstEnough: Bool,
        _ body: (UnsafeBufferPointer<UInt8>, [Range<Int>?]) throws(RuleFailure) -> Void
    ) throws(RuleFailure) {
        let compiled: Pattern
        do throws(RuleError) {
            compiled = try patterns.pattern(pattern)
        } catch {
            throw .rule(error)
        }
        var text = text
        let outcome = text.withUTF8 { bytes in
            Result { () throws(Pattern.MatchFailure) in
                try unsafe compiled.forEachMatch(in: bytes) { (groups) throws(RuleFailure) in
                    unsafe try body(bytes, groups)
                    return isFirstEnough
                }
            }
        }
        do throws(Pattern.MatchFailure) {
            try outcome.get()
        } catch {
            switch error {
            case .rule(let failure): throw failure
            case .pattern(.limit): throw exceededSteps()
            case .pattern(.failed(let words)):
                throw .rule(RuleError(.failed, "regular expression: \(words)"))
            }
        }
    }
}
