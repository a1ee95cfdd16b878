import * as z from "zod";
import type { JsonObject } from "#contract/values.ts";
import { isJsonObject } from "#lib/json/value.ts";
import { ownMember } from "#lib/own-member.ts";
import { sameJson } from "#lib/json/same.ts";
import type { Transaction } from "../../work/work.ts";
import type { JobWork } from "../../jobs/runner.ts";
import { enqueueJob } from "../../jobs/store.ts";
import {
  changeDocument,
  findDocument,
  readFields,
  type DocumentUnderstanding,
  type requireDocument,
} from "../documents/service.ts";
import { queueFields } from "./queue.ts";
import { insertHistory } from "./store.ts";

/** A document as its domain returns it. */
export type ReviewedDocument = Awaited<ReturnType<typeof requireDocument>>;

export const rereadingJobKind = "field-reading";

const payloadSchema = z.object({ documentId: z.string(), label: z.string() });
const stage = "analyze";

/** Queues the reading of a document's fields after its label was changed, in that transaction. */
export async function queueRereading(
  tx: Transaction,
  { workspaceId, id: documentId }: ReviewedDocument,
  label: string,
  { oid, now }: { readonly oid: string; readonly now: Date },
): Promise<void> {
  const payload = { documentId, label };
  const job = { workspaceId, kind: rereadingJobKind, payload, stages: [stage], createdBy: oid };
  await enqueueJob(tx, job, now);
}

/**
 * Reads the fields of the type that the document's label now has, as a new version with history.
 * Does nothing when the label has changed again, or when the fields are the same.
 */
export function rereadingWork(parts: {
  readonly fields: DocumentUnderstanding["fields"];
  readonly now: () => Date;
}): JobWork {
  return async (job, context) => {
    const { documentId, label } = payloadSchema.parse(job.payload);
    const { workspaceId } = job;
    const { work, signal } = context;
    await context.runStage(stage, async (run) => {
      const document = await findDocument(work.read, workspaceId, documentId);
      if (document === undefined || !isCurrent(document, label)) return run.skip();
      const fields = await readFields(work, document, parts.fields, signal);
      await context.write(async (tx) => {
        const current = await findDocument(tx, workspaceId, documentId);
        if (current === undefined || !isCurrent(current, label)) return;
        const after = withDecisions(fields, current.fields ?? {});
        if (sameJson(after, current.fields)) return;
        const time = parts.now();
        const at = time.toISOString();
        await changeDocument(tx, current, { fields: after }, time);
        await insertHistory(tx, current, {
          version: current.version + 1,
          operation: "reread",
          target: "fields",
          actor: job.createdBy,
          at,
          changes: [
            { op: "test", path: "/fields", value: current.fields },
            { op: "replace", path: "/fields", value: after },
          ],
        });
        await queueFields(tx, current, after, at);
      });
    });
  };
}

function isCurrent({ status, classification }: ReviewedDocument, label: string): boolean {
  return status === "ready" && classification?.label === label;
}

/** The values that users have decided stay, where the new type has the same field. */
export function withDecisions(fields: JsonObject, before: JsonObject): JsonObject {
  const entries = Object.entries(fields).map(([name, field]): [string, unknown] => {
    const decided = ownMember(before, name);
    const isKept =
      isJsonObject(decided) &&
      isJsonObject(field) &&
      decided["type"] === field["type"] &&
      decided["reviewed"] === true;
    if (!isKept) return [name, field];
    const { value, confidence, page, span, quote, method, reviewed } = decided;
    // The type, the analyzer and the threshold are those of the new type.
    const kept = { value, confidence, page, span, quote, method, reviewed };
    return [name, { ...field, ...kept }];
  });
  return Object.fromEntries(entries) as JsonObject;
}
