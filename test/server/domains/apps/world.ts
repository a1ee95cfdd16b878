import { expect } from "vitest";
import { field, type Answered, type TestPlatform, type TestUser } from "#test/support/platform.ts";
import { ownChild } from "../workspaces/own-child.ts";

const types = "/v4/data/resources/object-types";

/** Publishes the types of the blank template in a workspace without them. */
export async function withAppTypes(the: TestPlatform, workspace: string): Promise<void> {
  const admin = the.as("tenant-admin");
  const template = await admin.get("/v4/platform/starter-templates/blank-vertical-template");
  for (const type of field(template.json, "objectTypes") as { slug: string }[]) {
    const made = await admin.post(types, type, { headers: { "x-tenant-id": workspace } });
    expect([201, 409]).toContain(made.status);
  }
}

let count = 0;

/** A new app of `tenant`, and a child in which it may run. */
export async function newApp(the: TestPlatform) {
  const { tenant } = the.workspaces;
  await withAppTypes(the, tenant);
  count += 1;
  const key = `portal-${count}`;
  const body = { key, displayName: "Portal" };
  const made = await the.as("tenant-builder").post(`/v4/platform/tenants/${tenant}/apps`, body);
  expect(made.status).toBe(201);
  return { key, free: `free-${count}` };
}

export async function newAppWithChild(the: TestPlatform) {
  return { ...(await newApp(the)), runtime: await ownChild(the) };
}

/** Reads a job until it has ended. */
export async function ended(
  the: TestPlatform,
  path: string,
  as: TestUser = "tenant-admin",
): Promise<Answered> {
  for (;;) {
    const read = await the.as(as).get(path);
    expect(read.status).toBe(200);
    if (/^(?:ready|failed)$/.test(String(field(read.json, "status")))) return read;
    await Bun.sleep(5);
  }
}
