import type { Client } from "#client/surface.ts";
import { CatalogError } from "#contract/errors.ts";
import type { SeedStep } from "./plan.ts";
import type { PlannedChange } from "./changes.ts";

/** A planned change, and what it does to stored values. */
export interface WeighedChange extends Omit<PlannedChange, "abandons"> {
  /** `possible`: the platform could not say whether records hold values there. */
  readonly dataLoss: "none" | "possible" | "certain";
  /** Records that hold a value there; null when the platform can't say. */
  readonly records?: number | null;
}

export interface WeighedStep {
  readonly step: SeedStep;
  readonly changes: readonly WeighedChange[];
}

/** Looks up how many records hold values in what the plan gives up: one question for each. */
export async function weighPlan(
  client: Client,
  plan: readonly SeedStep[],
  signal: AbortSignal,
): Promise<WeighedStep[]> {
  const weighed: WeighedStep[] = [];
  for (const step of plan) {
    const changes: WeighedChange[] = [];
    for (const change of step.changes) {
      const { abandons, ...facts } = change;
      if (abandons === undefined) {
        changes.push({ ...facts, dataLoss: "none" });
        continue;
      }
      const records = await holding(client, step.type.slug, abandons, signal);
      const dataLoss = records === null ? "possible" : records > 0 ? "certain" : "none";
      changes.push({ ...facts, dataLoss, records });
    }
    weighed.push({ step, changes });
  }
  return weighed;
}

/** How many records have a value at the path; null where the platform does not answer that. */
async function holding(
  client: Client,
  slug: string,
  path: string,
  signal: AbortSignal,
): Promise<number | null> {
  try {
    const list = await client
      .useResources(slug)
      .list({ where: { [path]: { $ne: null } }, limit: 1, count: true, signal });
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
  return `${what} ${name}${details.join("")}${lossWords(change)}`;
}

function lossWords({ action, records, dataLoss }: WeighedChange): string {
  if (dataLoss === "none") return "";
  const where = action === "rename" ? " under the old name" : "";
  if (typeof records !== "number") return `: records may hold values${where} that would be lost`;
  const verb = records === 1 ? "record holds a value" : "records hold values";
  return `: ${records} ${verb}${where} that would be lost`;
}
