"""Measures in Python as `bench` does in Swift, and prints the same lines of JSON."""
import json
import time


def measure(benchmark, case, unit, name, work, rounds, items=1):
    cpu, wall = [], []
    for index in range(-1, rounds):
        start = time.process_time(), time.monotonic()
        work()
        end = time.process_time(), time.monotonic()
        # The first round warms the caches.
        if index >= 0:
            cpu.append((end[0] - start[0]) / items)
            wall.append((end[1] - start[1]) / items)
    print(json.dumps({'benchmark': benchmark, 'case': case, 'unit': unit,
                      'subjects': [{'name': name, 'cpu': cpu, 'wall': wall}]}))
