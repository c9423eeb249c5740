/// Finds dates in a text, as people write them in many languages.
///
/// A date has a day, a month and a year: with the month's name, in any order; as ISO 8601 has it; with 年月日 or 년월일; as
/// three numbers with full stops, slashes or hyphens. Where letters, digits or signs stand so close that it is rather a
/// version, a price or a telephone number, it is not a date. ``DateReader`` reads texts that are a date and nothing
/// else, and reports why they are not.
///
/// Complexity: O(n) in the size of the text, of which only the first 400 bytes are read.
struct WrittenDateReader {
    /// A date in a text, and the bytes of it.
    struct Found {
        var date: WrittenDate
        var range: Range<Int>
    }

    private let bytes: [UInt8]
    private let tokens: [WrittenDateToken]
    private let order: DateReader.Order

    /// Finds all dates in a text.
    ///
    /// - Parameters:
    ///   - bytes: The text, in UTF-8.
    ///   - order: The order that is assumed where three numbers do not show theirs.
    /// - Returns: The dates, in their order.
    static func dates(in bytes: [UInt8], order: DateReader.Order) -> [Found] {
        let reader = WrittenDateReader(bytes, order)
        var found: [Found] = []
        var index = 0
        var time: (time: WrittenDate.Time, start: Int, end: Int)?
        while index < reader.tokens.count {
            if var (date, next) = reader.date(at: index) {
                var start = index
                if let (time, end) = reader.timeBehind(next) {
                    date.time = time
                    next = end
                } else if let time, reader.isGlue(time.end..<index) {
                    date.time = time.time
                    start = time.start
                }
                found.append(
                    Found(date: date, range: reader.tokens[start].start..<reader.tokens[next - 1].end)
                )
                index = next
            } else if let (read, next) = reader.time(at: index) {
                time = (read, index, next)
                index = next
            } else {
                index += 1
            }
        }
        return found
    }

    private init(_ bytes: [UInt8], _ order: DateReader.Order) {
        self.bytes = bytes
        self.order = order
        tokens = WrittenDateToken.tokens(of: bytes)
    }

    // MARK: - Tokens

    private func number(_ index: Int) -> (value: Int, digits: Int)? {
        guard tokens.indices.contains(index), case .number(let value, let digits) = tokens[index].kind else {
            return nil
        }
        return (value, digits)
    }

    /// The value of a number of one or two digits.
    private func small(_ index: Int) -> Int? {
        guard let (value, digits) = number(index), digits <= 2 else { return nil }
        return value
    }

    private func mark(_ index: Int) -> UInt32? {
        guard tokens.indices.contains(index), case .mark(let mark) = tokens[index].kind else { return nil }
        return mark
    }

    private func isMark(_ index: Int, _ mark: Unicode.Scalar) -> Bool { self.mark(index) == mark.value }

    /// Whether a token is one of some characters.
    private func isMark(_ index: Int, in marks: String) -> Bool {
        guard let mark = mark(index) else { return false }
        return marks.unicodeScalars.contains { $0.value == mark }
    }

    /// Returns a word in lower case; `nil` if the token is not a word, or is longer than any that matters.
    private func word(_ index: Int) -> String? {
        guard tokens.indices.contains(index), case .word = tokens[index].kind else { return nil }
        let token = tokens[index]
        guard token.end - token.start <= 40 else { return nil }
        var word = String(decoding: bytes[token.start..<token.end], as: UTF8.self).lowercased()
        // Of a Turkish capital İ.
        word.unicodeScalars.removeAll { $0 == "\u{307}" }
        return word
    }

    private func isWord(_ index: Int, in words: Set<String>) -> Bool {
        word(index).map { words.contains($0) } ?? false
    }

    /// The index behind white space, if any.
    private func skipSpace(_ index: Int) -> Int { isMark(index, " ") ? index + 1 : index }

    /// Whether the tokens before and at an index touch, with nothing between them.
    private func touchesPrevious(_ index: Int) -> Bool {
        index > 0 && index < tokens.count && !isMark(index, " ") && !isMark(index - 1, " ")
            && tokens[index - 1].end == tokens[index].start
    }

    // MARK: - Dates

    /// The date that begins with a token, and the index behind it.
    private func date(at index: Int) -> (WrittenDate, next: Int)? {
        switch tokens[index].kind {
        case .number(_, let digits):
            guard digits <= 4, beginsFreely(index) else { return nil }
            let found =
                digits == 4
                ? eastern(index) ?? numeric(index) ?? yearFirst(index)
                : numeric(index) ?? dayFirst(index)
            guard let found, endsFreely(found.next) else { return nil }
            return found
        case .word:
            guard let found = monthFirst(index), endsFreely(found.next) else { return nil }
            return found
        case .mark: return nil
        }
    }

