import { Shown, shown } from "#cli/shown.ts";
import { textOption } from "#cli/command.ts";
import { usageError } from "#cli/errors.ts";
import type { Output } from "#cli/output/output.ts";
import { defaultSearchLimit, maximumSearchLimit } from "#contract/limits.ts";
import type { PassageResult } from "#contract/documents/search.ts";
import { searchModes } from "#contract/resources/reads/search-modes.ts";
import { given } from "#lib/given.ts";
import { command } from "../kit/command.ts";
import { tenantOption } from "../kit/workspaces/options.ts";
import { readObject } from "../kit/input/data.ts";
import { chosenFields, columnsOption, fieldsNamed, printRows } from "../kit/output/rows.ts";
import { limitOption, whereOption } from "../kit/output/pages.ts";

const fields = fieldsNamed<PassageResult>(
  "documentId",
  "documentNumber",
  "filename",
  "label",
  "page",
  "score",
  "scores",
  "text",
);

const indent = 2;

export default command({
  path: "docs search",
  summary: "Search the text of documents",
  description:
    "Finds passages by their words in any form of their language, and by the name of their " +
    "document. VX-17* finds words that begin with VX-17, a phrase in quotes its words in their " +
    "order, and -word leaves passages out. Each result is verbatim text of a page. vector " +
    "compares meanings with the platform's embedding model; without one it compares letters, " +
    "which finds misspelt words. --where filters " +
    'documents, e.g. by {"classification.label":"decision-notice"}, mediaType, created_at, ' +
    "context.* or fields.<name>.",
  arguments: [{ name: "query", description: "Words to search for" }],
  formats: "rows",
  options: {
    "tenant-id": tenantOption,
    mode: { type: "string", values: searchModes, default: "hybrid", description: "Search mode" },
    limit: limitOption("Passages", maximumSearchLimit, defaultSearchLimit),
    where: whereOption,
    label: textOption("label", "Only documents of this class"),
    columns: columnsOption,
  },
  calls: ["documents.search"],
  answer: "documents.search",
  examples: [
    'svc docs search "drainage of surface water"',
    "svc docs search parking --label decision-notice --format json",
  ],
  trials: ["oak"],
  async run(input, context) {
    const { options } = input;
    const { query } = input.arguments;
    if (query.trim() === "") throw usageError("the query is empty");
    const chosen = chosenFields(options.columns, fields);
    const asked = await readObject(context, options.where, "--where");
    const ofLabel = options.label === undefined ? [] : [{ "classification.label": options.label }];
    const filters = [...(asked === undefined ? [] : [asked]), ...ofLabel];
    const [only] = filters;
    // A fault of a single filter then points into what the user has written.
    const where = filters.length > 1 ? { $and: filters } : only;
    const client = await context.client({ workspace: options["tenant-id"] });
    const answer = await client.useDocuments().search(query, {
      mode: options.mode,
      limit: options.limit,
      ...given({ where }),
      signal: context.signal,
    });
    const { output } = context;
    if (answer.note !== undefined) {
      await output.note(shown`svc: words only, without vectors: ${answer.note}`);
    }
    await printRows(output, {
      rows: answer.results,
      fields: chosen,
      csvFields: fields,
      none: "No passages found",
      answer: (results) => ({ ...answer, results }),
      columns: () => answer.results.flatMap((result) => linesOf(output, result)),
    });
  },
});

function linesOf(output: Output, result: PassageResult): Shown[] {
  const { documentId, documentNumber, filename, label, page, score } = result;
  const number = documentNumber ?? documentId;
  if (output.settings.simple) {
    return [Shown.joined([number, String(page ?? ""), score.toFixed(4), result.text], "\t")];
  }
  const place = page === undefined ? "" : `, page ${page}`;
  const kind = label === undefined || label === null ? "" : ` ${label}`;
  const facts = output.tone("dim", `${number}${kind} ${scoreText(score)}`);
  return [
    output.hanging(shown`${filename ?? number}${place}  ${facts}`, indent),
    output.hanging(marked(output, result), indent * 2, indent),
  ];
}

/** Scores of merged ranks are below 0.04, others near 1. */
function scoreText(score: number): string {
  return Math.abs(score) < 0.1 ? score.toFixed(4) : score.toFixed(2);
}

const shownCharacters = 300;
/** Characters before the first match. */
const lead = 60;

/** The part of the passage with the first match on one line, its matches strong. */
function marked(output: Output, { text, matches = [] }: PassageResult): Shown {
  const from = Math.max(0, (matches[0]?.start ?? 0) - lead);
  const to = Math.min(text.length, from + shownCharacters);
  const pieces: Shown[] = [shown`${from > 0 ? "…" : ""}`];
  let at = from;
  for (const { start, end } of matches) {
    if (start < at || end > to) continue;
    pieces.push(line(text.slice(at, start)), output.tone("strong", text.slice(start, end)));
    at = end;
  }
  pieces.push(line(text.slice(at, to)), shown`${to < text.length ? "…" : ""}`);
  return Shown.joined(pieces, "");
}

function line(text: string): Shown {
  return shown`${text.replace(/\s+/g, " ")}`;
}
