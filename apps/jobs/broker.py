"""The messages that wake workers: files in the data folder, so that nothing has to be installed.

A message only wakes; the queue is the table of jobs. Losing one costs seconds, for the patrol sends it again.
"""

from pathlib import Path

from celery import Celery
from django.conf import settings

from apps.jobs.rules import Lane

POLL_SECONDS = 0.2

app = Celery("cruxweb", set_as_current=False)
app.conf.update(
    broker_url="filesystem://localhost//",
    broker_transport_options={
        "data_folder_in": str(settings.DATA_DIR / "broker" / "messages"),
        "data_folder_out": str(settings.DATA_DIR / "broker" / "messages"),
        "control_folder": str(settings.DATA_DIR / "broker" / "queues"),
        "polling_interval": POLL_SECONDS,
    },
    broker_connection_retry_on_startup=True,
    task_default_queue=Lane.LONG.value,
    task_ignore_result=True,
    accept_content=["json"],
    worker_prefetch_multiplier=1,
    worker_enable_remote_control=False,
    worker_send_task_events=False,
    worker_hijack_root_logger=False,
    enable_utc=True,
    timezone="UTC",
)


def make_message_folders() -> None:
    """Makes the folders that messages go through; harmless when repeated."""
    Path(app.conf.broker_transport_options["data_folder_in"]).mkdir(parents=True, exist_ok=True)
