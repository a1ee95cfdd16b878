import * as z from "zod";
import { alsoNamed, named } from "../deployments.ts";
import { documentId, documentRecord } from "./records.ts";
import { fixedListQuery, listBody } from "../lists.ts";
import { json, members, replies, route } from "../route.ts";
import { jsonObject, timestamp } from "../values.ts";

/** States of a review: `open` until a user accepts or corrects it. */
const reviewStatuses = ["open", "accepted", "corrected"] as const;

/** The reviewed value: `label` or `fields.<name>`. */
const reviewTarget = z
  .string()
  .max(120)
  .regex(/^(?:label|fields\.[A-Za-z][A-Za-z0-9_]*)$/, "must be label or fields.<name>");

const review = z
  .looseObject({
    documentId: named(z.string()),
    documentNumber: z.string().optional(),
    filename: alsoNamed(z.string().optional(), "name"),
    target: z.string(),
    /** Kind of the value: `label` or `field`. */
    kind: z.string().optional(),
    /** The classification or the field as it was found. */
    found: jsonObject.optional(),
    confidence: z.number().optional(),
    threshold: z.number().optional(),
    status: alsoNamed(z.string().optional(), "state"),
    decidedBy: z.string().nullable().optional(),
    decidedAt: timestamp.nullable().optional(),
    created_at: timestamp.optional(),
  })
  .meta({ id: "DocumentReview" });
/** A label or a field of a document whose confidence is below its threshold. */
export type DocumentReview = z.output<typeof review>;

const decision = z.discriminatedUnion("action", [
  z.strictObject({ action: z.literal("accept"), target: reviewTarget }),
  z.strictObject({
    action: z.literal("correct"),
    target: reviewTarget,
    /** The right label, or the right value of the field; null when the document has none. */
    value: z.union([z.string().max(10_000), z.number(), z.boolean(), z.null()]),
  }),
]);
/** The decision of a user about the label or a field of a document. */
export type ReviewDecision = z.output<typeof decision>;

const historyEntry = z
  .looseObject({
    version: z.int(),
    operation: z.string(),
    target: z.string().optional(),
    actor: z.string().optional(),
    at: timestamp.optional(),
    /** JSON Patch (RFC 6902): `test` has the value before, `replace` the one after. */
    changes: z.array(jsonObject).optional(),
  })
  .meta({ id: "DocumentHistoryEntry" });
/** A decision of a user about a document. */
export type DocumentHistoryEntry = z.output<typeof historyEntry>;

const source = "content understanding conventions";

export const reviewRoutes = {
  /** Lists the oldest review first. */
  list: route.get("/v4/data/documents/reviews", {
    summary: "List labels and fields that a user must look at",
    ...members("tenant-viewer", "header", source),
    query: fixedListQuery.extend({
      status: z.enum(reviewStatuses).optional().describe("Default: open"),
      documentId: documentId.optional().describe("Only reviews of this document"),
    }),
    reply: replies(listBody(review)),
  }),
  /** Makes a new version of the document. A corrected label is an example of its classifier. */
  decide: route.post("/v4/data/documents/records/{documentId}/reviews", {
    summary: "Accept or correct a label or a field of a document",
    ...members("tenant-staff", "header", source),
    params: z.object({ documentId }),
    body: json(decision),
    reply: replies(documentRecord),
    guarded: true,
  }),
  history: route.get("/v4/data/documents/records/{documentId}/history", {
    summary: "The decisions of users about a document, newest first",
    ...members("tenant-viewer", "header", source),
    params: z.object({ documentId }),
    query: fixedListQuery,
    reply: replies(listBody(historyEntry)),
  }),
};
