"""The learner's code in a child process: one question, one answer, limits on both.

`ol.run.parent` asks, `ol.run.child` answers; a child that hangs, crashes or leaves
costs one test its verdict and is replaced.
"""
