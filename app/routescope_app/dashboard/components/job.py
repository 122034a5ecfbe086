"""Long work: how far it is, with cancel and resume (lib/jobs.js follows the events of the job)."""

from dash import dcc, html


def job_store(key: str) -> str:
    """Id of the store that holds ``{"id", "state", "result"}`` of the job called ``key`` whenever its state changes."""
    return f"{key}-job"


def job_progress(key: str, what: str) -> html.Div:
    """The place where a job's progress is shown.

    Args:
        key: its name on the page: ``routescope.jobs.start(key, "/importances", body)`` starts it.
        what: what is computed, in words.
    """
    return html.Div(
        [
            dcc.Store(id=job_store(key)),
            html.Div(className="job", **{"data-widget": "job-progress", "data-job": key, "data-what": what}),
        ],
        className="job-place",
    )
