#!/bin/sh
# The Debian package runs this after it is unpacked: it installs the terminals' udev rules and creates their group.
set -eu
resources=/opt/Tillgate/resources/linux
if [ -x "$resources/install-udev-rules.sh" ]; then
  "$resources/install-udev-rules.sh" || echo "Tillgate: the udev rules were not installed; see docs/terminals.md" >&2
fi
