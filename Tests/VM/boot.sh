# Lays a file system of memory over the host's root, and changes into it: what is written there is gone with the machine.
root=/up/root
mount -t tmpfs -o size=75% up /up
mkdir /up/upper /up/work $root
mount -t overlay -o lowerdir=/low,upperdir=/up/upper,workdir=/up/work overlay $root
mkdir -p $root/job
mount -t proc proc $root/proc
mount -t sysfs sys $root/sys
mount -t devtmpfs dev $root/dev
ln -s /proc/self/fd $root/dev/fd
for stream in 0:stdin 1:stdout 2:stderr; do ln -s /proc/self/fd/${stream%:*} $root/dev/${stream#*:}; done
for folder in dev/shm run var/lib/bluetooth; do
  mkdir -p $root/$folder
  mount -t tmpfs tmp $root/$folder
done
mount -o bind /job $root/job
ip link set lo up
hostname vm
chroot $root /bin/bash "$(cat /job/guest)"
sync
poweroff -f
