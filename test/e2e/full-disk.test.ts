import { rm, writeFile } from "node:fs/promises";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { integrityOf } from "#test/support/drills/crashes.ts";
import { eventually } from "#test/support/eventually.ts";
import { DrillSession, memberOf, type DrillAnswer } from "#test/support/drills/session.ts";
import { describeNeeding } from "#test/support/needs.ts";
import { oneThread, startPlatform } from "#test/support/svc.ts";
import { temporaryDirectory } from "#test/support/temporary.ts";
import { missingTmpfs, mountTmpfs } from "#test/support/tmpfs.ts";

const mebibyte = 1024 * 1024;
const note = "n".repeat(20_000);

/** All files below a directory, but not the database's own. */
async function storedFiles(dataDir: string): Promise<string[]> {
  const found = await readdir(dataDir, { recursive: true, withFileTypes: true });
  return found
    .filter((entry) => entry.isFile() && !entry.name.startsWith("svc.db"))
    .map((entry) => join(entry.parentPath, entry.name))
    .toSorted();
}

/** Until the platform refuses; answers the refusal and how many it had taken. */
async function untilRefused(
  call: (turn: number) => Promise<DrillAnswer>,
): Promise<{ taken: number; refusal: DrillAnswer }> {
  for (let turn = 0; turn < 10_000; turn += 1) {
    const answer = await call(turn);
    if (answer.status >= 300) return { taken: turn, refusal: answer };
  }
  throw new Error("the disk did not get full");
}

describeNeeding("a platform on a disk that gets full", missingTmpfs, () => {
  test("refuses writes with 507, reads on, leaves nothing half made, and writes again with room", async () => {
    const dataDir = await temporaryDirectory("full");
    await using _mounted = await mountTmpfs(dataDir, 24 * mebibyte);
    const platform = await startPlatform({ dataDir, args: [oneThread] });
    const session = await DrillSession.create(platform);
    const first = await session.expect(201, "POST", "", { marker: "first", note });
    const path = `/${String(memberOf(first.json, "id"))}`;
    const application = await session.makeApplication();
    // A content that no other document has.
    const textOf = (bytes: number) =>
      Buffer.alloc(bytes, `${crypto.randomUUID()} a line of text\n`).toString();
    const send = (bytes: number) => session.upload(application, textOf(bytes), "large.txt");
    const ballast = join(dataDir, "ballast");
    await writeFile(ballast, new Uint8Array(8 * mebibyte));
    const files = await storedFiles(dataDir);
    const full = { status: 507, json: { code: "storage-full", retryable: false } };

    const creates = await untilRefused(() => session.call("POST", "", { marker: "made", note }));
    expect(creates.refusal).toMatchObject(full);
    // The log of the database has room again after each checkpoint, so that some may still fit.
    const items = Array.from({ length: 200 }, () => ({ marker: "batched", batch: "b", note }));
    const batch = { items, atomic: true };
    const batches = await untilRefused(() => session.call("POST", "/batch/create", batch));
    expect(batches.refusal).toMatchObject(full);
    const change = { marker: "changed", note: note.repeat(20) };
    let version = 1;
    const refusedUpdate = async (): Promise<DrillAnswer> => {
      const update = (turn: number) =>
        session.call("PUT", path, { version: version + turn, data: change });
      const { taken, refusal } = await untilRefused(update);
      version += taken;
      return refusal;
    };
    expect(await refusedUpdate()).toMatchObject(full);
    expect(await send(12 * mebibyte)).toMatchObject(full);

    // A small write of the platform's own that fits in between ends the state.
    const health = await eventually(async () => {
      expect(await refusedUpdate()).toMatchObject(full);
      return await session.expect(503, "GET", "/v4/data/resources/health");
    });
    expect(health.json).toMatchObject({
      detail: expect.stringMatching(/^Writes fail: database/),
      components: { database: { status: "degraded", detail: "has no space left for writes" } },
    });
    expect((await fetch(`${platform.url}/ready`)).status).toBe(200);
    expect((await session.expect(200, "GET", path)).json).toMatchObject({
      version,
      data: { marker: version === 1 ? "first" : "changed" },
    });
    expect(await session.count({ marker: "made" })).toBe(creates.taken);
    const batched = batches.taken * items.length;
    expect(await session.count({ batch: "b" })).toBe(batched);
    await eventually(async () => expect(await storedFiles(dataDir)).toEqual(files));

    await rm(ballast);
    await session.expect(201, "POST", "", { marker: "made", note });
    const update = { version, data: { note } };
    expect((await session.expect(200, "PUT", path, update)).json).toMatchObject({
      version: version + 1,
    });
    await session.expect(200, "POST", "/batch/create", { ...batch, items: items.slice(0, 20) });
    expect((await send(100_000)).status).toBe(202);
    expect(await session.count({ marker: "made" })).toBe(creates.taken + 1);
    expect(await session.count({ batch: "b" })).toBe(batched + 20);
    expect(await platform.stop()).toBe(0);
    expect(integrityOf(dataDir)).toBe("ok");
  }, 120_000);
});
