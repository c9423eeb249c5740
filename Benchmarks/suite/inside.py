"""What `bench` measures inside of one process, in turn with peers in Python."""
from measure import programs_in_turn


def urls(tools, cases, settings):
    programs_in_turn(cases, [[tools.bench, 'urls', '--pages', tools.pages, '--rounds', settings.rounds]], settings.turns)


def selectors(tools, cases, settings):
    programs = [[tools.bench, 'selectors', '--pages', tools.pages, '--rounds', settings.rounds]]
    if tools.python:
        programs.append([tools.python, tools.peer('selecting'), tools.pages, max(settings.rounds // 4, 2)])
    programs_in_turn(cases, programs, settings.turns)


def parts(tools, cases, settings):
    programs_in_turn(cases, [[tools.bench, 'parts', '--pages', tools.pages, '--rounds', settings.rounds]], settings.turns)


def text(tools, cases, settings):
    """The pages that are parsed, and the articles beside them."""
    programs = [[tools.bench, 'text', '--pages', tools.articles, '--rounds', max(settings.rounds // 2, 2)]]
    if tools.python:
        programs.append([tools.python, tools.peer('text'), tools.articles, max(settings.rounds // 4, 2)])
    programs_in_turn(cases, programs, settings.turns)
    case = cases.all[-1]
    case.notes.append(f'{len(list(tools.articles.glob("*.html")))} pages.')


def cache(tools, cases, settings):
    programs = [[tools.bench, 'cache', '--entries', settings.entries, '--rounds', settings.rounds]]
    if tools.python:
        programs.append([tools.python, tools.peer('cache'), tools.folder, 3])
    programs_in_turn(cases, programs, settings.turns)


def fetch(tools, cases, settings):
    floor = tools.floor('fetch', 'libcurl')
    programs_in_turn(cases, [[tools.bench, 'fetch', '--floor', floor, '--loads', settings.loads, '--rounds', settings.turns]], 1)


def rules(tools, cases, settings):
    worker = tools.binaries / 'webinspect-worker'
    programs_in_turn(cases, [[tools.bench, 'rules', '--worker', worker, '--rounds', settings.rounds]], settings.turns)
