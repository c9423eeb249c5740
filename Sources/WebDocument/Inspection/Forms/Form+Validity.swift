import WebStandards

/// A constraint that a field does not satisfy, so that a browser does not submit its form.
public struct FormProblem: Hashable, Sendable {
    /// The kind of a problem, in the standard's words.
    public enum Kind: String, Sendable, Codable, CaseIterable {
        /// Nothing where something is required.
        case valueMissing = "value-missing"
        /// Not an e-mail address, or not a URL.
        case typeMismatch = "type-mismatch"
        /// Not as the pattern has it.
        case patternMismatch = "pattern-mismatch"
        /// Longer than allowed, as it was filled in.
        case tooLong = "too-long"
        /// Shorter than required, as it was filled in.
        case tooShort = "too-short"
        /// Below the minimum.
        case rangeUnderflow = "range-underflow"
        /// Above the maximum.
        case rangeOverflow = "range-overflow"
        /// Between two steps.
        case stepMismatch = "step-mismatch"
    }

    /// The index of the field in ``Form/fields``.
    public let field: Int
    /// The kind of problem.
    public let kind: Kind
    /// The same for people, with the field's name.
    public let message: String
}

/// Constraint validation of the fields as they are filled in.
///
/// [Constraints](https://html.spec.whatwg.org/multipage/form-control-infrastructure.html#constraints)
extension Form {
    /// Returns the constraint violations that prevent a browser from submitting the form; empty if there are none.
    ///
    /// A `pattern` that is not an ECMAScript regular expression with the flag `v` is ignored, and so is one with
    /// unsupported parts: references to groups, look-around except look-ahead at the start of the value, modifiers,
    /// strings in classes, scripts.
    ///
    /// - Parameter button: The index of the button that submits the form; `nil` without a button.
    /// - Returns: A problem for each field that has one, in their order. Empty if the form or the button disables
    ///   validation.
    /// - Complexity: O(n) in the fields and their texts; all patterns together take 100,000,000 steps at most, beyond
    ///   which they are ignored.
    public func problems(sendingBy button: Int?) -> [FormProblem] {
        let override = button.flatMap { fields.indices.contains($0) ? fields[$0].override : nil }
        guard !isNotValidated, override?.isNotValidated != true else { return [] }
        var satisfied: Set<String> = []
        var required: Set<String> = []
        for field in fields where field.type == "radio" {
            guard let name = field.name, !name.isEmpty else { continue }
            if field.isChecked == true { satisfied.insert(name) }
            if field.isRequired { required.insert(name) }
        }
        // For the patterns of all fields together, whose number the page chooses.
        var steps = FormField.patternSteps
        return fields.indices.compactMap { index in
            let field = fields[index]
            guard isValidated(field) else { return nil }
            let isMissing: Bool
            if field.type == "radio" {
                // One without a name never is, as in Chromium.
                let name = field.name ?? ""
                isMissing = required.contains(name) && !satisfied.contains(name)
            } else {
                isMissing = field.isRequired && field.isEmpty
            }
            let kind = isMissing ? .valueMissing : field.mismatch(&steps)
            return kind.map { FormProblem(field: index, kind: $0, message: Self.message($0, field)) }
        }
    }

    /// Whether constraints apply to a field.
    private func isValidated(_ field: FormField) -> Bool {
        guard !field.isDisabled, !field.isSuggestion, !field.hasReadOnly, !field.isButton else {
            return false
        }
        return field.element != "input" || (InputType(rawValue: field.type) ?? .text).isCandidateForValidation
    }

    private static func message(_ kind: FormProblem.Kind, _ field: FormField) -> String {
        let name = name(field)
        // A page may have made it long, and nobody is to read a password over a shoulder.
        let value = field.type == "password" ? "what was filled in" : "\"\((field.value ?? "").shortened)\""
        let limits = field.constraints
        return switch kind {
        case .valueMissing: "\(name) has to be filled in"
        case .typeMismatch: "\(name): \(value) is no \(field.type == "url" ? "URL" : "e-mail address")"
        case .patternMismatch:
            "\(name): \(value) does not match the pattern \((limits.pattern ?? "").shortened)"
        case .tooLong: "\(name) is longer than \((limits.maximumLength ?? "").shortened)"
        case .tooShort: "\(name) is shorter than \((limits.minimumLength ?? "").shortened)"
        case .rangeUnderflow: "\(name): \(value) is below \((limits.minimum ?? "").shortened)"
        case .rangeOverflow: "\(name): \(value) is above \((limits.maximum ?? "").shortened)"
        case .stepMismatch: "\(name): \(value) is not on a step of \((limits.step ?? "1").shortened)"
        }
    }
}

