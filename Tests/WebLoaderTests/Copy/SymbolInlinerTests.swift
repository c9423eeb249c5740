import Testing
import WebDocument
import WebStandards

@testable import WebCopy

/// Symbols of files of SVG that are put into a page.
struct SymbolInlinerTests {
    private static func sprite(_ contents: String) throws -> ParsedPage {
        let markup = """
            <svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" xmlns:h="http://www.w3.org/1999/xhtml">\
            \(contents)</svg>
            """
        return try ParsedPage(
            data: Array(markup.utf8),
            mimeType: "image/svg+xml",
            baseURL: WebURL("http://h.test/s.svg")
        )
    }

    /// The markup of each symbol, without what says of which file it is.
    private static func symbols(
        _ contents: String,
        _ names: [String],
        isShared: Bool = true
    ) throws -> [String?] {
        try marked(contents, names, isShared: isShared).map { $0?.replacing(mark, with: "") }
    }

    private static let mark = " data-webloader-symbol=\"webloader-0-\""

    private static func marked(
        _ contents: String,
        _ names: [String],
        isShared: Bool = true
    ) throws -> [String?] {
        let page = try sprite(contents)
        var inliner = SymbolInliner()
        return try names.map { name in
            let url = try WebURL("http://h.test/s.svg#\(name)")
            return inliner.symbol(url, isShared: isShared, page) { page.response.body }?.markup
        }
    }

    private static func defs(_ markup: String) -> String {
        "<defs xmlns=\"http://www.w3.org/2000/svg\">\(markup)</defs>"
    }

    @Test(arguments: [
        (
            "<symbol id='a'><!--><img src=//evil onerror=x>--><path d='M0 0'/></symbol>",
            "<path d=\"M0 0\"></path>"
        ),
        ("<symbol id='a'><?x ><img src=y>?></symbol>", ""),
        ("<symbol id='a'><text><![CDATA[<img src=x>]]></text></symbol>", "<text>&lt;img src=x&gt;</text>"),
        ("<symbol id='a'><foreignObject><h:img src='x'/></foreignObject><p/><h:b/></symbol>", ""),
        ("<symbol id='a'><script>x</script><title>t</title></symbol>", ""),
        ("<symbol id='a'><g onclick='x' xml:lang='de'/></symbol>", "<g xml:lang=\"de\"></g>"),
        ("<symbol id='a'><use xlink:href='#a'/></symbol>", "<use href=\"#webloader-0-a\"></use>"),
    ])
    func onlyWhatDrawsIsWritten(_ contents: String, _ expected: String) throws {
        let made = try Self.symbols(contents, ["a"])
        #expect(made == [Self.defs("<symbol id=\"webloader-0-a\">\(expected)</symbol>")])
    }

    @Test(arguments: [
        ("*{color:red}", "*:where(IN){color:red}"),
        (".a,#a b::before{}", ".a:where(IN),#webloader-0-a b:where(IN)::before{}"),
        ("@media print{a{}}@keyframes k{from{x:y}}", "@media print{a:where(IN){}}"),
        ("@import 'x';a{fill:url(#g)}", "a:where(IN){fill:url(#webloader-0-g)}"),
        ("@font-face{src:url(#g)}a{}@page{x{}}@layer q;b{}@property --x{", "a:where(IN){}b:where(IN){}"),
        ("a>b{}", "a>b:where(IN){}"),
    ])
    func `style sheets are for the symbols of their file`(css: String, expected: String) throws {
        let contents = """
            <style><![CDATA[\(css)]]></style><style type="text/x">z{}</style><style media="print">q{}</style>\
            <linearGradient id='g'/><symbol id='a'/><symbol id='b'/>
            """
        let made = try Self.marked(contents, ["a", "b"])
        let condition = "[data-webloader-symbol=webloader-0-]"
        let styles = ["<style>\(expected)</style>", "<style>@media print{q:where(IN){}}</style>"]
            .map { $0.replacing("IN", with: condition) }.joined()
        let gradient = "<linearGradient\(Self.mark) id=\"webloader-0-g\"></linearGradient>"
        let symbol = "<symbol\(Self.mark) id=\"webloader-0-a\"></symbol>"
        let isDrawnWith = css.contains("(#g")
        #expect(made[0] == Self.defs(styles + (isDrawnWith ? gradient : "") + symbol))
        #expect(made[1] == Self.defs("<symbol\(Self.mark) id=\"webloader-0-b\"></symbol>"))
    }

    @Test func whatASymbolRefersToComesWithIt() throws {
        let contents =
            "<g id='in'/><linearGradient id='l'/><symbol id='b'><use href='#in'/><rect fill='url(#l)'/></symbol>"
        let made = try Self.symbols(contents, ["b", "b", "in", "none"])
        #expect(made.first??.contains("<g id=\"webloader-0-in\"></g>") == true)
        #expect(made.first??.contains("<linearGradient id=\"webloader-0-l\">") == true)
        #expect(made.first??.contains("<rect fill=\"url(#webloader-0-l)\">") == true)
        #expect(Array(made.dropFirst()) == ["", "", nil])
    }

    @Test func aSymbolAroundOneThatIsThereIsWritten() throws {
        let made = try Self.symbols("<g id='out'><g id='in'/><rect/></g>", ["in", "out"])
        #expect(made.last??.contains("<g id=\"webloader-0-out\">") == true)
        let circle = try Self.symbols(
            "<g id='a'><use href='#b'/></g><g id='b'><use href='#a'/></g>",
            ["a", "b"]
        )
        #expect(circle.last == "")
    }

    @Test func allOfAFileHasAnIdentifier() throws {
        let made = try Self.symbols("<g/>", [""])
        #expect(made == [Self.defs("<svg id=\"webloader-0-\"><g></g></svg>")])
    }

    @Test func symbolsForManyPlacesEnd() throws {
        let path = String(repeating: "<path d='M0 0'/>", count: 10_000)
        let names = Array(repeating: "a", count: 1_000)
        let made = try Self.symbols("<symbol id='a'>\(path)</symbol>", names, isShared: false)
        #expect(made.first??.isEmpty == false)
        #expect(made.contains(nil))
    }
}
