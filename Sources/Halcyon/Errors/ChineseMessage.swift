import BluetoothTypes

/// The message of an error in Simplified Chinese.
struct ChineseMessage {
  let error: BluetoothError

  init(_ error: BluetoothError) { self.error = error }

  var text: String {
    let because = error.cause.map { "（\($0)）" } ?? ""
    return "无法\(action)：\(reason)\(because)。\(advice)"
  }

  private var device: String {
    let kind = error.operation.isOfServer ? "中心设备" : "设备"
    guard let peripheral = error.peripheral else { return kind }
    return peripheral.name.map { "“\($0)”（\(peripheral.id)）" } ?? "\(kind) \(peripheral.id) "
  }

  private func describe(_ characteristic: Characteristic<[UInt8]>) -> String {
    "服务 \(characteristic.service) 的特征 \(characteristic.uuid)"
      + (characteristic.handle.map { "（句柄 \($0)）" } ?? "")
  }

  private var channel: String { error.psm.map { "通道 \($0) " } ?? "通道" }

  private var action: String {
    let characteristic = error.characteristic.map(describe) ?? "特征"
    return switch error.operation {
    case .ready: "使用蓝牙"
    case .scan: "扫描设备"
    case .connect: "连接\(device)"
    case .setUp: "对与\(device)的连接进行初始化"
    case .retrieve: "查找已知的设备"
    case .connection: "保持与\(device)的连接"
    case .discover: "发现\(device)提供的服务"
    case .read: "读取\(device)上\(characteristic)"
    case .write: "写入\(device)上\(characteristic)"
    case .readDescriptor: "读取\(device)上\(characteristic)的描述符"
    case .writeDescriptor: "写入\(device)上\(characteristic)的描述符"
    case .endConnection: "断开与\(device)的连接"
    case .subscribe: "接收\(device)上\(characteristic)的值"
    case .request: "向\(device)上\(characteristic)发送命令并获得应答"
    case .receive: "接收所有到来的数据"
    case .capture: "将收发的数据包写入文件"
    case .startServer: "启动外设服务"
    case .serve: "向\(device)提供\(error.characteristic.map(describe) ?? "服务")"
    case .advertise: "广播"
    case .send: "向\(device)发送\(characteristic)的值"
    case .setValue: "更改\(characteristic)的值"
    case .disconnect: "断开与\(device)的连接"
    case .openChannel: "打开通往\(device)的\(channel)"
    case .publishChannel: "发布\(channel)"
    case .sendOnChannel: "经\(channel)向\(device)发送"
    case .receiveOnChannel: "经\(channel)从\(device)接收"
    case .closeChannel: "关闭通往\(device)的\(channel)"
    case .requestLatency: "更改与\(device)的连接延迟"
    case .readRSSI: "测量\(device)的信号强度"
    default: "对\(device)执行“\(error.operation)”"
    }
  }

  private var reason: String {
    switch (error.kind, error.detail) {
    case (.poweredOff, _): "蓝牙已关闭"
    case (.unauthorized, _): "本程序无权使用蓝牙"
    case (.unsupported, _): "此处不支持该操作"
    case (.timedOut, .time(let duration)): "用时超过 \(duration.secondsText) 秒"
    case (.timedOut, _): "设备未在协议规定的时间内应答"
    case (.notFound, _): "扫描结束前没有发现符合条件的设备"
    case (.notConnected, _): "尚未连接"
    case (.disconnected, .releasedLocally): "本程序已断开连接"
    case (.disconnected, _): "连接已丢失"
    case (.connectionFailed, _): "连接未能建立"
    case (.setUpFailed, _): "程序自身的初始化失败"
    case (.serviceNotFound, _): "设备没有该服务"
    case (.characteristicNotFound, .outdated): "它是在先前的连接中发现的，现已不存在"
    case (.characteristicNotFound, .undeclared): "服务的声明中没有该特征"
    case (.characteristicNotFound, _): "服务中没有该特征"
    case (.descriptorNotFound, .outdated): "它是在之前的连接中发现的，现已不存在"
    case (.descriptorNotFound, _): "该特征没有这样的描述符"
    case (.ambiguous, .count(let count)): "该名称对应 \(count) 个特征"
    case (.ambiguous, _):
      "该名称对应 \(error.choices.count) 个特征：" + error.choices.map(describe).joined(separator: "、")
    case (.notPermitted, .allowed(let properties)):
      "它只允许：\(properties.names.isEmpty ? "无" : properties.names.joined(separator: "、"))"
    case (.notPermitted, .subscription): "该描述符由订阅管理"
    case (.notPermitted, _): "该特征不允许此操作"
    case (.tooLong, .length(let length, let maximum)) where error.operation == .sendOnChannel:
      "消息有 \(length) 字节，最多允许 \(maximum) 字节"
    case (.tooLong, .length(let length, let maximum)): "值有 \(length) 字节，最多允许 \(maximum) 字节"
    case (.tooLong, _): "值过长"
    case (.empty, _): "\(error.operation == .sendOnChannel ? "消息" : "值")没有任何字节"
    case (.undecodable, .count(let count)): "收到的 \(count) 字节不能构成该类型的值"
    case (.undecodable, _): "收到的字节不能构成该类型的值"
    case (.overflow, .count(let count)): "已有 \(count) 个值在等待，缓冲区已满"
    case (.overflow, _): "缓冲区已满"
    case (.busy, _): "无线电暂时无法再接受此类操作"
    case (.protocolViolation, _): "设备发送的数据违反协议"
    case (.controller, _): "蓝牙控制器拒绝了请求"
    case (.invalidArgument, _) where error.operation == .publishChannel: "该 PSM 不能发布"
    case (.invalidArgument, _): error.operation.isOfServer ? "声明有误" : "参数之间有矛盾"
    case (.fileFailed, _): "文件无法使用"
    case (.refused, _): "对方拒绝了请求"
    case (.notSubscribed, _): "它没有订阅该特征"
    case (.closed, .closedLocally): "本程序已关闭该通道"
    case (.closed, _): "对方已关闭该通道"
    case (.stopped, _): "服务未在运行"
    default: error.kind.attCode.map { "设备返回错误 \($0)" } ?? "\(error.kind)"
    }
  }

