import { textOption } from "#cli/command.ts";
import { tenantOption } from "../../kit/workspaces/options.ts";
import { columnsOption } from "../../kit/output/rows.ts";

export const batchOptions = {
  "tenant-id": tenantOption,
  data: {
    type: "string",
    placeholder: "json",
    description:
      "The items as a list, `{ items }`, one per line (NDJSON) or a single one; `-` reads stdin, " +
      "`@path` a file",
    excludes: ["file"],
  },
  file: textOption("path", "File with the items, of any length; `-` reads stdin"),
  atomic: { type: "boolean", description: "All items or none; at most 500 items" },
  columns: columnsOption,
} as const;

export const csvWords =
  "A CSV has a first row of property names, as `resources list --format csv` writes it. Types " +
  'come from the Object Type, lists and objects are JSON, an empty cell is no value, and `""` is ' +
  "an empty text.";

export const batchWords =
  "The items are sent in requests of 500, each item has its own outcome, and the exit code is 1 " +
  "when an item failed. A file is checked as a whole before anything is sent. No item is sent " +
  "twice: when a request fails, the run ends and reports which items were sent. With --format " +
  "ndjson or csv each outcome is one line, printed at once. JSON has all outcomes of up to " +
  "10,000 items; with more items it has the failed ones. Items count from 0; for a CSV each " +
  "outcome has its row, as a spreadsheet counts.";