    /// Whether what stands before a number leaves it one of its own.
    private func beginsFreely(_ index: Int) -> Bool {
        guard touchesPrevious(index) else { return true }
        switch tokens[index - 1].kind {
        case .number: return false
        case .word: return false
        case .mark:
            if isMark(index - 1, in: "#$€£¥₹_=@+%&\\") { return false }
            return !(isMark(index - 1, in: ".,/-:") && number(index - 2) != nil)
        }
    }

    /// Whether what stands behind a date leaves it one of its own.
    private func endsFreely(_ index: Int) -> Bool {
        guard touchesPrevious(index) else { return true }
        switch tokens[index].kind {
        case .number: return false
        case .word: return isWord(index, in: ["t", "г", "r", "р"])
        case .mark:
            if isMark(index, in: "$€£¥%_=@") { return false }
            return !(isMark(index, in: "./-") && number(index + 1) != nil && touchesPrevious(index + 1))
        }
    }

    /// `2024年3月12日`, `2024년 3월 12일`.
    private func eastern(_ index: Int) -> (WrittenDate, next: Int)? {
        guard let year = number(index)?.value else { return nil }
        var next = skipSpace(index + 1)
        guard isMark(next, in: "年년") else { return nil }
        next = skipSpace(next + 1)
        guard let month = small(next), case let mark = skipSpace(next + 1), isMark(mark, in: "月월") else {
            return nil
        }
        next = skipSpace(mark + 1)
        guard let day = small(next), case let mark = skipSpace(next + 1), isMark(mark, in: "日일号號") else {
            return nil
        }
        return WrittenDate(year: year, month: month, day: day).map { ($0, mark + 1) }
    }

    /// Three numbers with the same mark between them: `2024-03-12`, `12.03.2024`, `3/12/24`, `12. 3. 2024`.
    private func numeric(_ index: Int) -> (WrittenDate, next: Int)? {
        guard let first = number(index), let (mark, second) = separated(index + 1),
            let (otherMark, third) = separated(second + 1), mark == otherMark,
            let middle = number(second), let last = number(third), middle.digits <= 2
        else { return nil }
        if first.digits == 4 {
            guard last.digits <= 2 else { return nil }
            guard var date = WrittenDate(year: first.value, month: middle.value, day: last.value) else {
                return nil
            }
            date.certainOrder = .yearMonthDay
            return (date, third + 1)
        }
        guard first.digits <= 2, last.digits == 4 || last.digits == 2 && isAlone(index) else { return nil }
        let isShort = last.digits == 2
        if isShort, order == .yearMonthDay {
            guard first.digits == 2 else { return nil }
            guard var date = WrittenDate(year: Self.year(first.value), month: middle.value, day: last.value)
            else {
                return nil
            }
            date.isOrderAssumed = true
            return (date, third + 1)
        }
        let year = isShort ? Self.year(last.value) : last.value
        let dayFirst = WrittenDate(year: year, month: middle.value, day: first.value)
        let monthFirst = WrittenDate(year: year, month: first.value, day: middle.value)
        switch (dayFirst, monthFirst) {
        case (nil, nil): return nil
        case (var date?, nil):
            date.certainOrder = isShort ? nil : .dayMonthYear
            return (date, third + 1)
        case (nil, var date?):
            date.certainOrder = isShort ? nil : .monthDayYear
            return (date, third + 1)
        case (var dayFirst?, var monthFirst?):
            // In dates with full stops the day comes first, in all countries that write dates so.
            if first.value == middle.value || mark == 0x2E { return (dayFirst, third + 1) }
            dayFirst.isOrderAssumed = true
            monthFirst.isOrderAssumed = true
            return (order == .monthDayYear ? monthFirst : dayFirst, third + 1)
        }
    }

    /// The mark between two numbers of a date, and the index of the second.
    private func separated(_ index: Int) -> (mark: UInt32, number: Int)? {
        let place = skipSpace(index)
        guard isMark(place, in: "./-"), let mark = mark(place) else { return nil }
        let next = skipSpace(place + 1)
        // "12 - 3" and "12 -3" are not parts of a date; "12. 3. 2024" and "12 / 03 / 2024" are.
        if place != index, mark == 0x2D || next == place + 1 { return nil }
        if next != place + 1, mark == 0x2D || mark == 0x2F && place == index { return nil }
        return (mark, next)
    }

