"""Who asks for work, so that those who ask for much leave others their turn."""

import contextvars

#: The client whose request is being answered: a browser, or the address that a program calls from. Empty: the service.
client: contextvars.ContextVar[str] = contextvars.ContextVar("client", default="")
