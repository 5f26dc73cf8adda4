internal import CYajl

/// The version of libyajl that the program has loaded.
package var yajlVersion: String {
  let number = yajl_version()
  return "\(number / 10000).\(number / 100 % 100).\(number % 100)"
}
