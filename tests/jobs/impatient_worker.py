"""The counting worker, but that Redis takes a message for lost after a second."""

from apps.jobs.broker import THROUGH_REDIS
from tests.jobs.counting_worker import app

app.conf.broker_transport_options = THROUGH_REDIS | {"visibility_timeout": 1}
