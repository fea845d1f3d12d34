from hypothesis import settings

settings.register_profile("lanepool", database=None, deadline=None)
settings.load_profile("lanepool")
