#!/usr/bin/env bash
# Makes a folder with Debian 13 and its Wine 10 in it, for a machine whose own Wine is older:
#   sudo test/windows/make-wine.sh [FOLDER]
# Wine 8, which Debian 12 has, cannot run Node 24: V8, the loopback network and HID fail there.
set -euo pipefail
folder=${1:-/var/lib/tillgate-wine}
if [ "$(id -u)" -ne 0 ]; then echo "As root, please: debootstrap and chroot ask for it." >&2; exit 1; fi
if [ -x "$folder/usr/lib/wine/wine64" ]; then echo "$folder is there already."; exit 0; fi
if ! command -v debootstrap > /dev/null; then apt-get install --yes --no-install-recommends debootstrap; fi
debootstrap --variant=minbase trixie "$folder"
# Programs of Windows ask for this name, too.
grep -qs localhost "$folder/etc/hosts" || echo '127.0.0.1 localhost' >> "$folder/etc/hosts"
chroot "$folder" apt-get install --yes --no-install-recommends wine wine64
echo "$folder is ready: npm run test:windows -- --wine $folder"
