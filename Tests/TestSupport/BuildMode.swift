/// Whether assertions are checked.
public let isDebug: Bool = {
  var result = false
  assert(
    {
      result = true
      return true
    }())
  return result
}()