    /// Whether a date with a year of two digits begins the text, or something that introduces it stands before it:
    /// behind other words it may be a version.
    private func isAlone(_ index: Int) -> Bool {
        var before = index - 1
        if before >= 0, isMark(before, " ") { before -= 1 }
        guard before >= 0 else { return true }
        return mark(before) != nil || isWord(before, in: Self.introductions)
    }

    /// `12 March 2024`, `12. März 2024`, `12 de marzo de 2024`, `1er mars 2024`, `12-Mar-24`, `12 tháng 3, 2024`.
    private func dayFirst(_ index: Int) -> (WrittenDate, next: Int)? {
        guard let day = small(index) else { return nil }
        var next = behindOrdinal(index + 1)
        next = behindLinks(next)
        guard next > index, let month = month(next) else { return nil }
        guard let (year, behind) = year(month.next) else { return nil }
        return WrittenDate(year: year, month: month.value, day: day).map { ($0, behind) }
    }

    /// `March 12, 2024`, `Mar. 12th 2024`, `Mar 12 15:04:05 CET 2024`.
    private func monthFirst(_ index: Int) -> (WrittenDate, next: Int)? {
        guard let month = month(index), let day = small(behindLinks(month.next)) else { return nil }
        var next = behindOrdinal(behindLinks(month.next) + 1)
        var time: WrittenDate.Time?
        if let (read, behind) = self.time(at: skipSpace(next)) { (time, next) = (read, behind) }
        guard let (year, behind) = year(next) else { return nil }
        var date = WrittenDate(year: year, month: month.value, day: day)
        date?.time = time
        return date.map { ($0, behind) }
    }

    /// `2024 March 12`, `2024. március 12.`, `2024-Mar-12`.
    private func yearFirst(_ index: Int) -> (WrittenDate, next: Int)? {
        guard let year = number(index)?.value, let month = month(behindLinks(index + 1)),
            case let next = behindLinks(month.next), let day = small(next)
        else { return nil }
        return WrittenDate(year: year, month: month.value, day: day).map { ($0, behindOrdinal(next + 1)) }
    }

    /// The month that a word names, and the index behind it and the full stop of a short name.
    private func month(_ index: Int) -> (value: Int, next: Int)? {
        guard let word = word(index) else { return nil }
        if word == "tháng", let value = small(skipSpace(index + 1)) {
            return (value, skipSpace(index + 1) + 1)
        }
        var value = MonthNames.month(word)
        // Hebrew's "in" is written together with the month.
        if value == nil, word.hasPrefix("ב") { value = MonthNames.month(String(word.dropFirst())) }
        guard let value else { return nil }
        return (value, isMark(index + 1, ".") ? index + 2 : index + 1)
    }

    private func behindOrdinal(_ index: Int) -> Int {
        guard touchesPrevious(index) else { return index }
        return isWord(index, in: Self.ordinals) || isMark(index, in: "ºª°") ? index + 1 : index
    }

    /// The index behind what stands between the parts of a date: white space, a few marks, words as "of".
    private func behindLinks(_ start: Int) -> Int {
        var index = start
        while index < start + 5, isMark(index, in: " ,.-/،") || isWord(index, in: Self.links) { index += 1 }
        return index
    }

    /// The year behind a day and a month, and the index behind it: of four digits, or of two where a hyphen, a slash or
    /// an apostrophe is before them.
    private func year(_ start: Int) -> (value: Int, next: Int)? {
        var index = behindLinks(start)
        let isShort = isMark(index, in: "'’‘") || isMark(index - 1, in: "-/")
        if isMark(index, in: "'’‘") { index += 1 }
        guard index > start, let (value, digits) = number(index) else { return nil }
        if digits == 4 { return (value, index + 1) }
        return digits == 2 && isShort ? (Self.year(value), index + 1) : nil
    }

    /// A year of two digits is one from 1969 to 2068, as for ``DateReader``.
    private static func year(_ digits: Int) -> Int { digits + (digits < 69 ? 2000 : 1900) }

    // MARK: - Times

    /// The time behind a date, and the index behind it.
    private func timeBehind(_ start: Int) -> (WrittenDate.Time, next: Int)? {
        var index = start
        while index < min(start + 10, tokens.count) {
            if let found = time(at: index) { return found }
            guard isGlue(index..<index + 1) else { return nil }
            index += 1
        }
        return nil
    }

