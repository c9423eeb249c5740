/// A subject that concerns many commands, of which `webinspect help` has a page that fits a screen.
enum HelpTopic: String, CaseIterable {
    case sources, cache, budgets
    case exitStatuses = "exit-statuses"

    /// The topic that a word names, be it the first word of its name; nil if there is none.
    init?(word: String) {
        guard
            let topic = Self.allCases.first(where: {
                $0.rawValue == word || $0.rawValue.hasPrefix("\(word)-")
            })
        else { return nil }
        self = topic
    }

    /// The page.
    var text: String {
        switch self {
        case .sources:
            """
            SOURCE is what a command reads. Most commands take several.

              https://example.com/     is loaded, through the cache
              page.html, file:///p     a file
              -                        standard input
              data:text/html,<p>hi     a data: URL

            Copies, without the network:
              URL --cache-only         what the cache has, whatever its age
              URL --at 2026-01-31      the version of that day, of those that
                                       --keep-history has kept
              URL --from site.wacz     the copy in an archive (WARC, ARC, WACZ, HAR,
                                       MHTML), or in the folder of a cache
              --from site.wacz --all   each page of an archive

            What a server would have said of a file:
              --base-url URL           what its references are relative to
              --mime TYPE              what it is, as text/html or application/xhtml+xml
              --encoding LABEL         how its bytes are to be read

            A word that is neither a URL nor a file is an error before anything is loaded.
            """
        case .cache:
            """
            What is loaded over HTTP is kept, as RFC 9111 has it for a cache of one user.

              (no flag)                what is fresh answers; the server is asked for
                                       the rest
              --cache-only, --offline  what is stored answers, whatever its age; no
                                       socket is opened; 5 if it is not there
              --prefer-cache           the server is asked only for what is not there
              --revalidate             the server is asked whether what is stored
                                       still holds
              --refresh                what is stored does not answer; it is replaced

              --no-store               nothing is stored
              --keep                   the page is stored even if the server forbids it
              --keep-history           so is each different version of it
              --cache-dir DIR          the folder; else $XDG_CACHE_HOME/webinspect, else
                                       ~/.cache/webinspect

            webinspect cache ls, show, rm, gc, verify, stats and import look after it;
            webinspect history lists the versions of a page.
            """
        case .budgets:
            """
            Every limit has a default; what meets one ends with status 6, and says which.

              --max-time S             everything, until the last byte is written (300)
              --timeout S              without data (60)
              --connect-timeout S      for connecting (30)
              --max-filesize BYTES     a body, decoded (64M)
              --max-redirs N           redirects (20)

              --max-depth N            elements inside each other (512)
              --max-nodes N            nodes of a page (5000000)
              --max-tree-memory BYTES  a page's tree (24M, and 32 times the page)

            Rules run in a process of their own, which is ended when one is used up:
              --budget-time TIME       of a recipe (5s; as in 500ms)
              --budget-memory BYTES    of a recipe (10MB)

            A page that meets a limit while it is parsed is reported up to there. Sizes
            take K, M and G.
            """
        case .exitStatuses:
            """
            0    done; also --help, and a reader of the output that went away
            1    done, and the answer is no: nothing is listed or matched, there are
                 findings, links are broken, pages differ, an assertion does not hold
            2    usage: a bad flag, selector, URL or recipe
            3    the network or TLS failed, or took too long
            4    an HTTP status of 400 or above, with --fail
            5    not in the cache, with --cache-only; not in the archives of --from
            6    a limit of size, count, depth or time was met
            7    the content could not be decoded or parsed as asked, or a rule failed
            8    a file could not be read or written
            70   a fault of ours; please report it
            71   the system has too few descriptors, threads, or too little memory
            130  interrupted, as a shell reports it

            A failure is one line on standard error, "webinspect: WHAT: WHY (CODE)"; with
            --json there is an object on standard output, too. CODE is stable: programs
            compare it.
            """
        }
    }
}
