"""The version of this package, which is that of the program `webinspect`."""

__version__ = "0.1.0"
