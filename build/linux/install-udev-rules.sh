#!/bin/sh
# Lets sales staff use the payment terminals of this machine, and keeps other programs away from the terminals:
# installs the udev rules, creates the group "tillgate", and adds a user to it and to the group of serial ports.
#
#   sudo build/linux/install-udev-rules.sh             for the user who calls sudo
#   sudo build/linux/install-udev-rules.sh --user anna for another user
#   build/linux/install-udev-rules.sh --dry-run        prints what it would do, and does nothing
#   sudo build/linux/install-udev-rules.sh --remove    removes the rules; the group and its members stay
#
# --root DIR works on a system in a folder (images, tests): it writes files only, changes no groups and reloads nothing.
# The script can be run again at any time.
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
[ -f "$here/$name" ] || fail "The rules file $here/$name is missing."
if [ "$dry" = no ] && [ -z "$root" ] && [ "$(id -u)" -ne 0 ]; then
  fail "Administrator rights are needed: sudo $0"
fi

# Runs a command, or prints it in a dry run.
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
    echo 'udevadm is not installed: unplug the terminals and plug them in again, or restart the machine.'
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
    *" $1 "*) echo "$user is already in the group $1." ;;
    *)
      run usermod -aG "$1" "$user"
      [ "$dry" = yes ] || echo "Added $user to the group $1. It takes effect at the next login."
      ;;
  esac
}

if [ -z "$root" ]; then
  getent group "$group" >/dev/null 2>&1 || run groupadd --system "$group"
  if [ -z "$user" ] || [ "$user" = root ]; then
    echo 'No user was given. Name the user who needs the terminals with --user.'
  else
    id "$user" >/dev/null 2>&1 || fail "There is no user $user."
    add_to "$group"
    # For serial terminals whose manufacturers publish no USB ids.
    if getent group dialout >/dev/null 2>&1; then add_to dialout; else add_to uucp; fi
  fi
fi

if [ -e "$target" ] && cmp -s "$here/$name" "$target"; then
  echo "The rules are already installed: $target"
else
  run mkdir -p "$(dirname -- "$target")"
  # Moved into place whole, because udev may read the file at any moment.
  run cp "$here/$name" "$target.new"
  run chmod 0644 "$target.new"
  run mv "$target.new" "$target"
  [ "$dry" = yes ] || echo "Installed $target."
fi
reload
[ "$dry" = yes ] || echo 'Unplug the terminals and plug them in again.'
