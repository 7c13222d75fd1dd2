"""What all tests share: examples are made without a clock, which a busy machine would fail."""

from hypothesis import settings

settings.register_profile("audition", deadline=None)
settings.load_profile("audition")
