#!/usr/bin/env bash
# Becomes the first process of a machine of its own: called in fresh namespaces by tests/boot/machine.py.
# inside.sh FOLDER CHECKOUT PYTHON: FOLDER/disk keeps what the machine writes, the rest of its disk is ours, unchanged.
set -euo pipefail
folder=$1 checkout=$2 python=$3
root=$folder/root

mount --make-rprivate /
mkdir -p "$folder/disk" "$folder/work" "$root"
mount -t overlay overlay -o "lowerdir=/,upperdir=$folder/disk,workdir=$folder/work" "$root"
mount -t proc proc "$root/proc"
mount -t sysfs sysfs "$root/sys" -o ro 2>/dev/null || mount --bind /sys "$root/sys"
mount -t tmpfs tmpfs "$root/sys/fs/cgroup" 2>/dev/null || true
mount -t cgroup2 cgroup2 "$root/sys/fs/cgroup"
mount -t tmpfs tmpfs "$root/run"
mount -t tmpfs tmpfs "$root/tmp"
mount -t tmpfs tmpfs "$root/dev"
for node in null zero full random urandom tty; do
    touch "$root/dev/$node"
    mount --bind "/dev/$node" "$root/dev/$node"
done
mkdir -p "$root/dev/pts" "$root/dev/shm"
mount -t devpts devpts "$root/dev/pts" -o newinstance,ptmxmode=0666,mode=0620
ln -sf pts/ptmx "$root/dev/ptmx"
mount -t tmpfs tmpfs "$root/dev/shm" -o mode=1777

# the user heed must get to the checkout and its Python, wherever they are
for path in "$checkout" "$python"; do
    while [[ $path != / ]]; do
        chmod o+rX "$root$path"
        path=$(dirname "$path")
    done
done

# a disk of a few megabytes for what heed keeps, which a test can fill; it outlives the machine
mkdir -p "$root/var/lib/heed"
mount --bind "$folder/state" "$root/var/lib/heed"

mkdir -p "$root/run/systemd/system"
cat >"$root/run/systemd/system/boot-test.target" <<'END'
[Unit]
Description=as little as needed
Requires=basic.target dbus.service
Wants=heed.service heed-hw.service
After=basic.target dbus.service
END
for unit in systemd-udevd.service systemd-udev-trigger.service systemd-logind.service systemd-resolved.service \
    systemd-networkd.service systemd-timesyncd.service getty.target console-getty.service sys-kernel-debug.mount \
    sys-kernel-tracing.mount sys-kernel-config.mount dev-hugepages.mount dev-mqueue.mount systemd-remount-fs.service \
    systemd-modules-load.service systemd-sysctl.service systemd-random-seed.service systemd-binfmt.service \
    proc-sys-fs-binfmt_misc.automount e2scrub_reap.service apt-daily.timer apt-daily-upgrade.timer; do
    ln -sf /dev/null "$root/run/systemd/system/$unit"
done
: >"$root/etc/fstab"
uuidgen -r 2>/dev/null | tr -d - >"$root/etc/machine-id" || true
export container=unshare
exec chroot "$root" /lib/systemd/systemd --system --unit=boot-test.target --log-level=warning --log-target=journal
