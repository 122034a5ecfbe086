"""The clients that asked for a job: only they and the operator stop or keep it; for the others it continues."""

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
    """A client that wants to change a job.

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
        asked: number of its requests for the job, minus those that it withdrew.
        keeps: whether the job is to continue while nobody reads it.
    """

    asked: int = 0
    keeps: bool = False


@dataclass
class Askers:
    """The clients that asked for a job since it was queued, the first one first.

    The job takes the place in the queue of the first client that still wants it; if that client gives the job up, it
    takes the place of the next one.
    """

    _last_owner: str | None = None
    _by_account: dict[str, Interest] = field(default_factory=dict)

    @classmethod
    def of(cls, row: JobRow) -> "Askers":
        """Read the askers of a row."""
        return cls.read(row.owner, row.owners, row.askers, row.kept)

    @classmethod
    def read(cls, owner: str | None, owners: str, askers: int, kept: bool) -> "Askers":
        """Read these columns of a row. Version 0.6 stored further owners and the number of askers separately."""
        content = json.loads(owners)
        if isinstance(content, dict):
            return cls(owner, {account: Interest(*interest) for account, interest in content.items()})
        further = {account: Interest(1) for account in content}
        return cls(owner, {owner or _FURTHER: Interest(max(0, askers - len(further)), kept)} | further)

    def write(self, row: JobRow) -> None:
        """Write the askers to the row, with the account whose place it takes, and its owner."""
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
        """The users and browsers among the askers; if nobody is left, the last owner."""
        accounts = self.accounts
        last = [] if accounts or self._last_owner is None else [self._last_owner]
        return frozenset(filter(owns, accounts)) | frozenset(last)

    def lacks(self, account: str) -> bool:
        """Whether a user or a browser is none of the owners."""
        return owns(account) and account not in self.owners and len(self._by_account) < MOST_ASKERS

    def ask(self, account: str) -> None:
        """Add a request of a client."""
        if account not in self._by_account and len(self._by_account) >= MOST_ASKERS:
            account = _FURTHER
        self._by_account.setdefault(account, Interest()).asked += 1

    def check(self, caller: Caller) -> None:
        """Raise NotYours if the caller may not change the job: it has owners, and the caller is none of its askers."""
        if not (self._is_free_to(caller) or caller.account in self.accounts or caller.account in self.owners):
            raise NotYours(
                "Another user or another browser asked for this job; they alone, or the operator with the token of the "
                "service, can cancel or keep it. You can read it, and ask for the same."
            )

    def give_up(self, caller: Caller, *, once: bool) -> None:
        """Withdraw the request of the caller; a caller who may change everything withdraws all.

        Args:
            once: withdraw one request: one of the caller's own, or anybody's if the job has no owners.

        Raises:
            NotYours: the job is another client's.
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
        """Let the job continue unread for the caller, or not; a caller who may change everything ends that for all.

        Raises:
            NotYours: the job is another client's, or another asker keeps it.
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
