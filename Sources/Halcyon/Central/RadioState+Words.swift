import RadioPort

extension RadioState {
  /// Whether Bluetooth can be used.
  public var isPoweredOn: Bool { power == .poweredOn }

  /// The state and the reason for it, for a person to read.
  public func message(in language: Language = .english) -> String {
    let because = reason.map { $0.hasSuffix(".") ? String($0.dropLast()) : $0 }
    return switch language {
    case .english: "\(english)\(because.map { " (\($0))" } ?? "").\(englishAdvice.map { " \($0)" } ?? "")"
    case .simplifiedChinese: "\(chinese)\(because.map { "（\($0)）" } ?? "")。\(chineseAdvice ?? "")"
    }
  }

  private var english: String {
    switch power {
    case .unknown: "It is not known yet whether Bluetooth can be used"
    case .resetting: "Bluetooth is being started again"
    case .unsupported: "There is no Bluetooth Low Energy here"
    case .unauthorized: "This program may not use Bluetooth"
    case .poweredOff: "Bluetooth is off"
    case .poweredOn: "Bluetooth is on"
    }
  }

  private var englishAdvice: String? {
    switch power {
    case .unknown, .resetting: "Wait a moment."
    case .unsupported: reason == nil ? "Use a machine with an adapter." : nil
    case .unauthorized: "Allow it in the system's settings."
    case .poweredOff: reason == nil ? "Switch it on." : nil
    case .poweredOn: nil
    }
  }

  private var chinese: String {
    switch power {
    case .unknown: "尚不清楚蓝牙是否可用"
    case .resetting: "蓝牙正在重新启动"
    case .unsupported: "此处没有低功耗蓝牙"
    case .unauthorized: "本程序无权使用蓝牙"
    case .poweredOff: "蓝牙已关闭"
    case .poweredOn: "蓝牙已打开"
    }
  }

  private var chineseAdvice: String? {
    switch power {
    case .unknown, .resetting: "请稍候。"
    case .unsupported: reason == nil ? "请使用带有适配器的设备。" : nil
    case .unauthorized: "请在系统设置中允许。"
    case .poweredOff: reason == nil ? "请打开蓝牙。" : nil
    case .poweredOn: nil
    }
  }
}
