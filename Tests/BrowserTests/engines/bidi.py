"""What browsers that Playwright drives over WebDriver BiDi have in common."""


class Browser:
    """
    As Playwright's, with another browser for contexts that ask for what only a whole browser can be
    told: `settings` has, for each such option of a context, what to launch a browser with.
    """

    def __init__(self, launch, settings, **defaults):
        self._launch = launch
        self._settings = settings
        self._defaults = defaults
        self._browsers = {}
        self._browser()

    def _browser(self, *choices):
        if choices not in self._browsers:
            self._browsers[choices] = self._launch([self._settings[choice] for choice in choices])
        return self._browsers[choices]

    def new_context(self, **options):
        options = self._defaults | options
        choices = [choice for choice in self._settings if options.get(choice[0]) == choice[1]]
        for name, _ in self._settings:
            options.pop(name, None)
        if options.pop("has_touch", False):
            raise NotImplementedError("not supported here: touch")
        return self._browser(*choices).new_context(**options)

    def new_page(self, **options):
        return self.new_context(**options).new_page()

    @property
    def version(self):
        return self._browser().version

    def close(self):
        for browser in self._browsers.values():
            browser.close()
