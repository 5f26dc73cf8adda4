import CFuzzer
import Fuzzing
import JSONSift

/// Compares the results for a text when nothing is requested, so that it is proven, with the results when everything is
/// parsed.
@_cdecl("FuzzProof_main")
func main(_ count: CInt, _ words: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?) -> CInt {
  var (count, words) = (count, words)
  return LLVMFuzzerRunDriver(&count, &words) { bytes, count in
    var input = Input(UnsafeBufferPointer(start: bytes, count: count))
    let framings: [JSONFraming] = [.document, .lines, .values, .sequence]
    let framing = framings[input.choice() % 4]
    var options = JSONRecordOptions(framing: framing, reading: input.options())
    let source = input.source()
    if framing == .document {
      let checked = document([], source(), options.reading)
      let parsed = document(["$..absent"], source(), options.reading)
      if checked != parsed { differs("document", checked as Any, parsed as Any) }
    } else {
      options.skipsPrefix = framing == .lines && count % 3 == 0
      let counted = records(source(), options, counts: true)
      let parsed = records(source(), options, counts: false)
      if counted != parsed { differs("\(framing)", counted, parsed) }
    }
    return 0
  }
}

struct Told: Equatable {
  let error: JSONError
  let position: SourcePosition
  let excerpt: String?
  var bad: JSONBadRecord?
}

func document(_ paths: [String], _ source: JSONSource, _ options: JSONOptions) -> Told? {
  var reported: Told?
  do throws(JSONError) {
    var asked: [(name: String, path: JSONPath)] = []
    for text in paths { asked.append((text, try JSONPath(text))) }
    var matches = try JSONMatches(of: asked, in: source, options: options)
    do throws(JSONError) {
      while try matches.next() != nil {}
    } catch {
      reported = Told(error: error, position: matches.position(of: error), excerpt: matches.excerpt(of: error)?.text)
    }
  } catch {
    differs("the source and the paths are good", error, paths)
  }
  return reported
}

struct Records: Equatable {
  var count = 0
  var bad: [Told] = []
  var checkpoint: JSONCheckpoint?
}

func records(_ source: JSONSource, _ options: JSONRecordOptions, counts: Bool) -> Records {
  var found = Records()
  do throws(JSONError) {
    var reader = try JSONRecordReader(source, options: options)
    while true {
      do throws(JSONError) {
        if counts {
          found.count += try reader.countRecords()
          break
        }
        guard try reader.next() != nil else { break }
        found.count += 1
      } catch {
        let reported = Told(
          error: error, position: reader.position(of: error), excerpt: reader.excerpt(of: error).text,
          bad: reader.badRecord(of: error))
        // Nothing is read after a bad value.
        if found.bad.last == reported { break }
        found.bad.append(reported)
        // The records before it are not counted.
        found.count = 0
      }
    }
    found.checkpoint = reader.checkpoint
  } catch {
    differs("the source is good", error, "")
  }
  return found
}
