#!/bin/sh
# Generates "configure" and friends from a checkout.
set -e
cd "$(dirname "$0")"
autoreconf --install --force
