"""Who asks for work, so that those who ask for much leave others their turn."""

import contextvars

#: The client whose request is being answered: a browser, or the address that a program calls from. Empty: the service.
client: contextvars.ContextVar[str] = contextvars.ContextVar("client", default="")
#: Which request that is, counted by the process from 1. 0: none.
request: contextvars.ContextVar[int] = contextvars.ContextVar("request", default=0)
