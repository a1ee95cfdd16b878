import { type ApiCase } from "#test/support/api-cases.ts";
import { type TestPlatform } from "#test/support/platform.ts";
import { makeRecord, nextReference } from "../routes/ledger.ts";

/** Two new references, as `{one}` and `{two}`, and a stored record. */
export async function fresh(the: TestPlatform): Promise<Record<string, string>> {
  const { id, reference, foreignId } = await makeRecord(the, { title: "stored" });
  return { id, taken: reference, foreignId, one: nextReference(), two: nextReference() };
}

export function staff(
  path: string,
  wanted: Omit<ApiCase, "as" | "method" | "path" | "before">,
): ApiCase {
  return { as: "tenant-staff", method: "POST", path, before: fresh, ...wanted };
}