  private var advice: String {
    switch error.kind {
    case .poweredOff: error.cause == nil ? "请打开蓝牙后重试。" : "请排除该原因后重试。"
    case .unauthorized: "请在系统设置中允许本程序使用蓝牙。"
    case .unsupported: "请检查程序使用的是哪个无线电，以及设备具备哪些功能。"
    case .timedOut:
      switch error.operation {
      case .startServer: "请确认蓝牙已打开，或放宽时间限制。"
      case .serve: "请更快应答；中心设备最多等待 30 秒。"
      case .send: "请降低发送频率，或放宽时间限制。"
      case .scan, .connect: "请确认设备已开机、在附近且未连接到别处，或放宽时间限制。"
      case .sendOnChannel: "请让对方及时读取，或放宽时间限制。"
      case .closeChannel: "对方未接收的内容已丢弃；请让对方及时读取，或放宽时间限制。"
      case .ready: "请确认蓝牙已打开，或放宽时间限制。"
      case .setUp: "请减少初始化的工作，或放宽 timeouts.setUp 的时间限制。"
      default: "请重试，并靠近设备或放宽时间限制。"
      }
    case .notFound: "请检查过滤条件，确认设备已开机并在广播，或延长扫描时间。"
    case .notConnected: error.operation.isOfServer ? "请等待它重新连接。" : "请先连接。"
    case .disconnected where error.operation.isOfServer: "请在它重新连接并订阅后再发送。"
    case .disconnected:
      error.detail == .releasedLocally ? "如仍需要，请重新连接。" : "请重新连接；若反复出现，请靠近设备。"
    case .setUpFailed: "请按初始化给出的原因处理，然后重新连接。"
    case .connectionFailed: "请确认设备在附近且未连接到别处，然后重试。"
    case .characteristicNotFound where error.detail == .undeclared: "请在服务的声明中加入该特征。"
    case .serviceNotFound, .characteristicNotFound: "请将 UUID 与 services() 列出的内容对照。"
    case .descriptorNotFound: "请将 UUID 与 services() 为该特征列出的描述符对照。"
    case .ambiguous where error.operation.isOfServer: "请用声明中的部分（例如 Notifying）来指明。"
    case .ambiguous where [.readDescriptor, .writeDescriptor].contains(error.operation) && error.choices.isEmpty:
      "请使用 services() 返回的描述符来代替名称。"
    case .ambiguous: "请使用错误中列出的选项之一，或使用 services() 返回的特征来代替名称。"
    case .notPermitted where error.operation == .send: "请用 Notifying 或 Indicating 声明该特征。"
    case .notPermitted where error.detail == .subscription: "请改用 values(of:)。"
    case .notPermitted: "请使用该特征允许的操作。"
    case .tooLong where error.operation == .sendOnChannel: "请用 send(inParts:) 发送，或先查询 maximumSendLength。"
    case .tooLong where error.operation == .send: "请缩短内容，或先查询 maximumUpdateLength(for:)。"
    case .tooLong where error.operation == .startServer || error.operation == .advertise:
      "请减少广播内容，或选择溢出方式 .shorten。"
    case .tooLong: "请分段发送，或先查询 maximumWriteLength(for:)。"
    case .empty:
      [.write, .writeDescriptor, .request, .sendOnChannel].contains(error.operation)
        ? "请至少提供一个字节。" : "请以可以为空的类型读取，例如 [UInt8]。"
    case .undecodable: "请检查特征的类型，或以 [UInt8] 读取以查看原始字节。"
    case .overflow: "请加快读取，或选择其他缓冲方式。"
    case .busy where error.operation == .openChannel: "请先关闭此连接的一个通道，然后重试。"
    case .busy where error.operation == .publishChannel: "请换用其他 PSM，或取消发布一个。"
    case .busy: "请等待某个操作结束后重试。"
    case .protocolViolation, .controller: "请重试；若反复出现，请记录跟踪数据并报告。"
    case .invalidArgument where error.operation == .publishChannel: "请换用其他 PSM。"
    case .invalidArgument: error.operation.isOfServer ? "请更正声明。" : "请检查参数。"
    case .fileFailed: "请选择其他文件，或腾出空间并确认程序有写入权限。"
    case .refused where error.channelResult != nil: channelAdvice
    case .closed: "如仍需要，请另开一个通道。"
    case .refused: "请不作此更改继续使用，或稍后重试。"
    case .notSubscribed: "请等待它订阅；参见服务的 subscriptions。"
    case .stopped: "请先启动服务。"
    default: error.kind.attCode == nil ? "请重试。" : "请检查设备对该操作有何要求。"
    }
  }

  /// What to do about a device that refuses a channel.
  private var channelAdvice: String {
    switch error.channelResult {
    case .spsmNotSupported?: "请检查 PSM，并确认设备目前发布了它。"
    case .insufficientAuthentication?, .insufficientEncryption?, .encryptionKeySizeTooShort?:
      "请先与设备配对，使连接加密。"
    case .insufficientAuthorization?: "请让设备的使用者允许。"
    case .noResources?: "请关闭通往该设备的一个通道，或稍后重试。"
    default: "请检查设备对该通道有何要求。"
    }
  }
}
