# In the machine, with the host's root: starts the system bus and runs the command.
. /job/task
export LANG=C.UTF-8 HALCYON_VM_CACHE=$cache
exec >/dev/hvc0 2>&1 </dev/null
stty raw -F /dev/hvc0
mkdir -p /run/dbus /etc/dbus-1/system.d /etc/bluetooth
cp "$cache/packages/etc/dbus-1/system.d/bluetooth.conf" /etc/dbus-1/system.d/
cp "$cache"/packages/etc/bluetooth/*.conf /etc/bluetooth/
dbus-daemon --system --fork --nopidfile 2>/job/dbus.log
cd "$folder" && "${command[@]}"
echo $? >/job/status
