"""A session: going back, finding text and restoring, inside of a process."""
from measure import programs_in_turn


def session(tools, cases, settings):
    programs_in_turn(cases, [[tools.bench, 'session', '--rounds', max(settings.rounds // 2, 3)]], max(settings.turns // 2, 1))