    /// Whether some tokens are only what stands between a date and its time.
    private func isGlue(_ range: Range<Int>) -> Bool {
        guard range.count < 10 else { return false }
        return range.allSatisfy { index in
            isMark(index, in: " ,.-–—|·•()[]@،;/月火水木金土日曜星期周週一二三四五六天화수목금월요일")
                || isWord(index, in: Self.beforeTime) || isWord(index, in: Self.weekdays)
        }
    }

    /// The time that begins with a token, and the index behind it.
    private func time(at index: Int) -> (WrittenDate.Time, next: Int)? {
        var start = index
        var half = easternHalf(index)
        if half != nil { start = skipSpace(index + 2) }
        guard let hour = small(start), hour <= 24, half != nil || beginsTimeFreely(start) else { return nil }
        var time = WrittenDate.Time(hour: hour)
        var next = start + 1
        if isMark(next, ":"), let minute = small(next + 1) {
            time.minute = minute
            next += 2
            if isMark(next, ":"), let second = small(next + 1) {
                time.second = second
                next += 2
                if isMark(next, in: ".,"), number(next + 1) != nil, touchesPrevious(next + 1) { next += 2 }
            }
        } else if case let mark = skipSpace(next), isMark(mark, in: "時时点點시") {
            next = mark + 1
            if let minute = small(skipSpace(next)), isMark(skipSpace(skipSpace(next) + 1), in: "分분") {
                time.minute = minute
                next = skipSpace(skipSpace(next) + 1) + 1
                if let second = small(skipSpace(next)), isMark(skipSpace(skipSpace(next) + 1), in: "秒초") {
                    time.second = second
                    next = skipSpace(skipSpace(next) + 1) + 1
                }
            }
        } else if isWord(skipSpace(next), in: ["h", "u"]), case let minute = skipSpace(skipSpace(next) + 1),
            let value = small(minute)
        {
            time.minute = value
            next = minute + 1
        } else if isMark(next, "."), let minute = small(next + 1), number(next + 1)?.digits == 2,
            isWord(skipSpace(next + 2), in: ["uhr"]) || isWord(index - 2, in: Self.beforeDottedTime)
                || isMark(index - 2, ".") && isWord(index - 3, in: Self.beforeDottedTime)
        {
            time.minute = minute
            next += 2
        } else if half == nil, westernHalf(next) == nil, !isWord(skipSpace(next), in: ["uhr"]) {
            return nil
        }
        if let (isAfternoon, behind) = westernHalf(next) {
            half = isAfternoon
            next = behind
        }
        if let half {
            guard hour <= 12 else { return nil }
            time.hour = hour % 12 + (half ? 12 : 0)
        }
        if isWord(skipSpace(next), in: ["uhr", "h", "hs", "hrs", "godz"]) { next = skipSpace(next) + 1 }
        if time.hour == 24 { time.hour = 0 }
        guard time.hour < 24, time.minute < 60, time.second < 61 else { return nil }
        if let (zone, behind) = zone(next) {
            time.zone = zone
            next = behind
        }
        return (time, next)
    }

    private func beginsTimeFreely(_ index: Int) -> Bool {
        guard touchesPrevious(index) else { return true }
        return !isMark(index - 1, in: "$€£¥:.+#/") && (word(index - 1) ?? "t") == "t"
    }

    /// Whether 上午, 午後 and the like are of the afternoon; nil where there are none.
    private func easternHalf(_ index: Int) -> Bool? {
        guard let first = mark(index), let second = mark(index + 1) else { return nil }
        switch (first, second) {
        // 上午, 午前, 오전.
        case (0x4E0A, 0x5348), (0x5348, 0x524D), (0xC624, 0xC804): return false
        // 下午, 午後, 午后, 오후.
        case (0x4E0B, 0x5348), (0x5348, 0x5F8C), (0x5348, 0x540E), (0xC624, 0xD6C4): return true
        default: return nil
        }
    }

    /// Whether "am", "p.m." and the like are of the afternoon, and the index behind them.
    private func westernHalf(_ start: Int) -> (isAfternoon: Bool, next: Int)? {
        let index = skipSpace(start)
        switch word(index) {
        case "am", "ص": return (false, index + 1)
        case "pm", "م": return (true, index + 1)
        case let half? where half == "a" || half == "p":
            guard isMark(index + 1, "."), case let next = skipSpace(index + 2), word(next) == "m" else {
                return nil
            }
            return (half == "p", isMark(next + 1, ".") ? next + 2 : next + 1)
        default: return nil
        }
    }

