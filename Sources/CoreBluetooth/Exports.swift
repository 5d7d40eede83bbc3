// Apple's module brings these too, so that code which imports only CoreBluetooth builds here as well.
@_exported import CoreFoundation
@_exported import Dispatch
@_exported import Foundation
