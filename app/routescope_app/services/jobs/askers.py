"""Who asked for a job: those alone, or the operator, stop it or keep it; a job of several goes on for the others."""

import json
from dataclasses import dataclass, field

from routescope_app.services.engine.clients import owns
from routescope_app.services.errors import NotYours
from routescope_app.services.store import JobRow

#: Clients that are remembered by their account; further ones are counted together, and cannot give the job up.
MOST_ASKERS = 100
_FURTHER = ""


@dataclass(frozen=True)
class Caller:
    """Who wants to change a job.

    Attributes:
        account: the client, as `routescope_app.services.engine.clients` names it.
        operator: whether it is the operator, who may change everything.
    """

    account: str
    operator: bool = False


@dataclass
class Interest:
    """The interest of one client in a job.

    Attributes:
        asked: how often the client asked for it, less how often it gave it up.
        keeps: whether it wants the job to go on when nobody reads it.
    """

    asked: int = 0
    keeps: bool = False


@dataclass
class Askers:
    """The clients that asked for a job since it was queued, the first one first.

    The job takes its place in the queue from the first client that still wants it. When that client gives the job up,
    the place passes to the next one.
    """

    _last_owner: str | None = None
    _by_account: dict[str, Interest] = field(default_factory=dict)

    @classmethod
    def of(cls, row: JobRow) -> "Askers":
        """Read the askers of a row."""
        return cls.read(row.owner, row.owners, row.askers, row.kept)

    @classmethod
    def read(cls, owner: str | None, owners: str, askers: int, kept: bool) -> "Askers":
        """Read these columns of a row. Version 0.6 wrote a list of further owners, and the number of askers apart."""
        content = json.loads(owners)
        if isinstance(content, dict):
            return cls(owner, {account: Interest(*interest) for account, interest in content.items()})
        further = {account: Interest(1) for account in content}
        return cls(owner, {owner or _FURTHER: Interest(max(0, askers - len(further)), kept)} | further)

    def write(self, row: JobRow) -> None:
        """Put them into the row, with the account whose place it takes, and its owner."""
        accounts = self.accounts
        row.askers = sum(interest.asked for interest in self._by_account.values())
        row.owners = json.dumps({name: [has.asked, has.keeps] for name, has in self._by_account.items()})
        row.kept = any(interest.keeps for interest in self._by_account.values())
        if accounts:
            row.account = accounts[0] or None
            row.owner = next((account for account in accounts if owns(account)), None)

    @property
    def accounts(self) -> list[str]:
        """The clients that still want it, the first one first."""
        return [account for account, interest in self._by_account.items() if interest.asked > 0]

    @property
    def owners(self) -> frozenset[str]:
        """The users and browsers among them; where nobody is left, the last one that was its owner."""
        accounts = self.accounts
        last = [] if accounts or self._last_owner is None else [self._last_owner]
        return frozenset(filter(owns, accounts)) | frozenset(last)

    def lacks(self, account: str) -> bool:
        """Whether this is a user or a browser that could be one of its owners, and is not."""
        return owns(account) and account not in self.owners and len(self._by_account) < MOST_ASKERS

    def ask(self, account: str) -> None:
        """A client asks for it."""
        if account not in self._by_account and len(self._by_account) >= MOST_ASKERS:
            account = _FURTHER
        self._by_account.setdefault(account, Interest()).asked += 1

    def check(self, caller: Caller) -> None:
        """Raise NotYours where the caller may not change the job: it has owners, and none of its askers calls."""
        if not (self._is_free_to(caller) or caller.account in self.accounts or caller.account in self.owners):
            raise NotYours(
                "Another user or another browser asked for this job; they alone, or the operator with the token of the "
                "service, can cancel or keep it. You can read it, and ask for the same."
            )

    def give_up(self, caller: Caller, *, once: bool) -> None:
        """The caller no longer wants it. Whoever may change all of it stops it for all.

        Args:
            once: takes back one time that it was asked for: the caller's own, or of a job without owners anybody's.

        Raises:
            NotYours: it is another's.
        """
        self.check(caller)
        free = self._is_free_to(caller)
        mine = self._by_account.get(caller.account, Interest())
        if once:
            given_up = mine if mine.asked or not free else self._first()
            given_up.asked = max(0, given_up.asked - 1)
        else:
            for interest in self._by_account.values() if free else [mine]:
                interest.asked = 0
        if self.accounts and not mine.asked and not caller.operator:
            self._by_account.pop(caller.account, None)  # who is left decides whether it is kept

    def keep(self, caller: Caller, keep: bool) -> None:
        """Let the job go on unread for the caller, or not; whoever may change all of it ends that for all.

        Raises:
            NotYours: it is another's, or another one of its askers keeps it.
        """
        self.check(caller)
        kept = [interest for interest in self._by_account.values() if interest.keeps]
        if keep:
            self._by_account.setdefault(caller.account, Interest()).keeps = True
        elif self._is_free_to(caller):
            for interest in kept:
                interest.keeps = False
        elif (mine := self._by_account.get(caller.account)) is not None and mine.keeps:
            mine.keeps = False
        elif kept:
            raise NotYours("Another one who asked for this job keeps it; only they or the operator can end that.")

    def _is_free_to(self, caller: Caller) -> bool:
        return caller.operator or not self.owners

    def _first(self) -> Interest:
        return next((interest for interest in self._by_account.values() if interest.asked), Interest())
