/// Reads the orientation of an image from EXIF data.
///
/// Exif 2.32, section 4.6.4 (tag 274, Orientation); [TIFF 6.0](https://www.itu.int/itudoc/itu-t/com16/tiff-fx/docs/tiff6.pdf),
/// section 2
enum ExifOrientation {
    /// Whether the orientation swaps width and height: orientations 5 through 8.
    static func isTurned(_ data: ImageBytes) -> Bool {
        guard let orientation = orientation(data) else { return false }
        return 5...8 ~= orientation
    }

    /// The orientation, 1 through 8; nil where the data does not state one.
    private static func orientation(_ data: ImageBytes) -> Int? {
        let isLittleEndian = data.has("II", at: 0)
        guard isLittleEndian || data.has("MM", at: 0) else { return nil }
        func number(_ offset: Int, _ count: Int) -> Int? {
            isLittleEndian ? data.littleEndian(offset, count) : data.bigEndian(offset, count)
        }
        guard number(2, 2) == 42, let directory = number(4, 4), let count = number(directory, 2) else {
            return nil
        }
        for index in 0..<count {
            let entry = directory + 2 + index * 12
            guard let tag = number(entry, 2) else { return nil }
            guard tag == 0x0112 else { continue }
            // It is one number of 16 bits, which stands in the entry itself.
            guard number(entry + 2, 2) == 3, number(entry + 4, 4) == 1, let value = number(entry + 8, 2),
                1...8 ~= value
            else { return nil }
            return value
        }
        return nil
    }
}
