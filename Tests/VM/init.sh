#!/bin/busybox sh
# The first program of the machine: loads the modules, mounts what the host shares, and goes on with what it says there.
/bin/busybox --install -s /bin
export PATH=/bin
mkdir -p /proc /sys /dev /up /low /job
mount -t proc proc /proc
mount -t sysfs sys /sys
mount -t devtmpfs dev /dev
while read -r module; do insmod "$module"; done </modules
options=trans=virtio,version=9p2000.L,msize=512000
mount -t 9p -o ro,cache=loose,$options root /low
mount -t 9p -o $options job /job
exec sh /job/boot.sh
