import { expect } from "vitest";
import { field, type TestPlatform } from "./platform.ts";

/** An id that nothing has. */
export const unknownId = "0190a000-0000-7000-8000-0000000000ff";
/** Where a workspace's records lie, with the name that `apiCases` fills in. */
export const base = "/v4/data/resources/{tenant}";

/** An Object Type with a property of every kind. */
const casework = {
  name: "Casework",
  slug: "casework",
  properties: {
    reference: { type: "string", required: true, unique: true, pattern: "^C-\\d+$" },
    title: { type: "string", minLength: 2, maxLength: 20 },
    status: { type: "enum", enum: ["open", "closed"], default: "open", indexed: true },
    amount: { type: "number", minimum: 0, maximum: 1000, indexed: true },
    pieces: { type: "integer" },
    urgent: { type: "boolean" },
    received: { type: "date" },
    closedAt: { type: "datetime" },
    contact: { type: "email" },
    website: { type: "url" },
    address: {
      type: "object",
      properties: { city: { type: "string", required: true }, floor: { type: "integer" } },
    },
    tags: { type: "array", items: { type: "string" }, maxItems: 3 },
    extra: { type: "object" },
    parent: { type: "reference", targetObjectType: "casework" },
    place: { type: "geopoint" },
    plan: { type: "file" },
  },
  linkTypes: [{ name: "related", targetObjectType: "casework", cardinality: "many" }],
};

let count = 0;
/** A value of the unique property that no record has yet. */
export const nextReference = (): string => {
  count += 1;
  return `C-${count}`;
};

/** The type in the test's own workspace and in the outsider's. */
export async function ensureTypes(the: TestPlatform): Promise<void> {
  const headers = { "x-tenant-id": the.workspaces.tenant };
  const made = await the
    .as("tenant-builder")
    .post("/v4/data/resources/object-types", casework, { headers });
  expect([201, 409]).toContain(made.status);
  const foreign = await the.as("outsider").post("/v4/data/resources/object-types", casework, {
    headers: { "x-tenant-id": the.workspaces.other },
  });
  expect([201, 409]).toContain(foreign.status);
}

/** A record of this workspace, and one of another: `{id}` and `{foreignId}`. */
export async function make(
  the: TestPlatform,
  data: object = {},
): Promise<{ id: string; reference: string; foreignId: string }> {
  await ensureTypes(the);
  const reference = nextReference();
  const { tenant, other } = the.workspaces;
  const made = await the
    .as("tenant-staff")
    .post(`/v4/data/resources/${tenant}/casework`, { reference, ...data });
  expect(made.status, made.text).toBe(201);
  const foreign = await the
    .as("outsider")
    .post(`/v4/data/resources/${other}/casework`, { reference, title: "foreign" });
  return {
    id: String(field(made.json, "id")),
    reference,
    foreignId: String(field(foreign.json, "id")),
  };
}
