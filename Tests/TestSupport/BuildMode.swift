/// Whether assertions are checked.
package let isDebug: Bool = {
  var result = false
  assert(
    {
      result = true
      return true
    }())
  return result
}()
