import { expect } from "vitest";
import { caller, field, type TestPlatform } from "#test/support/platform.ts";
import { text } from "../world.ts";

export interface Made {
  readonly id: string;
  readonly token: string;
  readonly call: ReturnType<typeof caller>;
}

/** A key that the installation's administrator has made. */
export async function newKey(
  the: TestPlatform,
  workspace: string,
  body: Readonly<Record<string, unknown>> = { role: "tenant-staff" },
): Promise<Made> {
  const keys = `/v4/platform/tenants/${workspace}/keys`;
  const made = await the.as("system-admin").post(keys, { name: "Import", ...body });
  expect(made.status).toBe(201);
  const token = text(made, "token");
  const call = caller((request) => the.platform.fetch(request), token);
  return { id: String(field(field(made.json, "key"), "keyId")), token, call };
}
