"""The messages that wake workers: files in the data folder, so that nothing has to be installed, or Redis.

A message only wakes; the queue is the table of jobs. Losing one costs seconds, for the patrol sends it again; one that
Redis delivers twice, because a job took longer than its visibility timeout, finds nothing left to do.
"""

from celery import Celery
from django.conf import settings

from apps.jobs.messages import NAME as THROUGH_OWN_FILES
from apps.jobs.rules import Lane

POLL_SECONDS = 0.2
VISIBILITY_SECONDS = 600
CONNECT_SECONDS = 2

MESSAGES = settings.DATA_DIR / "broker" / "messages"
THROUGH_FILES = {
    "data_folder_in": str(MESSAGES),
    "data_folder_out": str(MESSAGES),
    "control_folder": str(settings.DATA_DIR / "broker" / "queues"),
    "polling_interval": POLL_SECONDS,
}
THROUGH_REDIS = {
    "visibility_timeout": VISIBILITY_SECONDS,
    "global_keyprefix": "cruxweb-",
    "socket_connect_timeout": CONNECT_SECONDS,
    "socket_keepalive": True,
}

app = Celery("cruxweb", set_as_current=False)
app.conf.update(
    broker_url=settings.REDIS_URL or f"{THROUGH_OWN_FILES}://localhost//",
    broker_transport_options=THROUGH_REDIS if settings.REDIS_URL else THROUGH_FILES,
    broker_connection_retry_on_startup=True,
    broker_connection_max_retries=None,
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
    """Makes the folders that messages go through, where they go through folders; harmless when repeated."""
    if not settings.REDIS_URL:
        MESSAGES.mkdir(parents=True, exist_ok=True)
