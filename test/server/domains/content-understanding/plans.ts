import { expect } from "vitest";
import { field, type TestPlatform } from "#test/support/platform.ts";
import { of } from "../classifiers/world.ts";

export const base = "/v4/data/documents/content-understanding";
export const headers = { "x-tenant-id": "{tenant}" };

export async function plan(the: TestPlatform, body: object): Promise<string> {
  const made = await the.as("tenant-viewer").post(`${base}/plans`, body, of(the));
  expect(made.status, made.text).toBe(200);
  return String(field(made.json, "digest"));
}

export function apply(the: TestPlatform, body: object, digest: string, id: string) {
  const fields = { "if-match": `"${digest}"`, "operation-id": id };
  const sent = { headers: { ...of(the).headers, ...fields } };
  return the.as("tenant-builder").post(`${base}/operations`, body, sent);
}
