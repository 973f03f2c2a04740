#!/bin/sh
# The Debian package runs this when it is removed. The till's folder, with its journal, is never touched.
set -eu
rm -f /etc/udev/rules.d/70-tillgate-terminals.rules
if command -v udevadm > /dev/null; then udevadm control --reload || true; fi
