#!/usr/bin/env bash
# Our controllers under hosts that we did not write, and our host on controllers that we did not write: for the machine.
#
#   scenarios.sh HALCYON [SCENARIO...]
#
# Prints the lines of each scenario, its name in front, and then “NAME: end STATUS”.
. "$(dirname "$0")/bluez.sh"
kit=$(dirname "$0") halcyon=$1
shift

# The kernel's host and bluetoothd as a central on our controller, which meets our virtual devices.
kernel-central() {
  start air.log "$halcyon" air --vhci --devices demo --seed 1 "$@"
  start_bluetoothd
  wait_for "adapter hci0" power hci0 true || return
  timeout 90 "$python" "$kit/central.py"
}

# The same without extended advertising, so by the legacy commands.
kernel-central-legacy() { kernel-central --legacy; }

# The kernel's host and bluetoothd come back to a device of ours whose database is as it was: counted by the kernel's record.
kernel-again() {
  start air.log "$halcyon" air --vhci --devices demo --seed 1
  start monitor.log "$python" "$kit/monitor.py" 0
  start_bluetoothd
  wait_for "adapter hci0" power hci0 true || return
  timeout 90 "$python" "$kit/central.py" --again Pulse
  local result=$?
  cat /job/monitor.log
  return $result
}

# bluetoothd as a peripheral on our controller; our central is another program on the same air.
kernel-peripheral() {
  start air.log "$halcyon" air --vhci --listen 127.0.0.1:7001 "$@"
  start_bluetoothd
  wait_for "adapter hci0" power hci0 true || return
  serve || return
  visit hci:tcp:127.0.0.1:7001
}

kernel-peripheral-legacy() { kernel-peripheral --legacy; }

# Our host on BlueZ's virtual controller, by a socket, and bluetoothd as a peripheral on another of its controllers.
btvirt() {
  start_btvirt -L -l1 -s
  start_bluetoothd
  wait_for "adapter hci0" power hci0 true || return
  wait_for "socket of btvirt" test -S /tmp/bt-server-le || return
  serve || return
  visit hci:unix:/tmp/bt-server-le "$@"
}

# Our host comes back to bluetoothd's server, whose database is as it was; the kernel's record at the server's end counts.
btvirt-again() {
  start monitor.log "$python" "$kit/monitor.py" 0
  btvirt --again 1
  local result=$?
  cat /job/monitor.log
  return $result
}

# Our host as a sensor on BlueZ's virtual controller; the kernel and bluetoothd, on another, are the central.
btvirt-central() {
  start_btvirt -L -l1 -s
  start_bluetoothd
  wait_for "adapter hci0" power hci0 true || return
  wait_for "socket of btvirt" test -S /tmp/bt-server-le || return
  start sensor.log "$halcyon" sensor --radio hci:unix:/tmp/bt-server-le --name Belt
  wait_for "sensor of ours" grep -q found /job/sensor.log || { cat /job/sensor.log; return 1; }
  timeout 90 "$python" "$kit/central.py" --sensor Belt
  local result=$?
  cat /job/sensor.log
  return $result
}

# Our host on an adapter of the kernel, taken over from the kernel's own host.
user-channel() {
  start_btvirt -L -l2
  start_bluetoothd
  wait_for "adapter hci0" power hci0 true || return
  wait_for "adapter hci1" power hci1 true || return
  serve || return
  timeout 20 "$halcyon" demo --radio hci:user:1 && return 1
  power hci1 false >/dev/null
  visit hci:user:1
}

# The kernel as no more than a pipe: our host at one end, our controller and devices at the other.
kernel-between() {
  start air.log "$halcyon" air --vhci --devices demo --seed 1
  wait_for "adapter hci0" test -e /sys/class/bluetooth/hci0 || return
  timeout 60 "$halcyon" demo --radio hci:user:0
}

# visit RADIO [OPTION...]: our central does its work with the sensor that is in range.
visit() {
  timeout 60 "$halcyon" demo --radio "$@"
  local result=$?
  cat /job/peripheral.log
  return $result
}

# Serves heart rate from hci0.
serve() {
  start peripheral.log "$python" "$kit/peripheral.py"
  wait_for "server of BlueZ" grep -q advertising /job/peripheral.log || { cat /job/peripheral.log; return 1; }
}

[ $# -gt 0 ] || set -- kernel-central kernel-central-legacy kernel-again kernel-peripheral kernel-peripheral-legacy \
  btvirt btvirt-again btvirt-central user-channel kernel-between
for scenario in "$@"; do
  mkdir -p "/job/$scenario"
  dmesg -C
  start btmon.log "$bluez/bin/btmon"
  "$scenario" >"/job/$scenario/lines" 2>&1
  status=$?
  end_all
  # What the kernel has to complain of in our adapters.
  dmesg | sed -n 's/.*Bluetooth: \(hci[0-9]*: .*\)/kernel \1/p' >>"/job/$scenario/lines"
  sed "s/^/$scenario: /" "/job/$scenario/lines"
  echo "$scenario: end $status"
  mv /job/*.log "/job/$scenario/" 2>/dev/null
done
exit 0
