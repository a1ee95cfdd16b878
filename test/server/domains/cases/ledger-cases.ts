import type { TestPlatform } from "#test/support/platform.ts";
import { makeRecord, nextReference } from "../records/routes/ledger.ts";
import type { BadCase } from "./route-case.ts";

/** A record here, as `{id}` and `{reference}`, one elsewhere, `{foreignId}`, and new references. */
export async function record(the: TestPlatform): Promise<Record<string, string>> {
  const made = await makeRecord(the, { title: "a title", amount: 5 });
  return { ...made, fresh: nextReference(), other: nextReference() };
}

export const ledger = { objectType: "ledger" };
export const one = { objectType: "ledger", id: "{id}" };
export function bodies(...cases: readonly [string, unknown, ...string[]][]): BadCase[] {
  return cases.map(([name, body, ...pointers]) => ({ name, body, pointers }));
}
