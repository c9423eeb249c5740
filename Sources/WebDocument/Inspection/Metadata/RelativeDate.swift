/// Dates that are said by how long ago they were, as "yesterday" and "3 days ago": they mean something only where it is
/// known when the page was sent.
enum RelativeDate {
    /// Reads how many days before the page was sent something was.
    ///
    /// - Parameters:
    ///   - text: A short text, in UTF-8; a longer one says nothing.
    ///   - hour: The hour when the page was sent, so that "5 hours ago" may be the day before.
    /// - Returns: The days; nil where the text does not say so.
    /// - Complexity: O(n).
    static func daysAgo(_ text: [UInt8], hour: Int) -> Int? {
        guard text.count <= 60 else { return nil }
        var number: Int?
        for token in WrittenDateToken.tokens(of: text) {
            switch token.kind {
            case .number(let value, let digits):
                guard number == nil, digits <= 3 else { return nil }
                number = value
            case .word:
                let word = String(decoding: text[token.start..<token.end], as: UTF8.self).lowercased()
                if let unit = units[word], let number { return days(number, unit, hour) }
                if let days = named[word], number == nil { return days }
            case .mark: continue
            }
        }
        let text = String(decoding: text, as: UTF8.self)
        if let number {
            guard let unit = easternUnits.first(where: { text.contains($0.0) }) else { return nil }
            return days(number, unit.1, hour)
        }
        return easternNamed.first { text.contains($0.0) }?.1
    }

    private enum Unit {
        case minute, hour, day, week
    }

    private static func days(_ number: Int, _ unit: Unit, _ hour: Int) -> Int? {
        switch unit {
        case .minute: return number <= 60 ? 0 : nil
        case .hour: return number <= hour ? 0 : (number - hour + 23) / 24
        case .day: return number
        case .week: return 7 * number
        }
    }

    private static let named: [String: Int] = {
        let words: [(Int, StaticString)] = [
            (
                0,
                "today heute aujourd hoy hoje oggi vandaag dziś dzisiaj сегодня сьогодні bugün idag dnes tänään اليوم היום"
            ),
            (
                1,
                "yesterday gestern hier ayer ontem ieri gisteren wczoraj вчера вчора dün igår včera eilen أمس אתמול"
            ),
        ]
        return words.reduce(into: [:]) { table, entry in
            for word in "\(entry.1)".split(separator: " ") { table[String(word)] = entry.0 }
        }
    }()

    private static let units: [String: Unit] = {
        let words: [(Unit, StaticString)] = [
            (
                .minute,
                "minute minutes min mins minuten minuto minutos minuti minuut minut minuty минут минуты минуту dakika minuter"
            ),
            (
                .hour,
                """
                hour hours hr hrs stunde stunden heure heures hora horas ora ore uur godzinę godziny godzin час часа часов години \
                годин saat timme timmar
                """
            ),
            (
                .day,
                "day days tag tage tagen jour jours día días dia dias giorno giorni dag dagen dagar dzień dni день дня дней дні днів gün"
            ),
            (
                .week,
                """
                week weeks woche wochen semaine semaines semana semanas settimana settimane weken tydzień tygodnie tygodni неделю \
                недели недель тиждень тижні hafta vecka veckor
                """
            ),
        ]
        return words.reduce(into: [:]) { table, entry in
            for word in "\(entry.1)".split(separator: " ") { table[String(word)] = entry.0 }
        }
    }()

    private static let easternNamed: [(String, Int)] = [
        ("今日", 0), ("今天", 0), ("오늘", 0), ("昨日", 1), ("昨天", 1), ("어제", 1),
    ]

    private static let easternUnits: [(String, Unit)] = [
        ("分前", .minute), ("分钟前", .minute), ("분 전", .minute), ("時間前", .hour), ("小时前", .hour), ("시간 전", .hour),
        ("日前", .day), ("天前", .day), ("일 전", .day), ("週間前", .week), ("周前", .week), ("주 전", .week),
    ]
}
