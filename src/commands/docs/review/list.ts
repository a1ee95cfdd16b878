import { textOption } from "#cli/command.ts";
import type { DocumentReview } from "#contract/documents/reviews.ts";
import { given } from "#lib/given.ts";
import { command } from "../../kit/command.ts";
import { tenantOption } from "../../kit/workspaces/options.ts";
import { pageQuery, printPage } from "../../kit/output/pages.ts";
import { scalarText } from "../../kit/output/rows.ts";

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

export default command({
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
  },
  pages: { of: "Reviews" },
  calls: ["reviews.list"],
  answer: "reviews.list",
  examples: ["svc docs review list"],
  async run({ options }, context) {
    const { output, signal } = context;
    const { status, document } = options;
    const client = await context.client({ workspace: options["tenant-id"] });
    const list = await client.reviews.list({
      query: { ...pageQuery(options), status, ...given({ documentId: document }) },
      signal,
    });
    await printPage(output, list, {
      options,
      none: "Nothing to review",
      columns: [
        { heading: "document", value: (row) => row.documentNumber ?? row.documentId, whole: true },
        { heading: "target", value: ({ target }) => target, whole: true },
        { heading: "found", value: foundText },
        { heading: "confidence", value: (row) => percent(row.confidence), align: "right" },
        { heading: "needed", value: (row) => percent(row.threshold), align: "right" },
        { heading: "quote", value: quoteText, optional: true },
        { heading: "file", value: ({ filename }) => filename, optional: true },
      ],
    });
  },
});

function percent(share: number | undefined): string | undefined {
  return share === undefined ? undefined : `${Math.round(share * 100)} %`;
}
