import Testing

@testable import WebDocument

/// Title, authors, dates, language and site of pages, where they are from and how sure they are.
struct PageArticleTests {
    private func article(
        _ markup: String,
        url: String = "https://www.gazette.example/walls",
        fields: [(String, String)] = []
    ) throws -> PageArticle {
        try InspectionPages.page(markup, url: url, fields: fields).article
    }

    /// Returns a fact as "value (kind name, confidence)"; "-" if it is missing.
    private func summary(_ fact: ArticleFact?) -> String {
        guard let fact else { return "-" }
        return "\(fact.value) (\(fact.source.kind.rawValue) \(fact.source.name), \(fact.confidence.rawValue))"
    }

    @Test func aPageThatSaysNothingHasItsHostAlone() throws {
        let article = try article("<p>x")
        #expect(summary(article.site) == "gazette.example (url host, inferred)")
        var empty = PageArticle()
        empty.site = article.site
        #expect(article == empty)
    }

    @Test func aPageWithoutATreeHasWhatItsFieldsSay() throws {
        let page = try InspectionPages.page(
            "Title\nBy Jane Doe",
            type: "text/plain",
            fields: [("Content-Language", "de")]
        )
        #expect(summary(page.article.language) == "de (field Content-Language, stated)")
        #expect(page.article.title == nil)
        #expect(page.article.authors.isEmpty)
    }

