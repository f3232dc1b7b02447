#!/bin/sh
# Makes the kernel and the initial RAM disk of the virtual machines of kairo-sandbox-microvm.
#
# usage: make-image.sh DIRECTORY [KERNEL_PACKAGE]
#
# DIRECTORY gets the files "vmlinuz" and "initrd", which kairo.sandbox.microvm.kernel and kairo.sandbox.microvm.initrd
# name. The kernel, with the few modules that the machines need, is that of the Debian package KERNEL_PACKAGE, a file;
# without it, of the current linux-image-cloud-amd64 of the sources of apt, which is downloaded and not installed. The
# only program of the initial RAM disk is agent.c, which lies beside this script. The same package and the same compiler
# make the same files.
#
# Needs no privileges. On Debian: apt-get install gcc libc6-dev cpio dpkg
set -eu

[ $# -ge 1 ] && [ $# -le 2 ] || { sed -n '2,4s/^# \{0,1\}//p' "$0" >&2; exit 2; }
for program in cc cpio dpkg-deb; do
	command -v "$program" > /dev/null || { echo "There is no program $program: install gcc, libc6-dev, cpio and dpkg" >&2; exit 1; }
done

here=$(CDPATH='' cd "$(dirname "$0")" && pwd)
mkdir -p "$1"
target=$(cd "$1" && pwd)
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
package=${2:-}
if [ -z "$package" ]; then
	newest=$(apt-cache depends linux-image-cloud-amd64 | sed -n 's/^ *Depends: \(linux-image-[0-9].*\)/\1/p' | head -n 1)
	[ -n "$newest" ] || { echo "apt knows no linux-image-cloud-amd64: name the file of a kernel package" >&2; exit 1; }
	(cd "$scratch" && apt-get download -qq "$newest" > /dev/null 2>&1) || { echo "$newest could not be downloaded" >&2; exit 1; }
	package=$(echo "$scratch"/*.deb)
fi

dpkg-deb -x "$package" "$scratch/package"
root=$scratch/root
mkdir -p "$root/modules"
cc -std=gnu11 -O2 -Wall -Wextra -Werror -static -s -o "$root/init" "$here/agent.c"

# in the order in which they are loaded
for module in virtio_ring virtio virtio_mmio fuse virtiofs virtio_console; do
	file=$(find "$scratch/package/lib/modules" -name "$module.ko*")
	case $file in
		*.ko) cp "$file" "$root/modules/$module.ko" ;;
		*.ko.xz) xz -dc "$file" > "$root/modules/$module.ko" ;;
		*) echo "The package has no module $module" >&2; exit 1 ;;
	esac
	echo "$module.ko" >> "$root/modules/order"
done

find "$root" -exec touch -h -d @0 {} +
(cd "$root" && find . | LC_ALL=C sort | cpio --quiet -o -H newc --reproducible -R 0:0) > "$scratch/initrd"
cp "$scratch"/package/boot/vmlinuz-* "$scratch/vmlinuz"
# one rename each, as machines may be started meanwhile
for file in vmlinuz initrd; do
	chmod 644 "$scratch/$file"
	cp -p "$scratch/$file" "$target/.$file.new"
	mv "$target/.$file.new" "$target/$file"
done
(cd "$target" && sha256sum vmlinuz initrd)
