#if Compression
  private import CZlib
  private import CZstd
#endif

/// The names and versions of the libraries that decompress; none without the trait `Compression`.
package var compressionLibraries: [String] {
  #if Compression
    unsafe ["zlib " + String(cString: zlibVersion()), "libzstd " + String(cString: ZSTD_versionString())]
  #else
    []
  #endif
}
