import * as z from "zod";
import type { JsonObject } from "#contract/values.ts";
import { isJsonObject } from "#lib/json-value.ts";
import { ownMember } from "#lib/own-member.ts";
import { sameJson } from "#lib/same-json.ts";
import type { Database, Writer } from "../../database/database.ts";
import type { JobWork } from "../../jobs/runner.ts";
import { enqueueJob } from "../../jobs/store.ts";
import { analyzeFields } from "../../text/analysis/analyze-fields.ts";
import {
  documentById,
  firstPages,
  updateDocument,
  type Document,
  type DocumentUnderstanding,
} from "../documents/service.ts";
import { queueFields } from "./queue.ts";
import { insertHistory } from "./store.ts";

export const rereadingJobKind = "field-reading";

const payloadSchema = z.object({ documentId: z.string(), label: z.string() });
const stage = "analyze";

/** Queues the reading of a document's fields after its label was changed, in that transaction. */
export async function queueRereading(
  writer: Writer,
  { workspaceId, id: documentId }: Document,
  label: string,
  { oid, now }: { readonly oid: string; readonly now: Date },
): Promise<void> {
  const payload = { documentId, label };
  const job = { workspaceId, kind: rereadingJobKind, payload, stages: [stage], createdBy: oid };
  await enqueueJob(writer, job, now);
}

/**
 * Reads the fields of the type that the document's label now has, as a new version with history.
 * Does nothing when the label has changed again, or when the fields are the same.
 */
export function rereadingWork(parts: {
  readonly database: Database;
  readonly fields: DocumentUnderstanding["fields"];
  readonly now: () => Date;
}): JobWork {
  return async (job, context) => {
    const { documentId, label } = payloadSchema.parse(job.payload);
    const key = { workspaceId: job.workspaceId, id: documentId };
    await context.runStage(stage, async (run) => {
      const { read } = parts.database;
      const document = await documentById(read, key);
      if (document === undefined || !isCurrent(document, label)) return run.skip();
      const pages = await firstPages(read, document);
      const found = await parts.fields(document, pages, context.signal);
      const fields = found ?? analyzeFields(pages);
      await context.write(async (writer) => {
        const current = await documentById(writer, key);
        if (current === undefined || !isCurrent(current, label)) return;
        const after = withDecisions(fields, current.fields ?? {});
        if (sameJson(after, current.fields)) return;
        const time = parts.now();
        const at = time.toISOString();
        if (!(await updateDocument(writer, key, { fields: after }, time))) return;
        await insertHistory(writer, key, {
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
        await queueFields(writer, key, after, at);
      });
    });
  };
}

function isCurrent({ status, classification }: Document, label: string): boolean {
  return status === "ready" && classification?.label === label;
}

/** The values that users have decided stay, where the new type has the same field. */
function withDecisions(fields: JsonObject, before: JsonObject): JsonObject {
  const kept = Object.entries(fields).map(([name, field]): [string, unknown] => {
    const decided = ownMember(before, name);
    const isSame =
      isJsonObject(decided) && isJsonObject(field) && decided["type"] === field["type"];
    return [name, isSame && decided["reviewed"] === true ? decided : field];
  });
  return Object.fromEntries(kept) as JsonObject;
}
