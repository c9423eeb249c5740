"""Pages made to take long."""


def numbered(count, text):
    return ''.join(text.format(i) for i in range(count))


# Each makes a page of about n bytes.
SHAPES = {
    'nested div': lambda n: '<div>' * (n // 5),
    'nested b and i': lambda n: '<b><i></b>x' * (n // 11),
    'attributes, all different': lambda n: '<p ' + numbered(n // 10, 'a{}=1 ') + '>',
    'attributes, all the same': lambda n: '<p ' + 'a=1 ' * (n // 4) + '>',
    'tags with 4,000 attributes': lambda n: ('<p ' + numbered(4000, 'a{}=1 ') + '>') * (n // 34890 + 1),
    'names, all different': lambda n: numbered(n // 16, '<x{0} y{0}>'),
    'font and p': lambda n: numbered(n // 34, '<font size={}><p>') + '</p></font>' * (n // 34),
    'text': lambda n: 'some words ' * (n // 11),
    'unclosed p': lambda n: '<p>' * (n // 3),
    'nested tables': lambda n: '<table><tr><td>' * (n // 15),
    'tables of td': lambda n: '<table><td>' * (n // 11),
    'nested g': lambda n: '<svg>' + '<g>' * (n // 3),
    'comments': lambda n: '<!--x-->' * (n // 8),
    'processing instructions': lambda n: '<?x y?>' * (n // 7),
    'entities': lambda n: '&amp;&notit;&#x41;' * (n // 18),
    'unmatched end tags': lambda n: '<span>' * (n // 12) + '</foo>' * (n // 12),
    'NUL': lambda n: '<p\0 a\0=\0>\0x\0<!--\0-->' * (n // 24),
    'a long attribute': lambda n: '<p a="' + 'x&amp;' * (n // 6) + '">',
    'plaintext': lambda n: '<plaintext>' + '<x>' * (n // 3),
    'script never closed': lambda n: '<script><!--' + '<script ' * (n // 8),
    'comment never closed': lambda n: '<!--' + '-x --! <!--' * (n // 11),
    'adoption': lambda n: '<b>' + '<div><span>' * (n // 15) + '</b>' * (n // 15),
    'templates': lambda n: '<template>' * (n // 10),
    'fostered text': lambda n: '<table>' + '<tr><td>y</td></tr>x' * (n // 20),
    'selected options': lambda n: '<select><button><selectedcontent></button>' + '<option selected>x' * (n // 18),
    'unfinished tag': lambda n: '<p ' + "a='" * (n // 3),
}
