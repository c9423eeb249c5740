/// The result of a query: the pages, or the entries of a list, in their order.
final class ListResult {
    let ids: [Int32]
    /// The sections; `nil` if none are shown.
    let sections: [PageSection]?
    /// The number of hosts.
    let hosts: Int

    /// The rows of the sections' headers, with the folds for which they were counted.
    private var counted: (folds: Folds, starts: [Int32], total: Int)?

    init(ids: [Int32], sections: [PageSection]?, hosts: Int) {
        self.ids = ids
        self.sections = sections
        self.hosts = hosts
    }

    /// Returns the rows of the sections' headers, and the number of all rows.
    private func rows(_ sections: [PageSection], _ folds: Folds) -> (starts: [Int32], total: Int) {
        if let counted, counted.folds == folds { return (counted.starts, counted.total) }
        var starts: [Int32] = []
        starts.reserveCapacity(sections.count)
        var total = 0
        for (index, section) in sections.enumerated() {
            starts.append(Int32(truncatingIfNeeded: total))
            total += 1
            if !folds.isClosed(section.host) { total += sections.range(of: index, count: ids.count).count }
        }
        counted = (folds, starts, total)
        return (starts, total)
    }

    /// Returns the number of rows.
    func total(_ folds: Folds) -> Int {
        sections.map { rows($0, folds).total } ?? ids.count
    }

    /// A row: a page, or the header of a section.
    enum Row {
        case section(host: Int32, count: Int, isOpen: Bool)
        case item(Int32)
    }

    /// Returns some rows.
    func rows(_ range: Range<Int>, _ folds: Folds) -> [Row] {
        guard let sections else { return ids[range.clamped(to: ids.indices)].map { .item($0) } }
        let (starts, total) = rows(sections, folds)
        let range = range.clamped(to: 0..<total)
        guard !range.isEmpty else { return [] }
        var index = Self.section(of: range.lowerBound, starts)
        var row = range.lowerBound
        var rows: [Row] = []
        while row < range.upperBound, index < sections.count {
            let places = sections.range(of: index, count: ids.count)
            let host = sections[index].host
            let isOpen = !folds.isClosed(host)
            let start = Int(starts[index])
            if row == start {
                rows.append(.section(host: host, count: places.count, isOpen: isOpen))
                row += 1
            }
            if isOpen {
                let first = places.lowerBound + (row - start - 1)
                let shown = places.clamped(to: first..<max(first, first + (range.upperBound - row)))
                rows += ids[shown].map { .item($0) }
                row += shown.count
            }
            index += 1
        }
        return rows
    }

    /// Returns the row of a page or an entry of a host; `nil` if no row shows it.
    func row(of ids: Set<Int32>, host: Int32, _ folds: Folds) -> Int? {
        guard let sections else { return self.ids.firstIndex { ids.contains($0) } }
        guard !folds.isClosed(host), let index = sections.firstIndex(where: { $0.host == host }) else {
            return nil
        }
        let places = sections.range(of: index, count: self.ids.count)
        guard let place = self.ids[places].firstIndex(where: { ids.contains($0) }) else { return nil }
        return Int(rows(sections, folds).starts[index]) + 1 + (place - places.lowerBound)
    }

    /// Returns the section of a row: the last one that begins at it or before.
    private static func section(of row: Int, _ starts: [Int32]) -> Int {
        var low = 0
        var high = starts.count
        while low < high {
            let middle = (low + high) / 2
            if Int(starts[middle]) <= row { low = middle + 1 } else { high = middle }
        }
        return max(0, low - 1)
    }
}

/// Which sections are closed.
struct Folds: Equatable {
    /// Whether sections are closed unless they are exceptions.
    var isClosedByDefault = false
    /// The hosts of the sections that differ from the default.
    var exceptions: Set<Int32> = []

    /// Whether the section of a host is closed.
    func isClosed(_ host: Int32) -> Bool { exceptions.contains(host) != isClosedByDefault }
}
