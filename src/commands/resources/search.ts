import { Shown, shown } from "#cli/shown.ts";
import type { Output } from "#cli/output/output.ts";
import { usageError } from "#cli/errors.ts";
import type { SearchHighlight, SearchResult } from "#contract/resources/reads/search.ts";
import { defaultSearchLimit, maximumSearchLimit } from "#contract/limits.ts";
import { searchModes } from "#contract/resources/reads/search-modes.ts";
import { given } from "#lib/given.ts";
import { command } from "../kit/command.ts";
import { tenantOption } from "../kit/workspaces/options.ts";
import { readObject } from "../kit/input/data.ts";
import {
  chosenFields,
  columnsOption,
  fieldsNamed,
  nameList,
  printRows,
} from "../kit/output/rows.ts";
import { selectionIn, selectionOptions, typesOption } from "./records/options.ts";
import { limitOption, whereOption } from "../kit/output/pages.ts";

const fields = fieldsNamed<SearchResult>(
  "id",
  "type",
  "score",
  "scores",
  "highlights",
  "data",
  "expanded",
);

const shownHighlights = 2;
const indent = 2;

export default command({
  path: "resources search",
  summary: "Search records by text",
  description:
    "Searches the searchable properties of the Object Types. fulltext finds records with any of " +
    "the words, in any form of their language; vector finds words with a similar spelling, also " +
    "misspelt ones; hybrid does both. VX-17* finds words that begin with VX-17, a phrase in " +
    "quotes its words in their order, and -word leaves records out. Without a model on the " +
    "platform, vectors compare letters, not meanings.",
  arguments: [{ name: "query", description: "Words to search for" }],
  formats: "rows",
  options: {
    "tenant-id": tenantOption,
    types: { ...typesOption, description: `${typesOption.description} (default: all)` },
    mode: {
      type: "string",
      values: searchModes,
      default: "hybrid",
      description: "Search mode",
      excludes: searchModes,
    },
    hybrid: {
      type: "boolean",
      description: "The same as --mode hybrid",
      excludes: ["vector", "fulltext"],
    },
    vector: { type: "boolean", description: "The same as --mode vector", excludes: ["fulltext"] },
    fulltext: { type: "boolean", description: "The same as --mode fulltext" },
    limit: limitOption("Records", maximumSearchLimit, defaultSearchLimit),
    where: whereOption,
    columns: columnsOption,
    ...selectionOptions,
  },
  calls: ["resources.search"],
  answer: "resources.search",
  examples: [
    'svc resources search "quay street"',
    `svc resources search granery --types planning-application --where '{"status":"decided"}'`,
    "svc resources search PA-2026-0042 --fulltext --format json",
    `svc resources search 'PA-2026-*'`,
  ],
  trials: [
    "elm",
    "elm --types street-tree --fulltext",
    { words: "elm --mode vector --limit 1", at: ["other"] },
  ],
  async run(input, context) {
    const { options } = input;
    const { query } = input.arguments;
    if (query.trim() === "") throw usageError("the query is empty");
    const types = options.types === undefined ? undefined : nameList("--types", options.types);
    const mode = searchModes.find((name) => input.given.has(name)) ?? options.mode;
    const chosen = chosenFields(options.columns, fields);
    const where = await readObject(context, options.where, "--where");
    const client = await context.client({ workspace: options["tenant-id"] });
    const { selectedItems, selectionInput } = await import("#client/records/selection.ts");
    const selection = selectionIn(options);
    const found = await client.resources.search({
      body: {
        query,
        mode,
        limit: options.limit,
        ...given({ types, where, ...selectionInput(selection) }),
      },
      signal: context.signal,
    });
    const answer = selectedItems(found, "results", selection);
    const { output } = context;
    await printRows(output, {
      rows: answer.results,
      fields: chosen,
      csvFields: fields,
      none: "No records found",
      answer: (results) => ({ ...answer, results }),
      columns: () => answer.results.flatMap((result) => linesOf(output, result)),
    });
  },
});

function linesOf(output: Output, { id, type, score, highlights = [] }: SearchResult): Shown[] {
  const first = highlights.slice(0, shownHighlights);
  if (output.settings.simple) {
    const texts = first.map(({ property, text }) => `${property}: ${text}`);
    return [Shown.joined([id, type, score.toFixed(4), ...texts], "\t")];
  }
  const head = shown`${id}  ${type}  ${output.tone("dim", score.toFixed(4))}`;
  return [
    output.hanging(head, indent),
    ...first.map((highlight) => output.hanging(lineOf(output, highlight), indent * 2, indent)),
  ];
}

/** A highlight on one line, its matches strong. Pieces are cleaned one by one. */
function lineOf(output: Output, { property, text, matches }: SearchHighlight): Shown {
  const pieces = [output.tone("dim", `${property}:`), shown` `];
  let at = 0;
  for (const { start, end } of matches) {
    if (start < at) continue;
    pieces.push(shown`${text.slice(at, start)}`, output.tone("strong", text.slice(start, end)));
    at = end;
  }
  return Shown.joined([...pieces, text.slice(at)], "");
}
