import { textOption } from "#cli/command.ts";
import { shown } from "#cli/shown.ts";
import { maximumPage, maximumPageLimit } from "#contract/limits.ts";
import type { DocumentReview } from "#contract/reviews.ts";
import { command, tenantOption } from "../../command.ts";
import { scalarText } from "./decide.ts";

/** The best candidate of a label, or the value of a field, as found. */
function foundText({ found = {} }: DocumentReview): string {
  const { candidates, value } = found;
  if (Array.isArray(candidates)) {
    const [best] = candidates as { label?: unknown }[];
    return typeof best?.label === "string" ? best.label : "none";
  }
  return value === null || value === undefined ? "missing" : scalarText(value);
}

function quoteText({ found = {} }: DocumentReview): string | undefined {
  return typeof found["quote"] === "string" ? found["quote"] : undefined;
}

export const docsReviewListCommand = command({
  path: "docs review list",
  summary: "List labels and fields below their threshold",
  description: "The oldest first. `svc docs review accept|correct` decides them.",
  arguments: [],
  options: {
    document: textOption("id", "Only reviews of this document"),
    status: {
      type: "string",
      values: ["open", "accepted", "corrected"],
      default: "open",
      description: "State of the reviews",
    },
    "tenant-id": tenantOption,
    page: { type: "number", minimum: 1, maximum: maximumPage, default: 1, description: "Page" },
    limit: {
      type: "number",
      minimum: 1,
      maximum: maximumPageLimit,
      default: 20,
      description: "Reviews per page",
    },
  },
  routes: ["GET /v4/data/documents/reviews"],
  examples: ["svc docs review list"],
  async run(input, context) {
    const { output, signal } = context;
    const { page, limit, status, document, "tenant-id": workspace } = input.options;
    const client = await context.client({ workspace });
    const of = document === undefined ? {} : { documentId: document };
    const list = await client.reviews.list({ query: { page, limit, status, ...of }, signal });
    await output.data(list, () =>
      output.table(list.items, [
        { heading: "document", value: (row) => row.documentNumber ?? row.documentId, whole: true },
        { heading: "target", value: ({ target }) => target, whole: true },
        { heading: "found", value: foundText },
        { heading: "confidence", value: (row) => percent(row.confidence), align: "right" },
        { heading: "needed", value: (row) => percent(row.threshold), align: "right" },
        { heading: "quote", value: quoteText, optional: true },
        { heading: "file", value: ({ filename }) => filename, optional: true },
      ]),
    );
    if (list.items.length === 0 && !output.isJson) await output.note(shown`Nothing to review`);
  },
});

function percent(share: number | undefined): string | undefined {
  return share === undefined ? undefined : `${Math.round(share * 100)} %`;
}
