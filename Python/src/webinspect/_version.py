"""The version of this package, which is that of the program `webinspect`."""

__version__ = "0.2.0"
