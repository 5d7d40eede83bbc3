import CoreBluetooth
import Foundation
import WristbandApp

// Finds the band, counts steps with it, tells it to vibrate and lets it go. Nothing here is about Linux: which radio is
// used is said by the environment, for example HALCYON_RADIO=virtual:scene.json.

let manager = WristbandManager(sendingTo: "FF02")
var steps = 0

manager.onSighting = { device, strength in
  guard device.name == "Band" else { return }
  print("found \(device.name ?? "?")")
  manager.endScan()
  manager.connect(device) { print("connect: \($0)") }
}

manager.onTarget = { target in print("can send to \(target.uuid)") }

manager.onValue = { characteristic, value in
  guard characteristic.uuid == CBUUID(string: "FF01") else {
    return print("\(characteristic.uuid): \(value.map { String($0) }.joined(separator: " "))")
  }
  steps += 1
  print("steps: \(value.first ?? 0)")
  guard steps == 3, let device = manager.current else { return }
  print("vibrate: \(manager.send(Data([2])) ? "sent" : "no room")")
  manager.disconnect(device)
}

let observer = NotificationCenter.default.addObserver(
  forName: WristbandManager.didDisconnect,
  object: nil,
  queue: nil
) { _ in
  print("the band is gone")
  exit(0)
}

let availability = manager.beginScan()
if !availability.isAvailable {
  print(availability.reason)
  exit(1)
}
DispatchQueue.main.asyncAfter(deadline: .now() + 60) {
  print("no band for a minute: \(manager.availability.reason)")
  exit(1)
}
withExtendedLifetime(observer) { dispatchMain() }
