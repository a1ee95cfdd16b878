import { textOption } from "#cli/command.ts";
import type { ReviewDecision } from "#contract/documents/reviews.ts";
import { tenantOption } from "../../kit/workspaces/options.ts";
import type { CommandContext } from "../../kit/context.ts";
import { scalarText } from "../../kit/output/rows.ts";

export const decisionArguments = [
  { name: "documentId", description: "DOC-… or UUID" },
  { name: "target", description: "`label`, or `fields.<name>`" },
] as const;

export const decisionOptions = {
  "tenant-id": tenantOption,
  version: textOption("number", "Only if the document still has this version"),
} as const;

/** Sends a decision, and prints the part of the document that it has changed. */
export async function decide(
  context: CommandContext,
  documentId: string,
  body: ReviewDecision,
  options: { readonly "tenant-id"?: string; readonly version?: string },
): Promise<void> {
  const { output, signal } = context;
  const client = await context.client({ workspace: options["tenant-id"] });
  const headers = options.version === undefined ? {} : { "if-match": `"${options.version}"` };
  const record = await client.reviews.decide({ params: { documentId }, body, headers, signal });
  const name = body.target.slice("fields.".length);
  const field = body.target === "label" ? undefined : record.fields?.[name];
  const value = body.target === "label" ? record.classification?.label : field?.value;
  await output.data(record, () =>
    output.fields([
      ["document", record.documentNumber ?? record.documentId],
      [body.target, value === null ? "none" : scalarText(value)],
      ["decision", body.action === "accept" ? "accepted" : "corrected"],
      ["version", record.version === undefined ? undefined : String(record.version)],
    ]),
  );
}
