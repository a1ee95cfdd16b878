import type { Client } from "#client/surface.ts";
import { CatalogError } from "#contract/errors.ts";
import type { JsonObject } from "#contract/values.ts";
import { given } from "#lib/given.ts";
import type { SeedStep } from "./plan.ts";
import type { PlannedChange } from "./changes.ts";

export interface WeighedChange extends Omit<PlannedChange, "abandons" | "demands"> {
  /** `possible`: the platform could not count the records with values. */
  readonly dataLoss: "none" | "possible" | "certain";
  /** Records with a value at the path; null when the platform can't count them. */
  readonly records?: number | null;
  /** Records that can't be saved again without the new value; null when they can't be counted. */
  readonly recordsWithout?: number | null;
}

export interface WeighedStep {
  readonly step: SeedStep;
  readonly changes: readonly WeighedChange[];
}

/** Counts the records that would lose values or lack required ones, with one request per count. */
export async function weighPlan(
  client: Client,
  plan: readonly SeedStep[],
  signal: AbortSignal,
): Promise<WeighedStep[]> {
  const weighed: WeighedStep[] = [];
  for (const step of plan) {
    const count = (where: JsonObject): Promise<number | null> =>
      countRecords(client, step.type.slug, where, signal);
    const changes: WeighedChange[] = [];
    for (const { abandons, demands, ...facts } of step.changes) {
      // Values of a link without a name have no known path to count.
      const unknown = facts.target === undefined ? undefined : null;
      const lost = abandons === undefined ? unknown : await count({ [abandons]: { $ne: null } });
      const isNew = facts.action !== "change";
      const without = demands === undefined ? undefined : await count(lacking(demands, isNew));
      changes.push({
        ...facts,
        dataLoss: lost === null ? "possible" : (lost ?? 0) > 0 ? "certain" : "none",
        ...given({ records: lost, recordsWithout: without }),
      });
    }
    weighed.push({ step, changes });
  }
  return weighed;
}

/**
 * The filter for a missing value. A member counts as missing only if its object exists. Platforms
 * refuse the name of a property that they do not have yet: all records lack its value.
 */
function lacking(path: string, isNew: boolean): JsonObject {
  const parent = path.slice(0, Math.max(0, path.lastIndexOf(".")));
  return {
    ...(parent === "" ? {} : { [parent]: { $ne: null } }),
    ...(isNew ? {} : { [path]: null }),
  };
}

/** The number of records that match; null if the platform can't count them. */
async function countRecords(
  client: Client,
  slug: string,
  where: JsonObject,
  signal: AbortSignal,
): Promise<number | null> {
  try {
    const list = await client.useResources(slug).list({ where, limit: 1, count: true, signal });
    return list.total ?? null;
  } catch (error) {
    // A refused filter means that the platform can't count; other errors are rethrown.
    if (error instanceof CatalogError && error.status !== undefined && error.status !== 401) {
      return null;
    }
    throw error;
  }
}

export function changeWords(change: WeighedChange): string {
  const { action, part, name, target, to, keywords } = change;
  const verb = action === "add" && part === "type" ? "create" : `${action} ${part}`;
  const subject =
    target === undefined ? `${verb} ${name}` : `${action} unnamed ${part} to ${target}`;
  const details = [
    ...(to === undefined ? [] : [` to ${to}`]),
    ...(keywords === undefined ? [] : [` (${keywords.join(", ")})`]),
  ];
  const harm = [lossWords(change), lackWords(change)].filter((words) => words !== "").join("; ");
  return `${subject}${details.join("")}${harm === "" ? "" : `: ${harm}`}`;
}

/** Returns whether records lose values, or can no longer be saved unchanged. */
export function doesHarm({ dataLoss, recordsWithout }: WeighedChange): boolean {
  return dataLoss !== "none" || (recordsWithout !== undefined && recordsWithout !== 0);
}

function lossWords({ action, records, dataLoss }: WeighedChange): string {
  if (dataLoss === "none") return "";
  const where = action === "rename" ? " under the old name" : "";
  if (typeof records !== "number") return `records may have values${where} that would be lost`;
  const verb = records === 1 ? "record has a value" : "records have values";
  return `${records} ${verb}${where} that would be lost`;
}

function lackWords({ recordsWithout }: WeighedChange): string {
  if (recordsWithout === undefined || recordsWithout === 0) return "";
  if (recordsWithout === null) return "records may lack it, and could not be saved without it";
  const verb = recordsWithout === 1 ? "record lacks it" : "records lack it";
  return `${recordsWithout} ${verb}, and can't be saved without it`;
}
