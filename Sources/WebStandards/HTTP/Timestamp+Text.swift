extension Timestamp {
    /// The moment to the second, as in "2027-03-09T08:05:00Z" (RFC 3339).
    public var text: String {
        let days = HTTPDate.floorDivide(secondsSince1970, 86400)
        let time = secondsSince1970 &- days &* 86400
        let date = HTTPDate.CivilDate(daysSince1970: days)
        let year = String(date.year)
        let padded = [date.month, date.day, time / 3600, time / 60 % 60, time % 60].map {
            $0 < 10 ? "0\($0)" : "\($0)"
        }
        let zeros = String(repeating: "0", count: max(0, 4 - year.utf8.count))
        return "\(zeros)\(year)-\(padded[0])-\(padded[1])T\(padded[2]):\(padded[3]):\(padded[4])Z"
    }
}
