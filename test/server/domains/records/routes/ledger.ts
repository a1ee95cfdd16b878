import { expect } from "vitest";
import { field, type TestPlatform } from "#test/support/platform.ts";

/** An Object Type of both workspaces, and records of it. */

export const base = "/v4/data/resources/{tenant}";
export const unknownId = "0190a000-0000-7000-8000-0000000000ff";

const ledger = {
  name: "Ledger",
  slug: "ledger",
  properties: {
    reference: { type: "string", required: true, unique: true, searchable: true },
    title: { type: "string", maxLength: 20, searchable: true },
    status: { type: "enum", enum: ["open", "review", "closed"], default: "open", indexed: true },
    amount: { type: "number", minimum: 0, indexed: true },
    pieces: { type: "integer" },
    urgent: { type: "boolean" },
    received: { type: "date" },
    tags: { type: "array", items: { type: "string" } },
    address: { type: "object", properties: { city: { type: "string" } } },
    extra: { type: "object" },
    parent: { type: "reference", targetObjectType: "ledger" },
    decidedBy: { type: "string" },
    attachment: { type: "file" },
    plan: { type: "file", accept: ["application/pdf", "image/*"] },
  },
  actions: [
    {
      name: "close",
      parameters: { by: { type: "string", required: true, maxLength: 10 } },
      transition: { property: "status", from: ["open", "review"], to: "closed" },
      set: { decidedBy: { $parameter: "by" }, urgent: false },
    },
    { name: "escalate", requires: "tenant-builder", set: { urgent: true } },
    { name: "flag", requires: "tenant-viewer", set: { urgent: true } },
    {
      name: "restart",
      requires: "tenant-viewer",
      transition: { property: "status", from: ["closed"], to: "open" },
    },
  ],
};

/** Creates the type in both workspaces. */
export async function ensureLedger(the: TestPlatform): Promise<void> {
  for (const [user, workspace] of [
    ["tenant-builder", the.workspaces.tenant],
    ["outsider", the.workspaces.other],
  ] as const) {
    const headers = { "x-tenant-id": workspace };
    const made = await the.as(user).post("/v4/data/resources/object-types", ledger, { headers });
    expect([201, 409]).toContain(made.status);
  }
}

let count = 0;

/** A reference that no other record has. */
export function nextReference(): string {
  count += 1;
  return `L-${String(count).padStart(5, "0")}`;
}

/** A record of this workspace and one of another, as `{id}` and `{foreignId}`. */
export async function makeRecord(
  the: TestPlatform,
  data: object = {},
): Promise<{ id: string; foreignId: string; reference: string }> {
  await ensureLedger(the);
  const reference = nextReference();
  const { tenant, other } = the.workspaces;
  const made = await the
    .as("tenant-staff")
    .post(`/v4/data/resources/${tenant}/ledger`, { reference, ...data });
  expect(made.status, made.text).toBe(201);
  const foreign = await the
    .as("outsider")
    .post(`/v4/data/resources/${other}/ledger`, { reference, title: "foreign" });
  expect(foreign.status, foreign.text).toBe(201);
  return {
    id: String(field(made.json, "id")),
    foreignId: String(field(foreign.json, "id")),
    reference,
  };
}
