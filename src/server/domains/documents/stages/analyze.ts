import type { JsonObject } from "#contract/values.ts";
import { isJsonObject } from "#lib/json-value.ts";
import type { JobError } from "../../../jobs/store.ts";
import { readFields } from "../service.ts";
import { completeStage, withoutModel, type Stage } from "./stage.ts";

/** Finds the fields of the document; a value that a user corrected stays. */
export const analyze: Stage = async (tools, work) => {
  const { document, job } = work;
  const configured = tools.understanding?.fields;
  const found = await readFields(job.work, document, configured, job.signal);
  const fields = { ...found, ...reviewedFields(document.fields, found) };
  const error = modelErrorOf(fields);
  await completeStage(
    tools,
    work,
    "analyze",
    { fields },
    async (tx) => tools.understanding?.review(tx, document, { fields }),
    error,
  );
  return error;
};

function reviewedFields(before: JsonObject | null, found: JsonObject): JsonObject {
  const kept = Object.entries(before ?? {}).filter(
    ([name, field]) => name in found && isJsonObject(field) && field["reviewed"] === true,
  );
  return Object.fromEntries(kept);
}

function modelErrorOf(fields: JsonObject): JobError | undefined {
  const failed = Object.entries(fields).flatMap(([name, field]) => {
    const reason = isJsonObject(field) ? field["modelError"] : undefined;
    return typeof reason === "string" ? [{ name, reason }] : [];
  });
  const [first] = failed;
  if (first === undefined) return undefined;
  const left =
    failed.length === 1 ? `the field ${first.name} is left` : `${failed.length} fields are left`;
  return withoutModel(first.reason, left);
}
