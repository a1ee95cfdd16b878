import type { DocumentTypeRecord } from "#contract/documents/document-types.ts";
import { hasTrouble, jobTrouble, type FailureRule } from "../shell/platform/feed/failure-watch.ts";

const maximumTypes = 500;

/** Jobs about documents that are no uploads, which have their own place, and document types. */
export const documentFailures: readonly FailureRule[] = [
  {
    name: "reading of fields",
    place: "documents",
    nouns: ["document.job"],
    judge: (change) =>
      hasTrouble(change, "field-reading")
        ? "The fields of documents could not be read again"
        : undefined,
  },
  {
    name: "training of classifiers",
    place: "documents",
    nouns: ["document.job"],
    judge: (change) => jobTrouble(change, "classifier-training", "The training of a classifier"),
  },
  {
    name: "document types",
    place: "documents",
    nouns: ["setting"],
    judge: ({ kind }) => kind === "document-type" || kind === "analyzer" || undefined,
    read: async (client, { tenantId, signal }) => {
      const query = { limit: maximumTypes };
      const { items } = await client.documentTypes.list({ tenantId, signal, query });
      return items.filter(isUnread).map(({ key, displayName, version, runtime }) => {
        const field = runtime?.fields?.find(({ status }) => status !== "applied");
        const why = field === undefined ? "" : `; ${field.field}: ${field.reason ?? field.status}`;
        return {
          id: `${key} ${version ?? ""}`,
          words: `${displayName ?? key}: not all fields can be read here${why}`,
        };
      });
    },
  },
];

/** Whether fields of a type in use are not read here, e.g. since no model is configured. */
function isUnread({ status = "active", runtime }: DocumentTypeRecord): boolean {
  return status === "active" && runtime !== undefined && runtime.status !== "applied";
}
