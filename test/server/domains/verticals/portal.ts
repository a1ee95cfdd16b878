import { expect } from "vitest";
import type { TestPlatform } from "#test/support/platform.ts";
import { withAppTypes } from "../apps/world.ts";
import { ensureLedger } from "../records/routes/ledger.ts";

/** The names that the portal has for properties of the type `ledger`. */
const fields = { number: "reference", label: "title", state: "status" };
const open = { status: { $in: ["open", "review"] } };

/** The routes of the product `portal` over the type `ledger`. */
const routes = [
  { method: "GET", path: "entries", type: "ledger", where: open, fields },
  { method: "GET", path: "entries/{number}", type: "ledger", where: open, fields },
  {
    method: "POST",
    path: "entries",
    type: "ledger",
    where: { status: "open" },
    fields,
    body: {
      type: "object",
      required: ["number"],
      properties: { number: { type: "string" }, label: { type: "string" } },
      additionalProperties: false,
    },
  },
  { method: "PUT", path: "entries/{number}", type: "ledger", fields },
  { method: "PATCH", path: "entries/{number}", type: "ledger", fields },
  { method: "DELETE", path: "entries/{number}", type: "ledger", fields },
  { method: "POST", path: "entries/{number}/closing", type: "ledger", action: "close", fields },
  { method: "POST", path: "questions", workflow: "planning-assistant" },
];

const enrolled = new WeakMap<TestPlatform, Promise<void>>();

/** Enrolls the product `portal` in the workspace `tenant`, once for each platform. */
export function enrolledPortal(the: TestPlatform): Promise<void> {
  const pending = enrolled.get(the) ?? enroll(the, "portal", routes);
  enrolled.set(the, pending);
  return pending;
}

/** Enrolls a product whose binding declares these routes. */
export async function enroll(
  the: TestPlatform,
  key: string,
  declared: readonly object[],
): Promise<void> {
  const { tenant } = the.workspaces;
  await withAppTypes(the, tenant);
  await ensureLedger(the);
  const builder = the.as("tenant-builder");
  const records = `/v4/data/resources/${tenant}`;
  for (const [type, data] of [
    ["tenant-vertical-enrollment", { vertical_key: key, display_name: "Portal", status: "active" }],
    [
      "vertical-product-config",
      {
        vertical_key: key,
        workflow_key: `of-${key}`,
        status: "active",
        config: { routes: declared },
      },
    ],
  ] as const) {
    const made = await builder.post(`${records}/${type}`, data);
    expect(made.status, made.text).toBe(201);
  }
}
