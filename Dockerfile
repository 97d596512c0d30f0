# The site without its services; compose.yaml runs it with PostgreSQL and Redis.
FROM python:3.11-slim-bookworm

RUN useradd --system --uid 10001 --home-dir /opt/cruxweb --shell /usr/sbin/nologin cruxweb \
    && install -d -o cruxweb -g cruxweb -m 0700 /data
WORKDIR /opt/cruxweb

COPY requirements.txt ./
RUN pip install --no-cache-dir --disable-pip-version-check --requirement requirements.txt

COPY manage.py LICENSE CHANGELOG.md ./
COPY apps apps
COPY cruxstore cruxstore
COPY cruxweb cruxweb
COPY docs docs
COPY static static
COPY templates templates

# gathered once, here: containers share the data folder and nothing else
RUN CRUXWEB_DATA_DIR=/tmp/building python manage.py collectstatic --no-input --verbosity 0 \
    && rm -r /tmp/building && chown -R cruxweb:cruxweb staticfiles

USER cruxweb
ENV CRUXWEB_DATA_DIR=/data PYTHONUNBUFFERED=1
VOLUME /data
EXPOSE 8000
STOPSIGNAL SIGTERM
CMD ["sh", "-c", "python manage.py prepare && exec python manage.py serve --host 0.0.0.0"]
