import type { Client } from "#client/surface.ts";
import { CatalogError } from "#contract/errors.ts";
import type { JsonObject } from "#contract/values.ts";
import type { SeedStep } from "./plan.ts";
import type { PlannedChange } from "./changes.ts";

/** A planned change, and what it does to stored records. */
export interface WeighedChange extends Omit<PlannedChange, "abandons" | "demands"> {
  /** `possible`: the platform could not say whether records hold values there. */
  readonly dataLoss: "none" | "possible" | "certain";
  /** Records that hold a value there; null when the platform can't say. */
  readonly records?: number | null;
  /**
   * Records without a value that becomes required: they stay as they are, and nobody can save them
   * without it. Null when the platform can't say.
   */
  readonly recordsWithout?: number | null;
}

export interface WeighedStep {
  readonly step: SeedStep;
  readonly changes: readonly WeighedChange[];
}

/**
 * Looks up how many records hold values in what the plan gives up, and how many lack one in what it
 * makes required: one question for each.
 */
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
      const lost = abandons === undefined ? undefined : await count({ [abandons]: { $ne: null } });
      const without = demands === undefined ? undefined : await count(lacking(demands));
      changes.push({
        ...facts,
        dataLoss: lost === null ? "possible" : (lost ?? 0) > 0 ? "certain" : "none",
        ...(lost === undefined ? {} : { records: lost }),
        ...(without === undefined ? {} : { recordsWithout: without }),
      });
    }
    weighed.push({ step, changes });
  }
  return weighed;
}

/** Where the value is missing; a member is asked for only where the object around it is there. */
function lacking(path: string): JsonObject {
  const parent = path.slice(0, Math.max(0, path.lastIndexOf(".")));
  return parent === "" ? { [path]: null } : { [parent]: { $ne: null }, [path]: null };
}

/** How many records the filter finds; null where the platform does not answer that. */
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
    // A refusal of the filter is an answer; no connection or no sign-in is none.
    if (error instanceof CatalogError && error.status !== undefined && error.status !== 401) {
      return null;
    }
    throw error;
  }
}

const partWords = { type: "type", property: "property", link: "link", action: "action" } as const;

/** A change in words, the same on every platform. */
export function changeWords(change: WeighedChange): string {
  const { action, part, name, to, keywords } = change;
  const what = action === "add" && part === "type" ? "create" : `${action} ${partWords[part]}`;
  const details = [
    ...(to === undefined ? [] : [` to ${to}`]),
    ...(keywords === undefined ? [] : [` (${keywords.join(", ")})`]),
  ];
  const harm = [lossWords(change), lackWords(change)].filter((words) => words !== "").join("; ");
  return `${what} ${name}${details.join("")}${harm === "" ? "" : `: ${harm}`}`;
}

/** Whether records lose values, or can't be saved as they are any more. */
export function doesHarm({ dataLoss, recordsWithout }: WeighedChange): boolean {
  return dataLoss !== "none" || (recordsWithout !== undefined && recordsWithout !== 0);
}

function lossWords({ action, records, dataLoss }: WeighedChange): string {
  if (dataLoss === "none") return "";
  const where = action === "rename" ? " under the old name" : "";
  if (typeof records !== "number") return `records may hold values${where} that would be lost`;
  const verb = records === 1 ? "record holds a value" : "records hold values";
  return `${records} ${verb}${where} that would be lost`;
}

function lackWords({ recordsWithout }: WeighedChange): string {
  if (recordsWithout === undefined || recordsWithout === 0) return "";
  if (recordsWithout === null) return "records may lack it, and could not be saved without it";
  const verb = recordsWithout === 1 ? "record lacks it" : "records lack it";
  return `${recordsWithout} ${verb}, and can't be saved without it`;
}
