"""Bad answers of other servers: what `fault` of a fake feed or of fake animals can be."""


def begin(fault):
    """Has a fake answer so from now on."""
    return lambda fake: setattr(fake, "fault", fault)


def answering(*arguments, **options):
    """This answer, whatever is asked."""
    return lambda handler: handler.answer(*arguments, **options)


def cut(handler):
    """Ends within the answer."""
    handler.answer(200, '{"', length=1000)
    handler.close_connection = True


def hang_up(handler):
    """Ends before the answer."""
    handler.close_connection = True


def redirect(handler):
    """To itself."""
    handler.answer(307, mime=None, Location=handler.path)


def trickle(handler, end):
    """A byte every tenth of a second, until an event."""
    handler.answer(200, " ", length=5_000)
    while not end.wait(0.1):
        handler.wfile.write(b" ")
    handler.close_connection = True
