import BluetoothTypes
import HCITransport
import HostStack
import RadioPort

/// The packets of a radio, written to a btsnoop file as they pass.
package final class RadioCapture: Sendable {
  private let file: CaptureFile

  private init(_ file: CaptureFile) { self.file = file }

  /// Makes the file, or empties the one that is there, and writes to it what passes between the radio and its
  /// controller from now on; in front of it, with their own times, the packets by which the controller was started, without
  /// which what follows says less.
  ///
  /// - Returns: The capture, and what names the observation; ending that ends the writing.
  /// - Throws: `.unsupported` if the radio does not show its packets, and then no file is touched; `.fileFailed`.
  package static func begin(
    on radio: isolated some BasicRadio,
    path: String
  ) throws(RadioFailure) -> (RadioCapture, RadioObservation) {
    // Asked before the file is emptied.
    radio.endObservation(try radio.observePackets { _ in })
    let file: CaptureFile
    do {
      file = try CaptureFile(path: path, unixTimeOfStart: radio.executor.unixTimeOfStart)
    } catch {
      throw RadioFailure(error)
    }
    if let host = radio as? HostRadio {
      for packet in host.assumeIsolated({ $0.startPackets }) {
        file.add(packet.packet, packet.direction, time: packet.time.sinceStart)
      }
    }
    let observation = try radio.observePackets { packet in
      file.add(packet.packet, packet.direction, time: packet.time.sinceStart)
    }
    return (RadioCapture(file), observation)
  }

  /// How many packets the file holds.
  package var packetCount: Int { file.packetCount }

  /// Why nothing is written any more, if that was not asked for.
  package var failure: RadioFailure? { file.failure.map { RadioFailure($0) } }

  /// Closes the file.
  package func close() { file.close() }
}

extension RadioFailure {
  init(_ error: CaptureFileError) {
    self.init(
      .fileFailed,
      underlying: .platform(domain: "POSIX", code: Int(error.code)),
      reason: error.description
    )
  }
}
