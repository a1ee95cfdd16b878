import { expect } from "vitest";
import { field, type ApiCase, type TestPlatform } from "#test/support/platform.ts";

/** An Object Type of both workspaces, records of it, and who may not ask for them. */

export const base = "/v4/data/resources/{tenant}";
export const unknownId = "0190a000-0000-7000-8000-0000000000ff";

const ledger = {
  name: "Ledger",
  slug: "ledger",
  properties: {
    reference: { type: "string", required: true, unique: true },
    title: { type: "string", maxLength: 20 },
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
  ],
};

/** The same type in the outsider's workspace as well. */
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

export interface GuardedRoute {
  readonly method: "GET" | "POST";
  /** Below the workspace; with `{id}` where the route is of one record. */
  readonly path: string;
  readonly needs: "tenant-viewer" | "tenant-staff";
  readonly body?: object;
}

/** Each caller that may not, another workspace, and what is not there. */
export function refusalsOf(route: GuardedRoute): ApiCase[] {
  const { method, path, needs, body } = route;
  const common = {
    method,
    path,
    before: (the: TestPlatform) => makeRecord(the),
    ...(body === undefined ? {} : { body }),
  };
  const cases: ApiCase[] = [
    {
      ...common,
      name: "nobody is refused",
      as: "nobody",
      expect: { status: 401, code: "unauthenticated" },
    },
    {
      ...common,
      name: "an outsider finds nothing",
      as: "outsider",
      expect: { status: 404, code: "not-found", excludes: ["foreign"] },
    },
  ];
  if (needs === "tenant-staff") {
    cases.push({
      ...common,
      name: "a viewer is refused",
      as: "tenant-viewer",
      expect: {
        status: 403,
        code: "permission-denied",
        body: { requiredRole: "tenant-staff", currentRole: "tenant-viewer" },
      },
    });
  }
  if (path.includes("/ledger")) {
    cases.push({
      ...common,
      name: "an unknown Object Type is not found",
      path: path.replace("/ledger", "/no-such-type"),
      expect: { status: 404, code: "not-found" },
    });
  }
  if (!path.includes("{id}")) return cases;
  const places = [
    ["another workspace's record is not found", "{foreignId}"],
    ["a record that never was is not found", unknownId],
  ] as const;
  for (const [name, id] of places) {
    cases.push({
      ...common,
      name,
      path: path.replace("{id}", id),
      expect: { status: 404, code: "not-found", excludes: ["foreign"] },
    });
  }
  cases.push({
    ...common,
    name: "an id that is none is refused",
    path: path.replace("{id}", "nonsense"),
    expect: { status: 422, code: "validation-failed", pointers: ["#/path/id"] },
  });
  return cases;
}
