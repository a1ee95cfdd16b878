import { expect } from "vitest";
import { field, type TestPlatform } from "#test/support/platform.ts";

export const absent = "01900000-0000-7000-8000-00000000dead";
export const lowRoles = ["tenant-viewer", "tenant-staff", "tenant-builder"] as const;

let count = 0;

export function newSlug(): string {
  return `own-${(count += 1)}`;
}

/** A new child of `tenant` with the tenant's admin as its admin. */
export async function ownChild(
  the: TestPlatform,
  parent = the.workspaces.tenant,
  slug = newSlug(),
): Promise<string> {
  const admin = the.as("tenant-admin");
  const children = `/v4/platform/tenants/${parent}/children`;
  const made = await admin.post(children, { slug, displayName: slug });
  const id = String(field(made.json, "id"));
  expect((await admin.post(`${children}/${id}/bootstrap-admin`)).status).toBe(200);
  return id;
}

export const named = async (the: TestPlatform) => ({ own: await ownChild(the) });
