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
