package import WebStandards

extension Timestamp {
    /// Reads the date of an entry of a HAR (RFC 3339, with white space or without a zone too), or of a message (RFC 5322).
    ///
    /// - Returns: The moment; nil if it is no date. Without a zone it is UTC.
    package init?(internetDate text: String) {
        // A message may name the zone in parentheses behind it.
        let text = text.prefix { $0 != "(" }
        guard text.utf8.count <= 128, let date = try? DateReader.read(String(text), order: nil) else {
            return nil
        }
        self.init(archiveDate: date)
    }
}
