import { keys } from "../../test/support/tty.ts";
import type { Session } from "./session.ts";

const { enter, escape, down, right, tab, space, ctrl } = keys;

/** The twelve first steps of a person who has the executable and nothing else. */
const newcomer: Session = {
  name: "newcomer",
  words: "The first steps of a newcomer",
  args: [],
  env: { BASE_URL_PUBLIC_API: "http://127.0.0.1:9" },
  steps: [
    {
      name: "01-no-platform",
      words: "No platform answers: the ways in, each with its key",
      keys: [],
      shows: /does not answer/,
    },
    {
      name: "02-own-platform",
      words: "`l` starts a platform on this machine, which is empty",
      keys: ["l"],
      shows: /no workspace/,
    },
    {
      name: "03-sample-data",
      words: "`D` fills in sample data, and leads to home",
      keys: ["D"],
      shows: /PLANNING/,
    },
    {
      name: "04-help",
      words: "`?` lists the keys that work here",
      keys: ["?"],
      shows: /Here and now/,
    },
    {
      name: "05-records",
      words: "`:` goes to a type by its name",
      keys: [escape, ":", "text:planning-app", enter],
      shows: /PA-2026/,
    },
    { name: "06-record", words: "Enter opens a record", keys: [enter], shows: /\[fields\]/ },
    {
      name: "07-filter",
      words: "`/` narrows the list while one types",
      keys: [escape, "/", "text:status:open"],
      shows: /status:open/,
    },
    {
      name: "08-form",
      words: "`e` edits, with the help of each field",
      keys: [enter, "e"],
      shows: /Edit PA-2026/,
    },
    {
      name: "09-saved",
      words: "`ctrl+s` saves, and the new value is in the list",
      keys: [tab, ctrl("u"), "text:1 Harbour Street, Northwind", ctrl("s")],
      shows: /saved PA-2026/,
    },
    {
      name: "10-undo",
      words: "`z` shows what an undo changes, and asks once",
      keys: ["z"],
      shows: /Undo “/,
    },
    {
      name: "11-upload",
      words: "`u` sends a file, here to the selected record",
      keys: [escape, "u"],
      shows: /Upload a file/,
    },
    {
      name: "12-answer",
      words: "The chat quotes its sources",
      keys: [escape, "4", "i", "text:How many parking spaces does Quay Street have?", enter],
      shows: /\[1\]/,
    },
  ],
};

/** The twenty steps of an operator's day, on the sample data. */
const operator: Session = {
  name: "operator",
  words: "An operator's day",
  args: ["demo"],
  steps: [
    {
      name: "01-home",
      words: "Home: what is due, what failed, who wrote last",
      keys: [],
      shows: /PLANNING/,
    },
    {
      name: "02-workspaces",
      words: "`]` compares all workspaces",
      keys: ["]"],
      shows: /^(?![\s\S]*Loading)[\s\S]*licensing/,
    },
    {
      name: "03-overdue",
      words: "Enter opens the records of a figure, here those overdue, the longest first",
      keys: ["[", down, enter],
      shows: /PA-2026/,
    },
    {
      name: "04-timeline",
      words: "The timeline of a record",
      keys: [enter, "]", "]", "]"],
      shows: /today/,
    },
    {
      name: "05-marked",
      words: "`space` marks records",
      keys: [escape, "g", down, space, down, space, down, space],
      shows: /●/,
    },
    {
      name: "06-action",
      words: "`d` offers the actions of the marked records",
      keys: ["d"],
      shows: /Choose an action/,
    },
    {
      name: "07-action-form",
      words: "An action asks for its parameters",
      keys: [enter, right],
      shows: /decision/,
    },
    {
      name: "08-action-preview",
      words: "The preview has the records, the change and the command",
      keys: [ctrl("s")],
      shows: /y yes/,
    },
    {
      name: "09-action-outcome",
      words: "The outcome names each record",
      keys: ["y"],
      shows: /Decide: 3 records$|done|Decide/m,
    },
    {
      name: "10-undo",
      words: "`z` undoes what was done, record by record",
      keys: [escape, "z"],
      shows: /ndo/,
    },
    {
      name: "11-bars",
      words: "`b` counts the records by status",
      keys: ["y", escape, "b"],
      shows: /RECORDS/,
    },
    { name: "12-map", words: "`W` shows where they are", keys: [escape, escape, "W"] },
    {
      name: "13-documents",
      words: "`2` lists the documents with their classes",
      keys: [escape, "2"],
      shows: /Documents/,
    },
    {
      name: "14-reader",
      words: "`t` reads a document with its fields",
      keys: ["t"],
      shows: /page|p\. 1/,
    },
    { name: "15-jobs", words: "`3` lists the jobs", keys: [escape, "3"], shows: /Jobs/ },
    {
      name: "16-job",
      words: "A job with its stages and their times",
      keys: [down, enter],
      shows: /total|extract/,
    },
    {
      name: "17-search",
      words: "`f` searches in all types",
      keys: ["f", "text:harbour"],
      shows: /Harbour/,
    },
    {
      name: "18-palette",
      words: "`:` finds records and documents too",
      keys: [escape, ":", "text:quay"],
      shows: /PA-2026-00/,
    },
    { name: "19-members", words: "`5` lists the members", keys: [escape, "5"], shows: /m\.okafor/ },
    {
      name: "20-operations",
      words: "`6` has the health of the platform",
      keys: ["6"],
      shows: /sqlite/,
    },
  ],
};