    /// The offset from UTC that begins behind a time, and the index behind it: `Z`, `CET`, `+01:00`, `GMT+1`.
    private func zone(_ start: Int) -> (String, next: Int)? {
        var index = skipSpace(start)
        if isMark(index, "("), word(index + 1).map({ Self.zones[$0] != nil }) ?? false { index += 1 }
        var named: String?
        if let word = word(index), let offset = Self.zones[word] {
            named = offset
            index += 1
            if offset != "Z" { return (offset, index) }
        }
        guard isMark(index, in: "+-−"), let (value, digits) = number(index + 1), touchesPrevious(index + 1)
        else {
            return named.map { ($0, index) }
        }
        var (hours, minutes) = (value, 0)
        var next = index + 2
        switch digits {
        case 1, 2:
            if isMark(next, ":"), let read = small(next + 1) { (minutes, next) = (read, next + 2) }
        case 4: (hours, minutes) = (value / 100, value % 100)
        default: return named.map { ($0, index) }
        }
        guard hours < 15, minutes < 60 else { return named.map { ($0, index) } }
        let sign = isMark(index, "+") ? "+" : "-"
        return ("\(sign)\(hours < 10 ? "0" : "")\(hours):\(minutes < 10 ? "0" : "")\(minutes)", next)
    }

    // MARK: - Words

    private static let ordinals: Set<String> = [
        "st", "nd", "rd", "th", "er", "re", "ère", "e", "ème", "o", "a", "ого",
    ]

    private static let links: Set<String> = ["of", "de", "del", "di", "d", "den", "do", "năm", "the"]

    private static let beforeTime: Set<String> = [
        "t", "at", "um", "à", "a", "las", "la", "le", "alle", "ore", "às", "as", "om", "kl", "klo", "kello",
        "o", "godz",
        "godzina", "г", "года", "в", "о", "об", "saat", "on", "den", "r", "ב", "בשעה", "الساعة", "-", "ora",
        "v", "at:",
    ]

    private static let beforeDottedTime: Set<String> = [
        "kl", "klo", "kello", "alle", "ore", "at", "um", "godz", "as", "às",
    ]

    /// Words before a numeric date with a year of two digits.
    private static let introductions: Set<String> = weekdays.union([
        "on", "am", "vom", "le", "el", "il", "du", "published", "posted", "updated", "date", "datum", "fecha",
        "data", "stand",
        "del", "den", "od", "от", "publicado", "publié", "pubblicato", "veröffentlicht", "geplaatst",
        "opublikowano",
    ])

    private static let weekdays: Set<String> = {
        let words: StaticString = """
            monday tuesday wednesday thursday friday saturday sunday mon tue tues wed thu thur thurs fri sat sun montag \
            dienstag mittwoch donnerstag freitag samstag sonnabend sonntag mo di mi do fr sa so lundi mardi mercredi jeudi \
            vendredi samedi dimanche lun mar mer jeu ven sam dim lunes martes miércoles jueves viernes sábado domingo mié jue \
            vie sáb dom segunda terça quarta quinta sexta feira seg ter qua qui sex lunedì martedì mercoledì giovedì venerdì \
            sabato domenica gio sab maandag dinsdag woensdag donderdag vrijdag zaterdag zondag ma wo vr za zo poniedziałek \
            wtorek środa czwartek piątek sobota niedziela pon wt śr czw pt sob niedz понедельник вторник среда четверг \
            пятница суббота воскресенье пн вт ср чт пт сб вс понеділок вівторок середа четвер п'ятниця субота неділя нд \
            pazartesi salı çarşamba perşembe cuma cumartesi pazar måndag tisdag onsdag torsdag fredag lördag söndag pondělí \
            úterý středa čtvrtek pátek neděle الاثنين الإثنين الثلاثاء الأربعاء الخميس الجمعة السبت الأحد
            """
        return Set("\(words)".split(separator: " ").map { String($0) })
    }()

    /// The zones of RFC 5322, and others whose names are unambiguous on pages.
    private static let zones = [
        "z": "Z", "utc": "Z", "gmt": "Z", "est": "-05:00", "edt": "-04:00", "cst": "-06:00", "cdt": "-05:00",
        "mst": "-07:00", "mdt": "-06:00", "pst": "-08:00", "pdt": "-07:00", "cet": "+01:00", "cest": "+02:00",
        "mez": "+01:00", "mesz": "+02:00", "eet": "+02:00", "eest": "+03:00", "bst": "+01:00",
        "msk": "+03:00",
        "мск": "+03:00", "jst": "+09:00", "kst": "+09:00", "aest": "+10:00", "aedt": "+11:00",
    ]
}
