import WebArchive
import WebStandards

extension Timestamp {
    /// Parses a date of a sitemap (W3C's profile of ISO 8601, from a year to fractions of a second), or of a feed (RFC
    /// 822).
    ///
    /// - Returns: The time; `nil` if the text is no date. Without a time zone it is in UTC.
    ///
    /// [Date and Time Formats](https://www.w3.org/TR/NOTE-datetime)
    init?(sitemapDate text: String) {
        guard let date = Timestamp(archiveDate: text) ?? Timestamp(internetDate: text) else {
            return nil
        }
        self = date
    }
}
