import { expect } from "vitest";
import {
  caller,
  field,
  type Answered,
  type Caller,
  type TestPlatform,
} from "#test/support/platform.ts";

/** Steps that several tests of members share. */

const tokenLifetimeMs = 60 * 60 * 1000;

export function text({ json }: Answered, name: string): string {
  return String(field(json, name));
}

export async function newRoot(the: TestPlatform): Promise<string> {
  const slug = `root-${crypto.randomUUID().slice(0, 8)}`;
  const body = { slug, displayName: `Root ${slug}`, homeRegion: "eu" };
  const made = await the.as("system-admin").post("/v4/platform/tenants", body);
  expect(made.status).toBe(201);
  return text(made, "id");
}

export function membersPath(workspace: string): string {
  return `/v4/platform/tenants/${workspace}/members`;
}

/** Invites as the installation's administrator, and returns the secret. */
export async function invite(
  the: TestPlatform,
  workspace: string,
  body: Readonly<Record<string, unknown>>,
): Promise<string> {
  const answered = await the.as("system-admin").post(`${membersPath(workspace)}/invite`, body);
  expect(answered.status).toBe(201);
  return text(answered, "secret");
}

export interface Person {
  readonly oid: string;
  readonly email: string;
  readonly memberId: string;
  readonly token: string;
  readonly call: Caller;
}

/** A new person who has accepted an invitation of the installation's administrator. */
export async function newMember(
  the: TestPlatform,
  workspace: string,
  role: Readonly<Record<string, unknown>> = { role: "tenant-viewer" },
): Promise<Person> {
  const email = `p-${crypto.randomUUID().slice(0, 8)}@example.org`;
  const secret = await invite(the, workspace, { email, ...role });
  const { oid } = await the.platform.services.invitations.admit(secret);
  return personOf(the, workspace, email, oid);
}

async function personOf(
  the: TestPlatform,
  workspace: string,
  email: string,
  oid: string,
): Promise<Person> {
  const { token } = await the.platform.mintToken({ email, ttlMs: tokenLifetimeMs });
  const path = `/v4/platform/tenants/${workspace}/users/by-email?email=${email}`;
  const found = await the.as("system-admin").get(path);
  const memberId = text(found, "memberId");
  const call = caller((request) => the.platform.fetch(request), token);
  return { oid, email, memberId, token, call };
}
