"""The error that the library reports."""


class Error(ValueError):
    """A job or an array that was refused, as in "kernel[1] is 0; it must be at least 1".

    status is the name of the status in C without its LANEPOOL_; the others say what is wrong, where
    the sentence has them: the field or array, the entry of it (of views: N, C, spatial axes), its
    value, and what it was held against.
    """

    def __init__(
        self,
        message: str,
        status: str = "",
        field: str | None = None,
        axis: int | None = None,
        value: object = None,
        limit: object = None,
    ) -> None:
        super().__init__(message, status, field, axis, value, limit)
        self.status = status
        self.field = field
        self.axis = axis
        self.value = value
        self.limit = limit

    def __str__(self) -> str:
        return str(self.args[0])
