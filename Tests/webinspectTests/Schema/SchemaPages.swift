/// Pages that together have everything that a report can say of one.
enum SchemaPages {
    /// Each with its name.
    static let all: [(name: String, markup: String)] = [
        ("metadata", metadata), ("structured data", structuredData), ("parts", parts), ("forms", forms),
        ("limits", limits), ("references", references), ("parse errors", parseErrors),
        ("findings", findings), ("nothing", ""), ("exhausting", exhausting),
    ]

    static let metadata = """
        <!doctype html><html lang=en><title>T</title>
        <meta name=description content=D><meta property=og:site_name content=S><meta name=author content=A>
        <meta name=generator content=G><meta name=keywords content="a, b"><meta name=viewport content=x>
        <meta property=article:published_time content=2026-11-21><meta property=article:modified_time content=x>
        <meta name=robots content=noindex><meta name=googlebot content=nosnippet>
        <meta name=theme-color content=red media="(prefers-color-scheme: dark)">
        <link rel=canonical href=/c><link rel=alternate hreflang=de href=/de media=print title=Deutsch>
        <link rel=alternate type=application/rss+xml href=/feed><link rel=manifest href=/m>
        <link rel=icon sizes="16x16 any" href=/i><link rel=mask-icon color=red href=/k>
        <link rel=amphtml href=/amp><link rel=prev href=/1><link rel=next href=/3><link rel=license href=http://[>
        """

    /// It asks for what is not there, says something, and grows.
    static let scripted = """
        <!doctype html><title>T</title><script>
        fetch("/x").catch(() => console.log("lost"));
        onload = () => { for (let i = 0; i < 2000; i++) document.body.append(document.createElement("hr")); };
        </script><body><script>throw new Error("E")</script>
        """

    static let structuredData = """
        <!doctype html><title>T</title>
        <script type=application/ld+json>{"@type": "Thing", "name": "N",}</script>
        <script type=application/ld+json>{</script>
        <div itemscope itemid=urn:a itemtype=https://schema.org/Thing id=i itemref=i>
        <p itemprop=name>N</p><time itemprop=date content=x datetime=2026>T</time>
        <a itemprop=url href=http://[></a><div itemprop=part itemscope><b itemprop=name>M</b></div></div>
        <p itemprop=name itemscope>stray</p>
        <div vocab=https://schema.org/ typeof=Thing resource=#r><span property=name lang=en>N</span>
        <time property=datePublished datetime=2026-11-21>T</time><a property=url href=/u>U</a></div>
        <meta property=og:title content=T><meta property=og:image content=/i.png>
        <meta property=og:image:secure_url content=https://h.test/i.png><meta property=og:image:type content=image/png>
        <meta property=og:image:width content=1><meta property=og:image:width content=2>
        <meta property=og:image:height content=2><meta property=og:image:alt content=A>
        <meta property=og:image:reference content=x><meta property=og:image:line content=1>
        <meta property=og:video content=/v><meta property=og:audio content=http://[>
        <meta name=twitter:card content=summary>
        <meta name=dc.title content=T scheme=x><link rel=dc.source href=/s>
        <div class=h-entry id=e><p class=p-name>N</p><a class=u-url href=/u>U</a><img class=u-photo src=/p alt=A>
        <div class=e-content><b>B</b></div><div class="p-author h-card">A</div><div class=h-cite>C</div>
        <div class="e-content h-cite">C</div><div class="u-photo h-cite"><img class=u-url src=/p alt=A></div></div>
        <div class=hentry><p class=entry-title>N</p></div>
        """

    static let parts = """
        <!doctype html><title>T</title>
        <meta http-equiv=content-security-policy content="script-src * 'unsafe-inline'">
        <link rel=stylesheet href=/a.css media=print type=text/css title=A integrity=sha256-x crossorigin nonce=n>
        <link rel="alternate stylesheet" href=/b.css title=B disabled><style>p { color: red }</style>
        <body><header></header><nav aria-label=N><section aria-label=S><article><h1>A</h1></article></section>
        <h3>B</h3><aside role=search></aside></nav>
        <table><caption>C<tr><th>A<th>B<tr><td>1<td><table><tr><td>x</table></table>
        <picture><source srcset="/a 1x, /b 2x" media=print type=image/avif sizes=100vw>
        <img src=/c srcset="/d 100w 50h" alt=D width=1 height=2 loading=lazy decoding=async fetchpriority=high
        crossorigin=use-credentials></picture>
        <img src="data:image/svg+xml,<svg width='30' height='20'/>"><img src="data:image/jpeg;base64,\(turnedImage)">
        <script src=/a.js async defer nomodule type=text/javascript integrity=sha256-x crossorigin nonce=n
        referrerpolicy=origin></script><script src=/b.js></script><script>x</script><script type=module src=http://[>
        </script><template><script>x</script><img src=/x><iframe></iframe><style></style></template>
        <iframe src=/f sandbox=allow-forms allow=fullscreen loading=lazy title=T name=N referrerpolicy=origin></iframe>
        <iframe srcdoc="<p>x"></iframe><!-- c --><!--[if lt IE 9]>x<![endif]-->
        """

    static let forms = """
        <!doctype html><title>T</title>
        <form action=/f name=N id=I target=_top accept-charset=utf-8 novalidate autocomplete=off method=post
        enctype=multipart/form-data><label>L <input name=a id=a value=x required readonly pattern=x minlength=1 maxlength=2
        placeholder=p autocomplete=name list=l></label><input type=number min=1 max=9 step=2 name=n disabled>
        <input type=file accept=image/* multiple name=f><input type=checkbox name=c checked>
        <select name=s><optgroup label=G disabled><option selected value=1>One<option disabled>Two</optgroup></select>
        <textarea name=t></textarea><button formtarget=_blank>Go</button></form><form action=http://[></form>
        """

    static let limits = "<title>T</title>" + String(repeating: "<div>", count: 600)

    static let references = """
        <!doctype html><title>T</title><base href=/b/><a href=http://[>x</a><img srcset="/a 2x, /b 100w 50h" alt>
        <template><a href=/t rel=nofollow>t</a></template><p id=a><p id=a><style>@import "/x"</style>
        """

    /// More of them than are listed.
    static let parseErrors = "<!doctype html><title>T</title>" + String(repeating: "<p a a>", count: 10_001)

    /// More of them than are listed.
    static let findings = "<!doctype html><title>T</title>" + String(repeating: "<img>", count: 10_001)

    /// Items that would have the same part of the page read more often than anybody would, and links whose base would.
    static let exhausting =
        "<!doctype html><title>T</title><base href=http://h.test/" + String(repeating: "a", count: 50_000)
        + ">" + String(repeating: "<link rel=next href=/n>", count: 400) + "<div id=x>"
        + String(repeating: "<br>", count: 20_000) + "</div>"
        + String(repeating: "<p itemscope itemref=x>", count: 800)

    /// A JPEG file that is to be shown turned by a quarter.
    private static let turnedImage =
        "/9j/4QAiRXhpZgAATU0AKgAAAAgAAQESAAMAAAABAAYAAAAAAAD/wAALCAACAAMBAREA/9oACAEBAAA/ABI0/9k="
}
