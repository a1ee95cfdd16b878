import { textOption } from "#cli/command.ts";
import { command } from "../kit/command.ts";
import { tenantOption } from "../kit/workspaces/options.ts";
import { typeArgument } from "./records/options.ts";
import { reportAnswer } from "./imports/report.ts";

export default command({
  path: "resources import",
  summary: "Import records from CSV, XLSX, JSON or NDJSON",
  description:
    "Columns go to the properties of their names (`Ref. No` is `refNo`); --map and --mapping " +
    "name others. The header is the row that fits best; blank rows, totals and repeated headers are " +
    "skipped and reported. Each row is written or rejected alone, and --rejects keeps the " +
    "rejected ones with their reasons, to be corrected and imported. With --key a row changes " +
    "the record with its value (RFC 7396); an empty cell leaves the value. With --key, a column " +
    "of a file property names files to upload, in the folder of the table. The same call " +
    "continues an import that was interrupted, within 30 days, and writes no row twice. The exit " +
    "code is 1 when a row was rejected.",
  arguments: [typeArgument, { name: "file", description: "Path of the file; `-` reads stdin" }],
  rows: ["faults"],
  options: {
    "tenant-id": tenantOption,
    "dry-run": { type: "boolean", description: "Show what each row would do; write nothing" },
    map: {
      ...textOption("column=property", "Property of a column; without one it is left out"),
      repeatable: true,
    },
    mapping: textOption("path", "JSON file with columns, forms, key, sheet and header"),
    "skip-unmatched": { type: "boolean", description: "Leave out columns without a property" },
    key: textOption("property", "Unique property by which rows change records"),
    "delete-missing": {
      type: "boolean",
      description: "Delete records without a row, after the last row; each can be restored",
    },
    force: { type: "boolean", description: "Delete without confirmation" },
    files: textOption("folder", "Folder of the files that rows name (default: that of FILE)"),
    rejects: textOption("path", "File for rejected rows, in the form of the source"),
    dates: textOption("form", "Form of dates: `DD.MM.YYYY`, `M/D/YY HH:mm`, `serial`"),
    numbers: textOption("form", "Form of numbers: `1.234,56`, `1,234.56`, `1 234,56`"),
    "time-zone": textOption("zone", "IANA time zone of local times (default: UTC)"),
    sheet: textOption("name", "Sheet of an XLSX (default: the first visible one)"),
    header: textOption("rows", "Row of the header, or its rows: `3`, `2-3`"),
    separator: textOption("character", "Separator of a CSV; `tab` for tabs"),
    charset: textOption("name", "Charset of a CSV, e.g. `windows-1252`"),
    fresh: { type: "boolean", description: "Start again instead of continuing" },
  },
  calls: [
    "objectTypes.schema",
    "imports.start",
    "imports.rows",
    "imports.get",
    "resources.batch",
    "resources.list",
    "resources.uploadFile",
  ],
  answer: reportAnswer,
  examples: [
    "svc resources import business-request requests.csv --key reference --dry-run",
    "svc resources import business-request requests.csv --key reference --rejects rejects.csv",
    "svc resources import business-request requests.csv --key reference --dates YYYY-MM-DD",
  ],
  trials: [{ words: "street-tree trees.csv", isAddition: true }],
  async run(input, context) {
    const { importFile } = await import("./imports/import-file.ts");
    return importFile(context, input.arguments.type, input.arguments.file, input.options);
  },
});
