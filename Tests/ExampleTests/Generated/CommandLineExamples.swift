// Made from Documentation/CommandLine.md by Scripts/pages examples.
// swift-format-ignore-file

import Foundation
import JSONSift

enum CommandLineExamples {
  static let all: [Example] = [
  ]

  static let consoles: [Console] = [
    Console(page: "Documentation/CommandLine.md", line: 33, text: "$ jsift '$.trailer.checksum' huge.json\n12345678901234567890123"),
    Console(page: "Documentation/CommandLine.md", line: 40, text: "$ jsift shape --format table events.ndjson 2>/dev/null\npath         type    count  records  range           examples\n-----------  ------  -----  -------  --------------  ----------------------------------\n$            object      4  100 %    6 members\n$.id         number      4  100 %    1 … 5           1, 2, 4\n$.level      string      4  100 %    4…5 characters  \"info\", \"error\", \"warn\"\n$.ms         number      4  100 %    12 … 2750       12, 1205, 31\n$.message    string      4  100 %    4…9 characters  \"started\", \"disk full\", \"no route\"\n$.amount     number      4  100 %    1.10 … 4.40     1.10, 2.20, 3.30\n$.user       object      4  100 %    2 members\n$.user.id    number      4  100 %    9 … 4821        17, 4821, 9\n$.user.name  string      4  100 %    3…5 characters  \"Ada\", \"Grace\", \"Alan\""),
    Console(page: "Documentation/CommandLine.md", line: 57, text: "$ jsift records --format csv --select id='$.id' --select who='$.user.name' --select ms='$.ms' events.ndjson 2>/dev/null\nid,who,ms\n1,Ada,12\n2,Grace,1205\n4,Ada,31\n5,Alan,2750"),
  ]
}
