extension LoadingOptions {
    /// The format that `--format` names, which `--json` must not contradict.
    ///
    /// - Parameters:
    ///   - name: The value of `--format`; nil without the flag.
    ///   - text: The format for people.
    ///   - json: The format for programs.
    /// - Returns: The format.
    /// - Throws: ``Failure`` for one that the command does not write.
    func format<Format: CaseIterable & RawRepresentable & Equatable>(
        _ name: String?,
        text: Format,
        json: Format
    ) throws(Failure) -> Format where Format.RawValue == String {
        guard let name else { return writesDocuments ? json : text }
        guard let format = Format(rawValue: name) else {
            throw Failure(
                usage: "--format \(name)",
                "not one of \(Format.allCases.map(\.rawValue).joined(separator: ", "))"
            )
        }
        if writesDocuments, format != json {
            throw Failure(usage: "--format \(name)", "conflicts with \(self.json ? "--json" : "--jsonl")")
        }
        return format
    }
}
