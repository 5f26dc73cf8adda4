import Foundation

/// Whether assertions are enabled.
package let isDebug: Bool = {
  var result = false
  assert(
    {
      result = true
      return true
    }())
  return result
}()

/// How many times as large a stack must be as in other builds: AddressSanitizer makes frames several times as large.
package let stackFactor: Int = unsafe dlsym(dlopen(nil, RTLD_LAZY), "__asan_init") == nil ? 1 : 8