extension FormField {
    /// Whether nothing is filled in that would satisfy `required`.
    fileprivate var isEmpty: Bool {
        switch (element, type) {
        case (_, "checkbox"), (_, "radio"): return isChecked != true
        case (_, "file"): return files.isEmpty
        case ("select", _):
            // The placeholder: the first option of a list of one line, in no group, with an empty value.
            return !options.indices.contains { index in
                let option = options[index]
                let isPlaceholder = isDropDown && index == 0 && option.group == nil && option.value.isEmpty
                return option.isSelected && !isPlaceholder
            }
        default: return value?.isEmpty ?? true
        }
    }

    /// How the value does not satisfy the constraints on it; nil where it does.
    fileprivate func mismatch(_ steps: inout Int) -> FormProblem.Kind? {
        guard element == "input" || element == "textarea", let value, !value.isEmpty else { return nil }
        if isEdited, let kind = lengthMismatch(value) { return kind }
        guard element == "input", let type = InputType(rawValue: type) else { return nil }
        switch type {
        case .url where (try? WebURL(value)) == nil: return .typeMismatch
        case .email:
            let parts =
                isMultiple ? value.split(separator: ",", omittingEmptySubsequences: false) : [value[...]]
            guard parts.allSatisfy({ SelectorMatcher.isEmailAddress(String($0)) }) else {
                return .typeMismatch
            }
            return fitsPattern(parts, &steps) ? nil : .patternMismatch
        default: break
        }
        if type.isText { return fitsPattern([value[...]], &steps) ? nil : .patternMismatch }
        return type.isNumeric ? rangeMismatch(value, type) : nil
    }

    private func lengthMismatch(_ value: String) -> FormProblem.Kind? {
        guard element == "textarea" || (InputType(rawValue: type) ?? .text).isText else { return nil }
        let length = value.utf16.count
        if let limit = Self.length(constraints.maximumLength), length > limit { return .tooLong }
        if let limit = Self.length(constraints.minimumLength), length < limit { return .tooShort }
        return nil
    }

    /// [Rules for parsing non-negative
    /// integers](https://html.spec.whatwg.org/multipage/common-microsyntaxes.html#rules-for-parsing-non-negative-integers).
    private static func length(_ text: String?) -> Int? {
        guard let text else { return nil }
        var digits = text.utf8.drop(while: \.isASCIIWhitespace)
        if digits.first == UInt8(ascii: "+") { digits = digits.dropFirst() }
        let number = digits.prefix(while: \.isASCIIDigit)
        return number.isEmpty ? nil : Int(bounded: Substring(number))
    }

    private func rangeMismatch(_ text: String, _ type: InputType) -> FormProblem.Kind? {
        func number(_ text: String?) -> Double? { text.flatMap { InputValue($0, type)?.number } }
        guard let value = number(text) else { return nil }
        let (least, most) = (number(constraints.minimum), number(constraints.maximum))
        if type == .time, let least, let most, most < least {
            // From evening to morning.
            if value < least, value > most { return .rangeUnderflow }
        } else {
            if let least, value < least { return .rangeUnderflow }
            if let most, value > most { return .rangeOverflow }
        }
        var step = InputValue.defaultStep(of: type)
        if let written = constraints.step {
            if written.isEqualIgnoringASCIICase(to: "any") { return nil }
            if let number = InputValue(written, .number)?.number, number > 0 {
                step = number * InputValue.stepScale(of: type)
            }
        }
        // Steps begin at the minimum, or at the value that the page came with.
        let base = least ?? number(initialValue) ?? InputValue.defaultStepBase(of: type)
        let remainder = (value - base).truncatingRemainder(dividingBy: step).magnitude
        // A decimal multiple of the step is not an exact one in binary.
        return min(remainder, step - remainder) > step * 1e-7 ? .stepMismatch : nil
    }

    /// Steps that matching the patterns of a form may take.
    fileprivate static let patternSteps = 100_000_000

    /// Whether all texts match the pattern as wholes: also where there is none that can be used, or no steps are left.
    private func fitsPattern(_ texts: [Substring], _ steps: inout Int) -> Bool {
        guard let written = constraints.pattern, steps > 0,
            // An invalid pattern is ignored, as in browsers.
            let pattern = try? RegularExpression(written, dialect: .ecmaScriptSets)
        else { return true }
        // Making it takes about as long as matching a character.
        steps -= pattern.instructions.count
        for text in texts where !pattern.matches(Array(text.utf8), steps: &steps) {
            return steps < 0
        }
        return true
    }
}
