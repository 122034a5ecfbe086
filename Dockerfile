# One image for all roles: ROUTESCOPE_ROLE=all (default), api, dashboard or worker. A GPU is used when the container has one.
FROM python:3.11.14-slim

# For another PyTorch build (CPU only, another CUDA), pass its package index: --build-arg TORCH_INDEX=https://...
ARG TORCH=torch==2.13.0
ARG TORCH_INDEX=

ENV PIP_NO_CACHE_DIR=1 \
    PIP_DISABLE_PIP_VERSION_CHECK=1 \
    PYTHONUNBUFFERED=1 \
    PYTHONDONTWRITEBYTECODE=1

RUN useradd --create-home --uid 1000 routescope \
    && install --directory --owner=routescope --group=routescope /data
WORKDIR /srv/routescope

# Versions of all that is installed, as the tests ran with them.
COPY deploy/constraints.txt deploy/constraints.txt

# The large layer, which changes least.
RUN pip install ${TORCH_INDEX:+--index-url "$TORCH_INDEX"} --constraint deploy/constraints.txt "$TORCH"

COPY pyproject.toml LICENSE README.md ./
COPY core core
COPY app app
COPY assets assets
COPY docs docs
RUN pip install --constraint deploy/constraints.txt --editable ".[app,train,cluster,bucket,telemetry]"

USER routescope
ENV ROUTESCOPE_DATA_DIR=/data \
    ROUTESCOPE_HOST=0.0.0.0 \
    ROUTESCOPE_PORT=8000
VOLUME /data
EXPOSE 8000

HEALTHCHECK --interval=10s --timeout=5s --start-period=60s --retries=3 \
    CMD ["python", "-c", "import os, urllib.request as r; r.urlopen('http://127.0.0.1:' + os.environ['ROUTESCOPE_PORT'] + '/api/v1/health', timeout=4)"]

# It listens beyond the container, so that it starts only with a token: --env ROUTESCOPE_TOKEN=...
CMD ["routescope", "serve"]
