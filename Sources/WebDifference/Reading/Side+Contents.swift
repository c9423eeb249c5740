internal import WebDocument
internal import WebStandards

/// The whole contents of elements that are not compared part by part.
extension Side {
    /// A hash that is equal for elements with the same words and attributes.
    func contentHash(_ element: Int32) -> UInt64 {
        var mixer = Mixer()
        for index in Int(element)..<Int(tree.items[Int(element)].end) {
            let item = tree.items[index]
            if item.kind == .text {
                for word in tree.bytes[item.text].split(whereSeparator: \.isASCIIWhitespace) {
                    mixer.add(word)
                }
            }
            mixer.add(UInt64(clamping: item.name &+ 1))
            for attribute in tree.attributes[item.attributes] {
                mixer.add(UInt64(clamping: attribute.name))
                mixer.add(tree.bytes[attribute.value])
            }
        }
        return mixer.value
    }

    /// The words in an element, with a space between two.
    func contentText(_ element: Int32) -> String {
        var text: [UInt8] = []
        for index in Int(element)..<Int(tree.items[Int(element)].end) where tree.items[index].kind == .text {
            for word in tree.bytes[tree.items[index].text].split(whereSeparator: \.isASCIIWhitespace) {
                if !text.isEmpty { text.append(0x20) }
                text += word
            }
        }
        return string(text[...])
    }
}
