# Makes what script/vm needs, from packages of Debian and PyPI. Sourced, not run.

# Made anew when this changes.
vm_recipe=1

is_prepared() { [ -e "$1/ready-$vm_recipe" ]; }

# prepare FOLDER: makes there, once, a kernel, a first file system with the kernel's modules, BlueZ, and a Python with
# bleak and bless. Fails, and says why and what to do, where that can not be.
prepare() {
  local folder=$1
  is_prepared "$folder" && return
  if [ "$(uname -s)-$(uname -m)" != Linux-x86_64 ] || ! command -v apt-get >/dev/null; then
    printf 'No virtual machine: its recipe is for Debian on x86-64.\n' >&2
    return 1
  fi
  printf 'Making a virtual machine with Bluetooth in %s …\n' "$folder" >&2
  rm -rf "$folder"
  mkdir -p "$folder"
  # Not as a condition: there “set -e” would have no effect.
  local status=0
  set +e
  (
    set -e
    install_packages
    make_machine "$folder"
  ) >"$folder/log" 2>&1
  status=$?
  set -e
  if [ "$status" != 0 ]; then
    tail -n 5 "$folder/log" >&2
    printf 'No virtual machine: it can not be made; all of what was said is in %s/log.\n' "$folder" >&2
    return 1
  fi
  touch "$folder/ready-$vm_recipe"
}

# The packages that must be installed: the emulator, what makes the first file system, the system bus, and the libraries
# of BlueZ, whose names differ between releases. BlueZ itself is only unpacked, for no daemon is to be left on this machine.
install_packages() {
  local missing=() package
  [ "$(id -u)" != 0 ] || apt-get update
  for package in qemu-system-x86 cpio dbus python3-venv \
    $(apt-cache depends bluez bluez-test-tools | sed -n 's/^ *Depends: \(lib[^ ]*\)$/\1/p' | sort -u); do
    dpkg-query -W -f '${Status}' "$package" 2>/dev/null | grep -q 'ok installed' || missing+=("$package")
  done
  [ "${#missing[@]}" -gt 0 ] || return 0
  if [ "$(id -u)" != 0 ]; then
    printf 'Packages are missing. Install them, as root, and run this again:\n'
    printf '  apt-get update && apt-get install --no-install-recommends %s\n' "${missing[*]}"
    return 1
  fi
  DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends "${missing[@]}"
}

# fetch FOLDER PACKAGE...: downloads packages and unpacks them there.
fetch() {
  local target=$1 debs
  shift
  debs=$(mktemp -d)
  (cd "$debs" && apt-get -o APT::Sandbox::User=root download "$@")
  mkdir -p "$target"
  for package in "$debs"/*.deb; do dpkg -x "$package" "$target"; done
  rm -rf "$debs"
}

make_machine() {
  local folder=$1 linux
  fetch "$folder/packages" bluez bluez-test-tools busybox-static
  python3 -m venv "$folder/venv"
  "$folder/venv/bin/pip" install --disable-pip-version-check bleak==3.1.0 bless==0.3.0
  # The package without “cloud”, which has neither Bluetooth nor 9p.
  linux=$(apt-cache depends linux-image-amd64 | sed -n 's/^ *Depends: \(linux-image-[0-9].*\)/\1/p' | head -n 1)
  fetch "$folder/linux" "$linux"
  cp "$folder"/linux/boot/vmlinuz-* "$folder/vmlinuz"
  make_first_files "$folder" "$folder/packages/bin/busybox"
  rm -rf "$folder/linux"
}

# The first file system: BusyBox, and the modules that lead to the real root and to Bluetooth, with what they depend on.
make_first_files() {
  local folder=$1 busybox=$2 files version module path
  files=$(mktemp -d)
  version=$(ls "$folder/linux/lib/modules")
  "$busybox" depmod -b "$folder/linux" "$version"
  local modules=$folder/linux/lib/modules/$version
  declare -A added=()
  add() {
    [ -z "${added[$1]:-}" ] || return 0
    added[$1]=1
    local needed
    for needed in $(sed -n "s|^$1: *||p" "$modules/modules.dep"); do add "$needed"; done
    cp "$modules/$1" "$files/"
    # BusyBox loads no packed modules, which later releases of Debian have.
    [ "${1##*.}" != xz ] || xz -d "$files/${1##*/}"
    needed=${1##*/}
    printf '/%s\n' "${needed%.xz}" >>"$files/modules"
  }
  for module in virtio_pci virtio_console 9pnet_virtio 9p overlay hci_vhci uhid algif_hash algif_skcipher cmac ecb; do
    path=$(sed -n "s|^\([^:]*/$module\.ko[^:]*\):.*|\1|p" "$modules/modules.dep")
    # What is not there is a part of the kernel.
    [ -z "$path" ] || add "$path"
  done
  mkdir "$files/bin"
  cp "$busybox" "$files/bin/"
  cp "$kit/init.sh" "$files/init"
  chmod +x "$files/init"
  (cd "$files" && find . | cpio -o -H newc --quiet | gzip -1) >"$folder/initrd.gz"
  rm -rf "$files"
}
