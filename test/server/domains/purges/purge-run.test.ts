import { Database } from "bun:sqlite";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { compact } from "#server/domains/purges/purge-run.ts";
import { openPlatformDatabase } from "#server/schema/platform-database.ts";
import type { RunningPlatform } from "#test/support/platform-process.ts";
import { eventually } from "#test/support/eventually.ts";
import { createPlatformTables } from "#test/support/prepared.ts";
import { oneThread, startPlatform, svcExecutable } from "#test/support/svc.ts";
import { temporaryDirectory } from "#test/support/temporary.ts";
import { testWorks } from "#test/support/work.ts";

beforeAll(async () => void (await svcExecutable()), 300_000);

test("a log that a checkpoint keeps for a moment is emptied after it", async () => {
  const { url } = await createPlatformTables("sqlite");
  const database = await openPlatformDatabase({ url });
  try {
    const { work } = testWorks(database);
    const answers = [false, false, true];
    expect(await compact(work, async () => answers.shift() ?? true, 5_000)).toBe(true);
    expect(answers).toEqual([]);
    expect(await compact(work, async () => false, 0)).toBe(false);
  } finally {
    await database.close();
  }
});

const batches = 12;
const batchSize = 500;
const files = 20;

async function callerOf(platform: RunningPlatform) {
  const authorization = `Bearer ${await platform.token()}`;
  const send = (path: string, body?: unknown, headers = {}): Promise<Response> =>
    fetch(platform.url + path, {
      method: "POST",
      headers: { authorization, "content-type": "application/json", ...headers },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
  const post = async (path: string, body?: unknown, headers = {}) => {
    const response = await send(path, body, headers);
    if (!response.ok) throw new Error(`${path}: ${await response.text()}`);
    return (await response.json()) as Record<string, unknown>;
  };
  return { send, post };
}

test("kill -9 during a purge: the next start finishes it, and the receipt is true", async () => {
  const dataDir = await temporaryDirectory("killed-purge");
  const first = await startPlatform({ dataDir, args: [oneThread] });
  const { send, post } = await callerOf(first);
  const root = { slug: "root", displayName: "Root", homeRegion: "eu" };
  const parent = String((await post("/v4/platform/tenants", root))["id"]);
  const children = `/v4/platform/tenants/${parent}/children`;
  const child = String((await post(children, { slug: "desk", displayName: "Desk" }))["id"]);
  await post(`${children}/${child}/bootstrap-admin`);
  const type = {
    name: "Case",
    slug: "case",
    properties: { title: { type: "string", searchable: true }, plan: { type: "file" } },
  };
  await post("/v4/data/resources/object-types", type, { "x-tenant-id": child });
  const cases = `/v4/data/resources/${child}/case`;
  for (let batch = 0; batch < batches; batch += 1) {
    const items = Array.from({ length: batchSize }, (_, index) => ({
      data: { title: `zqkilled ${batch} ${index}` },
    }));
    await post(`${cases}/batch/create`, { items });
  }
  for (let number = 0; number < files; number += 1) {
    const { id } = await post(cases, { title: "zqkilled with a plan" });
    await post(`${cases}/${String(id)}/files/plan?filename=plan.txt`, `zqkilled ${number}`);
  }

  expect(await readdir(join(dataDir, "blobs"))).toContain(child);

  const purge = `${children}/${child}/delete`;
  const lost = send(purge).catch(() => undefined);
  const path = join(dataDir, "svc.db");
  await eventually(() => {
    using database = new Database(path, { readonly: true });
    const row = database
      .query<{ state: string; counts: string }, []>("select * from workspace_purges")
      .get();
    expect(row).toMatchObject({ state: "running" });
    expect(JSON.parse(row?.counts ?? "{}")).toHaveProperty("records");
  });
  await first.kill();
  await lost;

  await using second = await startPlatform({ dataDir, args: [oneThread] });
  const again = await callerOf(second);
  expect(await again.post(purge)).toMatchObject({
    childId: child,
    parentId: parent,
    status: "hard_purged",
    removed: {
      workspaces: 1,
      members: 1,
      objectTypes: 6,
      records: batches * batchSize + files,
      historyEntries: batches * batchSize + 2 * files,
      recordFiles: files,
      files,
    },
  });
  expect(await readdir(join(dataDir, "blobs"))).not.toContain(child);
  for (const name of await readdir(dataDir)) {
    const bytes = Buffer.from(
      await Bun.file(join(dataDir, name))
        .bytes()
        .catch(() => []),
    );
    expect({ name, found: bytes.includes("zqkilled") }).toEqual({ name, found: false });
  }
}, 120_000);
