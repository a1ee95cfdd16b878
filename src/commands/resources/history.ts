import type { HistoryItem } from "#contract/resources/reads/history.ts";
import { pointerNames } from "#lib/json/pointer.ts";
import { command } from "../kit/command.ts";
import { tenantOption } from "../kit/workspaces/options.ts";
import { noteRest, pageQuery } from "../kit/output/pages.ts";
import { chosenFields, columnsOption, fieldsNamed, printRows } from "../kit/output/rows.ts";
import { recordArguments } from "./records/options.ts";
import { placeWords } from "../kit/output/pages.ts";

const fields = fieldsNamed<HistoryItem>("version", "operation", "at", "actor", "changes");

export default command({
  path: "resources history",
  summary: "Show the writes to a record, newest first",
  description:
    "A deleted record keeps its history. `resources get --version` shows an old version.",
  arguments: recordArguments,
  formats: "rows",
  options: {
    "tenant-id": tenantOption,
    columns: columnsOption,
  },
  pages: { of: "Writes" },
  calls: ["resources.history"],
  answer: "resources.history",
  trials: ["street-tree {record}"],
  async run(input, context) {
    const { options } = input;
    const chosen = chosenFields(options.columns, fields);
    const client = await context.client({ workspace: options["tenant-id"] });
    const list = await client.useResources(input.arguments.type).history(input.arguments.id, {
      ...pageQuery(options),
      signal: context.signal,
    });
    const { output } = context;
    await printRows(output, {
      rows: list.items,
      fields: chosen,
      csvFields: fields,
      none: `No writes${placeWords(options)}`,
      answer: (items) => ({ ...list, items }),
      columns: [
        { heading: "v", value: (row) => row.version, align: "right", whole: true },
        { heading: "operation", value: (row) => row.operation, whole: true },
        { heading: "at", value: (row) => row.at, whole: true },
        { heading: "changed", value: changedText },
        { heading: "actor", value: (row) => row.actor, optional: true },
      ],
    });
    await noteRest(output, list, options);
  },
});

/** The places that a write changed, e.g. `+tags status -note`. */
function changedText({ changes }: HistoryItem): string {
  const signOf = (op: string): string => (op === "add" ? "+" : op === "remove" ? "-" : "");
  return changes
    .filter(({ op, path }) => op !== "test" && path !== "")
    .map(({ op, path }) => signOf(op) + pointerNames(path).join("."))
    .join(" ");
}
