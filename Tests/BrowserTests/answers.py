"""Bad answers of other servers: values for the `fault` of a fake feed or of fake animals."""


def begin(fault):
    """Makes a fake server give this answer from now on."""
    return lambda fake: setattr(fake, "fault", fault)


def answering(*arguments, **options):
    """Gives this answer to every request."""
    return lambda handler: handler.answer(*arguments, **options)


def saying(text):
    """Gives this answer, to the byte, and closes the connection."""
    def say(handler):
        handler.wfile.write(text.encode())
        handler.close_connection = True

    return say


def cut(handler):
    """Closes the connection in the middle of the answer."""
    handler.answer(200, '{"', length=1000)
    handler.close_connection = True


def hang_up(handler):
    """Closes the connection before the answer."""
    handler.close_connection = True


def redirect(handler):
    """Redirects to itself."""
    handler.answer(307, mime=None, Location=handler.path)


def trickle(handler, end):
    """Sends a byte every tenth of a second, until an event is set."""
    handler.answer(200, " ", length=5_000)
    while not end.wait(0.1):
        handler.wfile.write(b" ")
    handler.close_connection = True
