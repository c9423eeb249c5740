/// Reads the size of an AVIF image: the `ispe` of its primary item, turned by its `irot`.
///
/// [AVIF](https://aomediacodec.github.io/av1-avif/), on ISO/IEC 23008-12 (HEIF) and ISO/IEC 14496-12 (boxes)
enum AVIFHeader {
    static func read(_ file: ImageBytes) -> ImageHeader? {
        guard let type = Box(file, 0), file.has("ftyp", at: 4), isAVIF(type.contents),
            let meta = child("meta", of: file)
        else { return nil }
        // Version and flags come before the boxes inside.
        let boxes = meta.contents.part(4, meta.contents.count)
        guard let properties = child("iprp", of: boxes)?.contents,
            let container = child("ipco", of: properties)?.contents
        else { return nil }
        let item = child("pitm", of: boxes).flatMap { primaryItem($0.contents) }
        let used = item.flatMap { item in
            child("ipma", of: properties).flatMap { associations(of: item, in: $0.contents) }
        }
        return header(container, used)
    }

    /// A box: the offset of its name, and its contents.
    private struct Box {
        let nameOffset: Int
        let contents: ImageBytes
        let end: Int

        /// Nil where there is no box, or its header is incomplete.
        init?(_ bytes: ImageBytes, _ offset: Int) {
            guard var length = bytes.bigEndian(offset, 4), bytes.bigEndian(offset + 4, 4) != nil else {
                return nil
            }
            nameOffset = offset + 4
            var head = 8
            if length == 1 {
                // No file has a length of more than 56 bits.
                guard bytes.byte(offset + 8) == 0, let large = bytes.bigEndian(offset + 9, 7) else {
                    return nil
                }
                length = large
                head = 16
            } else if length == 0 {
                length = bytes.count - offset
            }
            guard length >= head else { return nil }
            contents = bytes.part(offset + head, length - head)
            end = offset + length
        }
    }

    /// The first box of a name in a sequence of boxes.
    private static func child(_ name: StaticString, of bytes: ImageBytes) -> Box? {
        var offset = 0
        while let box = Box(bytes, offset) {
            if bytes.has(name, at: box.nameOffset) { return box }
            offset = box.end
        }
        return nil
    }

    /// Whether one of the brands of a `ftyp` is AVIF's.
    private static func isAVIF(_ type: ImageBytes) -> Bool {
        var offset = 0
        while offset < type.count {
            // The version stands between the major brand and the others.
            if offset != 4, type.has("avif", at: offset) || type.has("avis", at: offset) { return true }
            offset += 4
        }
        return false
    }

    private static func primaryItem(_ box: ImageBytes) -> Int? {
        box.byte(0) == 0 ? box.bigEndian(4, 2) : box.bigEndian(4, 4)
    }

    /// The numbers, from 1, of an item's properties.
    private static func associations(of item: Int, in box: ImageBytes) -> [Int]? {
        guard let version = box.byte(0), let flags = box.byte(3), let count = box.bigEndian(4, 4) else {
            return nil
        }
        let identifierSize = version == 0 ? 2 : 4
        let indexSize = flags & 1 == 0 ? 1 : 2
        var offset = 8
        for _ in 0..<count {
            guard let identifier = box.bigEndian(offset, identifierSize),
                let length = box.byte(offset + identifierSize)
            else { return nil }
            let start = offset + identifierSize + 1
            if identifier == item {
                // The highest bit says whether a reader has to support the property.
                let mask = indexSize == 1 ? 0x7F : 0x7FFF
                return (0..<length).compactMap {
                    box.bigEndian(start + $0 &* indexSize, indexSize).map { $0 & mask }
                }
            }
            offset = start + length &* indexSize
        }
        return nil
    }

    /// The header from the properties of the item, or from all properties where it is not known which are the
    /// item's.
    private static func header(_ container: ImageBytes, _ used: [Int]?) -> ImageHeader? {
        var size: (width: Int, height: Int)?
        var isTurned = false
        var offset = 0
        var number = 1
        while let box = Box(container, offset) {
            if used?.contains(number) ?? true {
                if size == nil, container.has("ispe", at: box.nameOffset),
                    let width = box.contents.bigEndian(4, 4), let height = box.contents.bigEndian(8, 4)
                {
                    size = (width, height)
                } else if container.has("irot", at: box.nameOffset), let angle = box.contents.byte(0) {
                    // The angle is in quarter turns.
                    isTurned = angle & 1 == 1
                }
            }
            offset = box.end
            number += 1
        }
        return size.flatMap { ImageHeader(.avif, width: $0.width, height: $0.height, isTurned: isTurned) }
    }
}
