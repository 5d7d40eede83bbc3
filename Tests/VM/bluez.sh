# What scenarios do with BlueZ in the machine. Sourced, not run.
. /job/task
python=$cache/venv/bin/python
bluez=$cache/packages/usr

# wait_for WHAT COMMAND...: tries a command until it succeeds, for a minute.
wait_for() {
  local what=$1 left=600
  shift
  until "$@" >/dev/null 2>&1; do
    left=$((left - 1))
    [ $left -gt 0 ] || { echo "no $what"; return 1; }
    sleep 0.1
  done
}

# power hciN true|false: switches an adapter of bluetoothd.
power() {
  dbus-send --system --print-reply --dest=org.bluez "/org/bluez/$1" org.freedesktop.DBus.Properties.Set \
    string:org.bluez.Adapter1 string:Powered "variant:boolean:$2"
}

# start LOG COMMAND...: runs a program in the background, its words in /job/LOG. end_all ends it.
started=()
start() {
  local log=/job/$1
  shift
  "$@" >"$log" 2>&1 &
  started+=($!)
}

# end_all: ends what was started, the last first.
end_all() {
  local index
  for ((index = ${#started[@]} - 1; index >= 0; index--)); do
    kill "${started[index]}" 2>/dev/null || continue
    wait "${started[index]}" 2>/dev/null
  done
  started=()
}

start_bluetoothd() { start bluetoothd.log "$bluez/libexec/bluetooth/bluetoothd" -n; }
start_btvirt() {
  rm -f /tmp/bt-server-*
  start btvirt.log "$bluez/bin/btvirt" "$@"
}