/** The other places, which are looked at but not kept. */
const places: Session = {
  name: "places",
  words: "Other places",
  args: ["demo"],
  steps: [
    { name: "01-apps", words: "Apps", keys: ["7"] },
    { name: "02-workflows", words: "Workflows", keys: ["]"] },
    { name: "03-webhooks", words: "Webhooks", keys: ["8"] },
    { name: "04-alerts", words: "Alerts", keys: ["9"] },
    { name: "05-alert-rules", words: "Alert rules", keys: ["]"] },
    { name: "06-geo", words: "Geo", keys: ["-"] },
    { name: "07-storage", words: "Storage", keys: ["6", "]"] },
    { name: "08-audit", words: "Audit", keys: ["]"] },
    { name: "09-notices", words: "Notices", keys: ["@"] },
    { name: "10-workspaces", words: "Workspaces", keys: [escape, "w"] },
    { name: "11-trash", words: "Trash", keys: [escape, ":", "text:planning-app", enter, "T"] },
    { name: "12-columns", words: "Columns", keys: [escape, "C"] },
    { name: "13-sort", words: "Sort", keys: [escape, "s"] },
    { name: "14-views", words: "Views", keys: [escape, "L"] },
    { name: "15-import", words: "Import", keys: [escape, "I"] },
    { name: "16-export", words: "Export", keys: [escape, "x"] },
    { name: "17-delete", words: "Delete", keys: [escape, ctrl("d")] },
    { name: "18-create", words: "Create", keys: [escape, "c"] },
    { name: "19-chat", words: "Chat", keys: [escape, "4"] },
    { name: "20-invite", words: "Invite", keys: [escape, "5", "i"] },
    { name: "21-keys", words: "Keys", keys: [escape, "]", "]"] },
  ],
};

/** A scanned letter: its picture, text and fields. */
const reader: Session = {
  name: "reader",
  words: "The picture of a page",
  args: [],
  env: { BASE_URL_PUBLIC_API: "http://127.0.0.1:9" },
  settings: { pictures: '"kitty"' },
  scanned: [
    "<body style='margin:110px;font:34px/1.6 serif;color:#222'>",
    "<h1 style='font-size:54px'>Northwind Council</h1><p>Planning Department, 4 Harbour Square</p>",
    "<h2>Notice of inspection</h2>",
    "<p>Reference: PA-2026-0042</p><p>Address: 18 Quay Street, Northwind</p>",
    "<p>The copper roof of the boathouse must be inspected before 3 March 2027. The inspector needs",
    "access to both floors, and to the landing stage at low water.</p>",
    "<p>A fee of &pound;240.00 is due within thirty days of this notice.</p>",
    "<p style='margin-top:120px;font-style:italic;font-size:44px'>M. Okafor</p>",
  ].join("\n"),
  steps: [
    { name: "01-platform", words: "A platform", keys: ["l"], shows: /no workspace/ },
    { name: "02-data", words: "Sample data", keys: ["D"], shows: /PLANNING/ },
    {
      name: "03-upload",
      words: "A scan is sent",
      keys: ["2", "u", "text:scanned-letter.png", enter],
      shows: /scanned-letter\.png +✓ succeeded/,
      withinMs: 60_000,
    },
    {
      name: "04-read",
      words: "Its text has been read",
      keys: ["2", "g"],
      shows: /scanned-letter\.png +✓ ready/,
    },
    { name: "05-text", words: "Its text", keys: ["t"], shows: /boathouse/ },
    {
      name: "06-picture",
      words: "`i` shows the scanned page next to its text, in terminals that draw pictures",
      keys: ["i"],
      shows: /\u{10eeee}/u,
    },
  ],
};

export const sessions: readonly Session[] = [newcomer, operator, places, reader];
