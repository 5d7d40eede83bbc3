import BandKit
import CoreBluetooth

let reader = BandReader(
  report: { print($0) },
  finish: { error in
    if let error = error as NSError? { print("failed: \(error.domain) \(error.code)") }
    exit(error == nil ? 0 : 1)
  }
)
// If nothing happens.
DispatchQueue.main.asyncAfter(deadline: .now() + 120) { exit(2) }
withExtendedLifetime(reader) { RunLoop.main.run() }
