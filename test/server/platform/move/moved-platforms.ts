import { copyFile, mkdir } from "node:fs/promises";
import { join } from "node:path";
import { expect, onTestFinished } from "vitest";
import { createTestPlatform, field, type TestPlatform } from "#test/support/platform.ts";
import { createTestDatabase } from "#test/support/postgres.ts";
import { temporaryDirectory } from "#test/support/temporary.ts";

export interface Place {
  readonly dataDirectory: string;
  readonly databaseUrl: string | undefined;
}

export async function sqlitePlace(): Promise<Place> {
  return { dataDirectory: await temporaryDirectory("moved"), databaseUrl: undefined };
}

export async function postgresqlPlace(): Promise<Place> {
  const server = await createTestDatabase();
  onTestFinished(() => server.drop());
  return { dataDirectory: await temporaryDirectory("moved-pg"), databaseUrl: server.url };
}

export const urlOf = ({ dataDirectory, databaseUrl }: Place): string =>
  databaseUrl ?? `sqlite:${join(dataDirectory, "svc.db")}`;

export async function startAt(place: Place, residents?: TestPlatform): Promise<TestPlatform> {
  const url = urlOf(place);
  const engine = place.databaseUrl === undefined ? "sqlite" : "postgresql";
  const path = engine === "sqlite" ? url.slice("sqlite:".length) : undefined;
  const the = await createTestPlatform({
    database: { engine, url, path, drop: async () => {} },
    options: { dataDirectory: place.dataDirectory },
    ...(residents && { residents: { workspaces: residents.workspaces, users: residents.users } }),
  });
  onTestFinished(() => the.close());
  return the;
}

/** The next platform needs the key file of the one before. */
export async function passKey(from: Place, to: Place): Promise<void> {
  await mkdir(to.dataDirectory, { recursive: true });
  await copyFile(join(from.dataDirectory, "svc.key"), join(to.dataDirectory, "svc.key"));
}

const noteType = {
  name: "Note",
  slug: "note",
  properties: {
    text: { type: "string", indexed: true, searchable: true },
    number: { type: "integer", indexed: true, unique: true },
    plan: { type: "file" },
  },
};

export async function fill(the: TestPlatform): Promise<void> {
  const headers = { "x-tenant-id": the.workspaces.tenant };
  const types = "/v4/data/resources/object-types";
  expect((await the.as("tenant-builder").post(types, noteType, { headers })).status).toBe(201);
  // Texts beyond ASCII have sort keys, whose form differs between the engines.
  const items = Array.from({ length: 300 }, (_, number) => ({
    text: `${number % 3 === 0 ? "Ärger" : "joy"} number ${number}`,
    number,
  }));
  const path = `/v4/data/resources/${the.workspaces.tenant}/note/batch/create`;
  const made = await the.as("tenant-staff").post(path, { items });
  expect(made.status, made.text).toBeLessThan(300);
}

export const notes = (the: TestPlatform): string =>
  `/v4/data/resources/${the.workspaces.tenant}/note`;

export async function addNote(the: TestPlatform, number: number): Promise<string> {
  const made = await the
    .as("tenant-staff")
    .post(notes(the), { text: `joy late ${number}`, number });
  expect(made.status, made.text).toBe(201);
  return String(field(made.json, "id"));
}

/** The number of records that a search for a word finds, at most 100. */
export async function found(the: TestPlatform, query: string): Promise<number> {
  const path = `/v4/data/resources/${the.workspaces.tenant}/search`;
  const body = { query, mode: "fulltext", limit: 100 };
  const answer = await the.as("tenant-viewer").post(path, body);
  expect(answer.status, answer.text).toBe(200);
  const hits = field(answer.json, "results") ?? field(answer.json, "items");
  return Array.isArray(hits) ? hits.length : -1;
}

/** Gives a note a file, and returns the path of the file. */
export async function addPlan(the: TestPlatform, id: string): Promise<string> {
  const path = `${notes(the)}/${id}/files/plan`;
  const staff = the.as("tenant-staff");
  const made = await staff.post(`${path}?filename=plan.txt`, undefined, { rawBody: "A plan." });
  expect(made.status, made.text).toBe(201);
  return path;
}