    @Test func whatAgreesIsConfirmed() throws {
        let article = try article(
            """
            <html lang=en><title>The harbour wall | The Gazette</title><meta property=og:site_name content="The Gazette">
            <script type=application/ld+json>{"@type":"NewsArticle","headline":"The harbour wall",
            "author":[{"name":"Jane Doe"},{"name":"John Roe"}],"datePublished":"2024-03-12T15:04:05Z",
            "dateModified":"2024-03-13"}</script>
            <h1>The harbour wall</h1><p>By <a rel=author href=/jane>Jane Doe</a></p>
            <p>March 12, 2024</p><p class=updated>Updated March 13, 2024</p>
            """
        )
        #expect(summary(article.title) == "The harbour wall (json-ld headline, confirmed)")
        #expect(
            article.authors.map(summary) == [
                "Jane Doe (json-ld author, confirmed)", "John Roe (json-ld author, stated)",
            ]
        )
        #expect(summary(article.published) == "2024-03-12T15:04:05Z (json-ld datePublished, confirmed)")
        #expect(summary(article.modified) == "2024-03-13 (json-ld dateModified, confirmed)")
        #expect(summary(article.site) == "The Gazette (meta og:site_name, confirmed)")
        #expect(summary(article.language) == "en (element html, stated)")
        #expect(article.title?.source.position?.line == 2)
    }

    @Test func whatContradictsIsDoubtful() throws {
        let article = try article(
            """
            <meta property=og:title content="One thing"><title>Quite another</title>
            <meta property=article:published_time content=2024-03-12>
            <script type=application/ld+json>{"@type":"NewsArticle","datePublished":"2023-01-01"}</script>
            <meta property=article:modified_time content=2020-03-12>
            """
        )
        #expect(summary(article.title) == "One thing (meta og:title, doubtful)")
        #expect(summary(article.published) == "2023-01-01 (json-ld datePublished, doubtful)")
        #expect(summary(article.modified) == "2020-03-12 (meta article:modified_time, doubtful)")
    }

    /// A page without metadata, and the title, authors and date that it shows.
    private static let shown: [(String, String, [String], String)] = [
        (
            "<title>Walls - Gazette</title><h1>Walls</h1><p>By Jane Doe</p><p>March 12, 2024</p>", "Walls",
            ["Jane Doe"],
            "2024-03-12"
        ),
        (
            "<h1>Mauern</h1><div class=byline>Von <b>Anna Müller</b> und Jörg Groß, Redakteur</div><time>12. März 2024</time>",
            "Mauern", ["Anna Müller", "Jörg Groß"], "2024-03-12"
        ),
        (
            "<h1>Murs</h1><span class=author-name>Anne Dupont</span> <span class=date>le 12 août 2024 à 15h04</span>",
            "Murs",
            ["Anne Dupont"], "2024-08-12T15:04:00"
        ),
        (
            "<h1 class=entry-title>壁</h1><p>2024年3月12日</p><p class=author>文：山田太郎</p>", "壁", ["山田太郎"],
            "2024-03-12"
        ),
        (
            "<h1>Walls</h1><time datetime=2024-03-12T15:04Z>yesterday</time><a href=/author/jane-doe>Jane Doe</a>",
            "Walls",
            ["Jane Doe"], "2024-03-12T15:04:00Z"
        ),
        (
            "<h1 itemprop=headline>Walls</h1><span itemprop=author itemscope><span itemprop=name>Jane Doe</span></span>"
                + "<span itemprop=datePublished>12 March 2024</span>",
            "Walls", ["Jane Doe"], "2024-03-12"
        ),
        (
            "<article class=h-entry><h1 class=p-name>Walls</h1><a class='p-author h-card' href=/>Jane Doe</a>"
                + "<time class=dt-published datetime='2024-03-12 15:04'>x</time></article>",
            "Walls", ["Jane Doe"], "2024-03-12T15:04:00"
        ),
        // A line may say what the next one is about.
        (
            "<h1>Walls</h1><p>Last updated</p><time>13 March 2024</time><p>Written by</p><p>Jane Doe</p>"
                + "<p>Published</p><p>12 March 2024</p>",
            "Walls", ["Jane Doe"], "2024-03-12"
        ),
        (
            "<article><h1>Walls</h1></article><aside><h3>Author</h3><p>Jane Doe</p><h3>Published</h3><p>12 March 2024</aside>",
            "Walls", ["Jane Doe"], "2024-03-12"
        ),
        (
            "<h1>Walls</h1><p>By</p><p>Best Towns</p><p>Written by</p><p>The Harbour Team</p>",
            "Walls", ["The Harbour Team"], "-"
        ),
        (
            "<article><aside><time>12 March 2024</time></aside><h1>Walls</h1></article><aside><time>1 May 2024</time></aside>",
            "Walls", [], "2024-03-12"
        ),
        // Names and dates beside the article are not the article's.
        (
            "<h1>Walls</h1><p>12 March 2024</p><div class=comments><p>By Joe Bloggs</p><time>13 March 2024</time></div>"
                + "<footer><time datetime=2026-01-01></time></footer>",
            "Walls", [], "2024-03-12"
        ),
        (
            "<h1>Walls</h1><p class=date hidden>12 March 2024</p><p class=price>12.03</p><p>Tel. 030 12 03 2024</p>",
            "Walls", [], "-"
        ),
        (
            "<h1>Walls</h1><p class=updated>Updated: 13 March 2024</p><p class=date>12 March 2024</p>",
            "Walls", [], "2024-03-12"
        ),
        (
            "<h1>Walls</h1><p class=author>jane@gazette.example</p><p class=author>https://gazette.example/</p>",
            "Walls", [], "-"
        ),
    ]

    @Test(arguments: shown.indices)
    func whatPeopleSeeIsRead(index: Int) throws {
        let (markup, title, authors, published) = Self.shown[index]
        let article = try article(markup)
        #expect(article.title?.value == title)
        #expect(article.authors.map(\.value) == authors)
        #expect(article.published?.value ?? "-" == published)
    }

    /// A title element, what else the page says, and the title and site that are left.
    private static let titles: [(String, String, String, String?)] = [
        ("Walls | The Gazette", "", "Walls", "The Gazette"),
        ("Gazette: Walls", "", "Walls", "Gazette"),
        ("Walls — gazette.example", "", "Walls", "gazette.example"),
        ("Walls - of stone", "", "Walls - of stone", nil),
        ("Walls - of stone - Gazette", "", "Walls - of stone", "Gazette"),
        ("Walls of stone » News » Gazette", "<h1>Walls of stone</h1>", "Walls of stone", "Gazette"),
        ("Walls :: Town", "<meta property=og:site_name content=Town>", "Walls", nil),
        ("石の壁｜新聞", "<meta property=og:site_name content=新聞>", "石の壁", nil),
        ("石墙_新闻网", "<h1>石墙</h1>", "石墙", nil),
        ("Gazette", "<h1>Gazette</h1>", "Gazette", nil),
        ("T-shirts and well-known walls", "", "T-shirts and well-known walls", nil),
    ]

    @Test(arguments: titles.indices)
    func titlesAreWithoutTheSite(index: Int) throws {
        let (title, others, expected, site) = Self.titles[index]
        let article = try article("<title>\(title)</title>\(others)")
        #expect(article.title?.value == expected)
        if let site { #expect(article.site?.value == site) }
    }

    @Test(arguments: [
        ("en-US", "03/12/2024", "2024-03-12", "doubtful"), ("en-GB", "03/12/2024", "2024-12-03", "doubtful"),
        ("de", "03/12/2024", "2024-12-03", "doubtful"), ("en-GB", "24/12/2024", "2024-12-24", "inferred"),
        // Another date of the page determines the order.
        ("en", "03/12/2024</p><p>24/12/2023", "2024-12-03", "inferred"),
    ])
    func anAmbiguousOrderIsThatOfTheLanguage(
        language: String,
        text: String,
        date: String,
        confidence: String
    ) throws {
        let article = try article("<html lang=\(language)><h1>Walls</h1><p class=date>\(text)</p>")
        #expect(article.published?.value == date)
        #expect(article.published?.confidence.rawValue == confidence)
    }

    @Test func theDateOfTheURLCounts() throws {
        let url = "https://gazette.example/2024/03/12/walls"
        #expect(
            summary(try article("<h1>Walls</h1>", url: url).published) == "2024-03-12 (url path, inferred)"
        )
        #expect(
            summary(try article("<h1>Walls</h1><p>March 12, 2024 3 pm</p>", url: url).published)
                == "2024-03-12T15:00:00 (text date, confirmed)"
        )
        #expect(try article("<h1>Walls</h1>", url: "https://h.test/2024/13/12/4711-2024").published == nil)
    }

    @Test(arguments: [
        ("Jane Doe and John Roe", ["Jane Doe", "John Roe"]), ("By Jane Doe", ["Jane Doe"]),
        ("Doe, Jane", ["Doe, Jane"]),
        ("jane@h.test (Jane Doe)", ["Jane Doe"]), ("https://h.test/jane", []), ("@jane", []),
        ("The Gazette", ["The Gazette"]),
        ("Staff", ["Staff"]), ("223509017", []),
    ])
    func statedAuthorsAreNames(value: String, names: [String]) throws {
        let article = try article(
            "<meta name=author content=\"\(value)\"><meta property=og:site_name content='The Gazette'>"
        )
        #expect(article.authors.map(\.value) == names)
    }

    @Test func labelsSayWhatTheirValuesAre() throws {
        let article = try article(
            """
            <meta name=twitter:label1 content="Filed under"><meta name=twitter:data1 content="Stones">
            <meta name=twitter:label2 content="Written by"><meta name=twitter:data2 content="Jane Doe">
            <meta name=twitter:data3 content="Joe Bloggs">
            """
        )
        #expect(article.authors.map(summary) == ["Jane Doe (meta twitter:data2, stated)"])
    }

    @Test(arguments: [
        ("Doe, Jane", "Jane Doe"), ("Jane Doe", "Jane Doe"), ("Doe, J., Roe", "Doe, J., Roe"),
        ("Jane Doe, Ph.D.", "Jane Doe, Ph.D."),
    ])
    func authorsOfPapersAreInSpokenOrder(value: String, name: String) throws {
        let article = try article("<meta name=citation_author content=\"\(value)\">")
        #expect(article.authors.map(\.value) == [name])
    }

    @Test func theSiteIsAnAuthorOnlyWhereNobodyElseIs() throws {
        let article = try article(
            """
            <meta name=author content="The Gazette"><meta property=og:site_name content="The Gazette">
            <h1>Walls</h1><p class=byline>By Jane Doe</p>
            """
        )
        #expect(article.authors.map(summary) == ["Jane Doe (text byline, inferred)"])
    }

    /// A text in a language, repeated until it is long enough to tell.
    private static let texts: [(String, String)] = [
        (
            "en",
            "The wall was built in three parts of stone that came by sea and each of them is older than the church."
        ),
        (
            "de",
            "Die Mauer wurde in drei Teilen gebaut, und jeder von ihnen ist älter als die Kirche, die auf dem Hügel steht."
        ),
        (
            "fr",
            "Le mur a été construit en trois parties avec des pierres qui sont venues par la mer, et il est plus ancien que la ville."
        ),
        (
            "es",
            "El muro se construyó en tres partes con las piedras que llegaron por el mar y es más antiguo que la iglesia."
        ),
        (
            "pt",
            "O muro foi construído em três partes com as pedras que vieram pelo mar, e não é mais antigo do que a igreja."
        ),
        (
            "it",
            "Il muro è stato costruito in tre parti con le pietre che sono arrivate dal mare ed è più antico della chiesa."
        ),
        (
            "nl",
            "De muur is gebouwd in drie delen van steen die over zee kwam en het is ouder dan de kerk die er niet meer is."
        ),
        (
            "pl",
            "Mur został zbudowany w trzech częściach z kamieni, które przypłynęły do portu, i jest już starszy niż to, co się widzi."
        ),
        (
            "sv",
            "Muren byggdes i tre delar av sten som kom till staden och den är äldre än kyrkan som inte har ett torn."
        ),
        (
            "tr",
            "Duvar üç bölüm olarak ve bir liman için yapıldı, bu taşlar çok eski olan bir kilise ile daha sonra geldi."
        ),
        (
            "ru",
            "Стена была построена из трёх частей, и каждая из них старше, чем церковь, которую видно с горы."
        ),
        ("uk", "Стіна була побудована з трьох частин, і кожна з них старша, ніж церква, яку видно з гори."),
        ("ja", "壁は海から来た石で三つの部分に分けて建てられ、それぞれは教会よりも古いものです。"),
        ("zh", "这堵墙由从海上运来的石头分三部分建造，每一部分都比城里的教堂更古老。"),
        ("ko", "벽은 바다로 가져온 돌로 세 부분으로 지어졌으며 각각은 교회보다 오래되었습니다."),
        ("ar", "بني الجدار من ثلاثة أجزاء من الحجر الذي جاء عن طريق البحر وكل جزء أقدم من الكنيسة"),
        ("he", "החומה נבנתה בשלושה חלקים מאבן שהגיעה דרך הים וכל אחד מהם עתיק יותר מהכנסייה"),
    ]

    @Test(arguments: texts)
    func theLanguageIsHeldAgainstTheText(language: String, text: String) throws {
        let body = String(repeating: "<p>\(text) \(text)</p>", count: 6)
        #expect(
            summary(try article("<html lang=\(language)-XX>\(body)").language)
                == "\(language)-XX (element html, confirmed)"
        )
        #expect(summary(try article(body).language) == "\(language) (text language, inferred)")
        let other = language == "en" ? "ja" : "en"
        #expect(
            summary(try article("<html lang=\(other)>\(body)").language)
                == "\(language) (text language, doubtful)"
        )
    }

    @Test func aShortTextTellsNoLanguage() throws {
        #expect(
            summary(try article("<html lang=en><p>Die Mauer</p>").language) == "en (element html, stated)"
        )
    }

    @Test func relativeDatesNeedADate() throws {
        let markup = "<h1>Walls</h1><span class=date>3 days ago</span>"
        #expect(try article(markup).published == nil)
        let published = try article(markup, fields: [("Date", "Fri, 15 Mar 2024 10:00:00 GMT")]).published
        #expect(summary(published) == "2024-03-12 (label date, doubtful)")
    }

    /// A page of `Fixtures/html`, and what is said of it: title, authors, dates, language, site.
    private static let fixtures: [(String, [String])] = [
        (
            "article-stated",
            [
                "The harbour wall is older than the church (meta og:title, confirmed)",
                "Jane Doe (json-ld author, confirmed)", "John Roe (json-ld author, stated)",
                "2024-03-12T15:04:05Z (json-ld datePublished, confirmed)",
                "2024-03-13 (meta article:modified_time, confirmed)", "en-GB (element html, stated)",
                "The Gazette (meta og:site_name, confirmed)",
            ]
        ),
        (
            "article-shown",
            [
                "Die Mauer am Hafen (element title, confirmed)", "Anna Müller (text byline, inferred)",
                "Jörg Groß (text byline, inferred)", "2024-03-12T15:04:00 (text date, inferred)",
                "2024-03-13 (text date, inferred)", "de (element html, confirmed)",
                "Stadtblatt (element title, inferred)",
            ]
        ),
        (
            "article-language-wrong",
            [
                "港の壁は教会よりも古い (element title, confirmed)", "山田太郎 (text byline, inferred)", "-",
                "2024-03-12T15:04:00 (text date, inferred)", "ja (text language, doubtful)",
                "港町新聞 (meta application-name, confirmed)",
            ]
        ),
    ]

    @Test(arguments: fixtures)
    func fixturesAreRead(name: String, facts: [String]) async throws {
        let article = try await #require(FixturePage.all.first { $0.name == name }).load().article
        let dates = [article.published, article.modified]
        #expect(
            ([article.title] + article.authors + dates + [article.language, article.site]).map(summary)
                == facts
        )
    }

    private static let hostile: [HostilePage] = [
        HostilePage(
            "a title of 10 MB",
            "<title>\(String(repeating: "A | ", count: 2_500_000))</title><h1>A</h1>"
        ),
        HostilePage(
            "time elements",
            "<h1>A</h1>" + String(repeating: "<time>12 March 2024</time>", count: 50_000)
        ),
        HostilePage(
            "authors",
            "<h1>A</h1>" + String(repeating: "<a rel=author>Jane Doe</a>", count: 50_000)
        ),
        HostilePage(
            "stated authors",
            String(repeating: "<meta name=author content='Jane Doe'>", count: 50_000)
        ),
        HostilePage("nested dates", String(repeating: "<div class=date>", count: 50_000)),
        HostilePage("nested authors", String(repeating: "<span class='author'>By Jane ", count: 50_000)),
        HostilePage("asides", "<article>" + String(repeating: "<aside>12 March 2024", count: 50_000)),
        HostilePage("labels", String(repeating: "<p>Written by<p>Published", count: 50_000)),
        HostilePage(
            "long labels",
            "<meta name=twitter:label1 content='W\(String(repeating: "\u{301}", count: 1_000_000))'>"
                + String(repeating: "<meta name=twitter:data1 content=x>", count: 20_000)
        ),
        HostilePage("headings", String(repeating: "<h1>A | B - C</h1>", count: 50_000)),
        HostilePage("one line", "<p>By \(String(repeating: "12/03/2024 ", count: 100_000))"),
    ]

    @Test(arguments: hostile)
    func pagesMadeToTakeLongDoNot(page: HostilePage) throws {
        let article = try article(page.markup)
        #expect(article.authors.count <= ArticleName.maximumCount)
    }
}
