import { copyFile } from "node:fs/promises";
import { join } from "node:path";
import { expect } from "vitest";
import { afterEveryTest } from "#test/support/cleanup.ts";
import { createTestPlatform, field, type TestPlatform } from "#test/support/platform.ts";
import { temporaryDirectory } from "#test/support/temporary.ts";

/** Platforms to close after each test; a test that closes one removes it. */
export const running: TestPlatform[] = [];

afterEveryTest(async () => {
  for (const platform of running.splice(0)) await platform.close();
});

/** A platform whose database is in its data directory, as `svc serve` has it. */
export async function start(): Promise<TestPlatform> {
  const directory = await temporaryDirectory("data");
  const path = join(directory, "svc.db");
  const platform = await createTestPlatform({
    database: { engine: "sqlite", url: `sqlite:${path}`, path, drop: async () => {} },
    options: { dataDirectory: directory },
  });
  running.push(platform);
  return platform;
}

/** Copies the key file, which a backup does not hold, to a restored directory. */
export async function copyKey(the: TestPlatform, dataDirectory: string): Promise<void> {
  await copyFile(join(the.dataDirectory, "svc.key"), join(dataDirectory, "svc.key"));
}

const noteType = {
  name: "Note",
  slug: "note",
  properties: {
    text: { type: "string", indexed: true },
    number: { type: "integer", indexed: true, unique: true },
  },
};

/** An Object Type with an index of each kind. */
export async function makeNotes(the: TestPlatform): Promise<void> {
  const headers = { "x-tenant-id": the.workspaces.tenant };
  const path = "/v4/data/resources/object-types";
  const made = await the.as("tenant-builder").post(path, noteType, { headers });
  expect(made.status).toBe(201);
}

/** Creates a record, and returns its ID. */
export async function makeNote(the: TestPlatform, number: number): Promise<string> {
  const path = `/v4/data/resources/${the.workspaces.tenant}/note`;
  const made = await the.as("tenant-staff").post(path, { text: `note ${number}`, number });
  expect(made.status, made.text).toBe(201);
  return String(field(made.json, "id"));
}
