import { expect, onTestFinished, test } from "vitest";
import type { ArchiveImport } from "#contract/workspaces/archives.ts";
import { eventually } from "#test/support/eventually.ts";
import { createTestPlatform, field } from "#test/support/platform.ts";
import { createSqliteDatabase } from "#test/support/postgres.ts";
import { temporaryDirectory } from "#test/support/temporary.ts";
import { takenArchive } from "../world.ts";

test("an import that a stop interrupts continues, and counts each line once", async () => {
  const database = await createSqliteDatabase();
  onTestFinished(() => database.drop());
  const options = { dataDirectory: await temporaryDirectory("interrupted-import") };
  const first = await createTestPlatform({ database, options });
  const { tenant, other } = first.workspaces;
  const headers = { "x-tenant-id": tenant };
  const type = { name: "Tree", slug: "tree", properties: { tag: { type: "string" } } };
  const types = "/v4/data/resources/object-types";
  expect((await first.as("tenant-builder").post(types, type, { headers })).status).toBe(201);
  const path = `/v4/data/resources/${tenant}/tree/batch/create`;
  for (let chunk = 0; chunk < 3; chunk += 1) {
    const items = Array.from({ length: 1_000 }, (_, at) => ({ tag: `${chunk}-${at}` }));
    expect((await first.as("tenant-staff").post(path, { items })).status).toBeLessThan(300);
  }
  const { bytes } = await takenArchive(first, tenant, { groups: ["types", "records"] });
  const imports = `/v4/platform/tenants/${other}/archive-imports`;
  const started = await first.as("outsider").post(imports, undefined, {
    headers: { "content-type": "application/octet-stream" },
    rawBody: bytes,
  });
  const id = String(field(started.json, "id"));
  await eventually(async () => {
    const state = await first.as("outsider").get(`${imports}/${id}`);
    expect(field(state.json, "parts"), state.text).toBeDefined();
  });
  await first.close();

  const second = await createTestPlatform({
    database,
    options,
    residents: { workspaces: first.workspaces, users: first.users },
  });
  onTestFinished(() => second.close());
  const ended = await eventually(async () => {
    const state = await second.as("outsider").get(`${imports}/${id}`);
    expect(["queued", "running", "interrupted"]).not.toContain(field(state.json, "status"));
    return state.json as ArchiveImport;
  });
  expect(ended, JSON.stringify(ended)).toMatchObject({ status: "succeeded", error: null });
  expect(ended.parts).toContainEqual({
    name: "records/tree",
    stored: 3_000,
    leftOut: 0,
    refused: 0,
  });
  const counted = `/v4/data/resources/${other}/tree?limit=1&count=true`;
  expect(field((await second.as("outsider").get(counted)).json, "total")).toBe(3_000);
});
