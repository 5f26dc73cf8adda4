/// The responses of the tracker's server.
enum Answers {
  static let repository = #"""
    {
      "id": 1296269,
      "full_name": "orbit/launchpad",
      "private": false,
      "description": null,
      "html_url": "https://tracker.example/orbit/launchpad",
      "stars": 80,
      "score": 1.0,
      "owner": {"login": "octavia", "id": 583231, "site_admin": false},
      "topics": ["rockets", "swift", "json"]
    }
    """#

  static let issues = #"""
    [
      {
        "id": 9223372036854775807, "number": 12, "title": "Crash on launch", "state": "open", "locked": true,
        "comments": 3, "effort": 2.5, "html_url": "https://tracker.example/find?q=two words",
        "assignee": {"login": "octavia", "id": 583231, "site_admin": true},
        "labels": [{"name": "bug", "color": "d73a4a"}, {"name": "urgent", "color": null}],
        "reactions": {"heart": 2, "rocket": 5}
      },
      {
        "id": "42", "number": "7", "title": "Älteste Frage \ud83d\ude80", "state": "closed", "locked": false,
        "comments": "11", "effort": "0.75", "html_url": "https://tracker.example/a%20b",
        "assignee": null, "labels": [], "closed_at": "2024-02-29T12:00:00Z"
      },
      {
        "id": 18446744073709551615, "number": 9, "title": "Broken\tpath C:\\tmp", "state": "unheard of", "locked": "yes",
        "comments": null, "effort": 100.0, "html_url": 17,
        "assignee": {"login": "nobody"}, "labels": [{"name": "bug"}], "reactions": {"heart": "1"}
      }
    ]
    """#

  static let defaults = #"""
    {
      "theme": "dark",
      "columns": ["number", "title"],
      "mail": {"digest": "weekly", "address": "team@tracker.example"}
    }
    """#

  static let ownSettings = #"""
    {"columns": ["effort"], "mail": {"digest": null, "copies": 2}, "theme": {"name": "solar"}}
    """#

  static let events = #"""
    [
      {"kind": "push", "payload": {"size": 2, "refs": ["main", "fix"], "forced": false}},
      {"kind": "ping", "payload": null},
      {"kind": "vote", "payload": 1.5}
    ]
    """#
}
