#!/bin/sh
# Lets people who sell use the payment terminals of this machine, and keeps other programs' hands off them:
# installs the udev rules, makes the group "tillgate", and puts a user into it and into the group of serial ports.
#
#   sudo build/linux/install-udev-rules.sh             for the user who calls sudo
#   sudo build/linux/install-udev-rules.sh --user anna for another one
#   build/linux/install-udev-rules.sh --dry-run        says what it would do, and does nothing
#   sudo build/linux/install-udev-rules.sh --remove    takes the rules away; group and members stay
#
# --root DIR works on a system in a folder (images, tests): files only, no groups, nothing is reloaded.
# It may be run again at any time.
set -eu

here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
name=70-tillgate-terminals.rules
group=tillgate
user=${SUDO_USER:-}
root=
dry=no
remove=no

fail() {
  echo "$1" >&2
  exit 2
}

usage() {
  sed -n '2,/^set -eu/s/^# \{0,1\}//p' "$0"
  exit 0
}

while [ $# -gt 0 ]; do
  case $1 in
    --dry-run) dry=yes ;;
    --remove) remove=yes ;;
    --user) [ $# -gt 1 ] || fail '--user needs a name.'; user=$2; shift ;;
    --root) [ $# -gt 1 ] || fail '--root needs a folder.'; root=${2%/}; shift
      [ -d "$root" ] || fail "There is no folder $root." ;;
    --help | -h) usage ;;
    *) fail "There is no option $1. Try --help." ;;
  esac
  shift
done

target=$root/etc/udev/rules.d/$name
[ -f "$here/$name" ] || fail "The rules $here/$name are not beside this script."
if [ "$dry" = no ] && [ -z "$root" ] && [ "$(id -u)" -ne 0 ]; then
  fail "Only the administrator may do this: sudo $0"
fi

# Does it, or says that it would.
run() {
  if [ "$dry" = yes ]; then
    echo "would run: $*"
  else
    "$@"
  fi
}

reload() {
  [ -z "$root" ] || return 0
  if ! command -v udevadm >/dev/null 2>&1; then
    echo 'There is no udevadm here: plug the terminals in anew, or restart the machine.'
    return 0
  fi
  run udevadm control --reload-rules
  for subsystem in hidraw tty usb; do
    run udevadm trigger --action=change --subsystem-match="$subsystem"
  done
}

if [ "$remove" = yes ]; then
  if [ ! -e "$target" ]; then
    echo "The rules are not installed: $target"
    exit 0
  fi
  run rm -f "$target"
  reload
  [ "$dry" = yes ] || echo "Removed $target. The group $group and its members stay."
  exit 0
fi

add_to() {
  getent group "$1" >/dev/null 2>&1 || [ "$1" = "$group" ] || return 0
  case " $(id -nG "$user") " in
    *" $1 "*) echo "$user is in the group $1 already." ;;
    *)
      run usermod -aG "$1" "$user"
      [ "$dry" = yes ] || echo "$user is in the group $1 now, from the next login on."
      ;;
  esac
}

if [ -z "$root" ]; then
  getent group "$group" >/dev/null 2>&1 || run groupadd --system "$group"
  if [ -z "$user" ] || [ "$user" = root ]; then
    echo 'No user was named: give one with --user, so that he may use the terminals.'
  else
    id "$user" >/dev/null 2>&1 || fail "There is no user $user."
    add_to "$group"
    # Serial terminals whose makers publish no USB ids.
    if getent group dialout >/dev/null 2>&1; then add_to dialout; else add_to uucp; fi
  fi
fi

if [ -e "$target" ] && cmp -s "$here/$name" "$target"; then
  echo "The rules are installed already: $target"
else
  run mkdir -p "$(dirname -- "$target")"
  # Whole or not at all: udev may read at any moment.
  run cp "$here/$name" "$target.new"
  run chmod 0644 "$target.new"
  run mv "$target.new" "$target"
  [ "$dry" = yes ] || echo "Installed $target."
fi
reload
[ "$dry" = yes ] || echo 'Plug the terminals in anew.'
