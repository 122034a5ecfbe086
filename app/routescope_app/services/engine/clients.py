"""The client that asks for work, so that clients share time and memory fairly."""

import contextvars
import hashlib

#: The client whose request is being answered, by whom turns and room are counted: a user, else a browser, else the
#: address that a program calls from, as a hash. Empty: the service itself.
client: contextvars.ContextVar[str] = contextvars.ContextVar("client", default="")
#: Whether it is the operator: a program with the token of the service itself.
operator: contextvars.ContextVar[bool] = contextvars.ContextVar("operator", default=False)
#: Which request that is, counted by the process from 1. 0: none.
request: contextvars.ContextVar[int] = contextvars.ContextVar("request", default=0)


#: How clients begin that are an address: programs without a cookie or a user, which own nothing.
ADDRESS = "address:"


def owns(account: str) -> bool:
    """Whether this client can own things: users and browsers can, addresses and the service itself cannot."""
    return bool(account) and not account.startswith(ADDRESS)


def client_at(address: str) -> str:
    """The client of a program that calls from an address."""
    return ADDRESS + hashlib.sha256(address.encode()).hexdigest()[:32]
