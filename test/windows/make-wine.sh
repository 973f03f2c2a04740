#!/usr/bin/env bash
# Creates a folder with Debian 13 and its Wine 10, for a machine whose own Wine is older:
#   sudo test/windows/make-wine.sh [FOLDER]
# Wine 8 of Debian 12 cannot run Node 24: V8, the loopback network and HID fail there.
set -euo pipefail
folder=${1:-/var/lib/tillgate-wine}
if [ "$(id -u)" -ne 0 ]; then echo "Run this as root: debootstrap and chroot require it." >&2; exit 1; fi
if [ -x "$folder/usr/lib/wine/wine64" ]; then echo "$folder already exists."; exit 0; fi
if ! command -v debootstrap > /dev/null; then apt-get install --yes --no-install-recommends debootstrap; fi
debootstrap --variant=minbase trixie "$folder"
# Windows programs look up this name too.
grep -qs localhost "$folder/etc/hosts" || echo '127.0.0.1 localhost' >> "$folder/etc/hosts"
chroot "$folder" apt-get install --yes --no-install-recommends wine wine64
echo "$folder is ready: npm run test:windows -- --wine $folder"
