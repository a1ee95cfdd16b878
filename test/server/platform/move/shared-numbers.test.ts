import { expect, test, vi } from "vitest";
import { raw } from "#server/database/statement.ts";
import { diagnose } from "#server/platform/maintenance/offline-doctor.ts";
import { moveData } from "#server/platform/move/move-data.ts";
import { uuidNumber } from "#server/kit/ordered-uuid.ts";
import { describeNeeding } from "#test/support/needs.ts";
import { field, type Answered, type TestPlatform } from "#test/support/platform.ts";
import { missingPostgres } from "#test/support/postgres.ts";
import { backupPlace, checkOf, restoreOf, takeOf } from "../backup/stored-backups.ts";
import { found, notes, passKey, postgresqlPlace, sqlitePlace, startAt } from "./moved-platforms.ts";

/** Ids by their milliseconds, counter and random part. */
const idOf = (milliseconds: number, counter: number, random: string): string =>
  `0199a000-${milliseconds.toString(16).padStart(4, "0")}-7${counter.toString(16).padStart(3, "0")}-8abc-${random.padStart(12, "0")}`;

/** Three and two records of one number, next to others, in the order of their ids. */
const ids = [
  idOf(1, 0, "1"),
  idOf(1, 0, "2"),
  idOf(1, 0, "3"),
  idOf(1, 1, "1"),
  idOf(1, 1, "2"),
  idOf(1, 2, "1"),
  idOf(900, 0, "1"),
] as const;

const property = {
  text: { type: "string", indexed: true, searchable: true },
  number: { type: "integer", indexed: true, unique: true },
  place: { type: "geopoint" },
};

/** Makes records with these ids, as other platforms on the database might have. */
async function makePairs(the: TestPlatform): Promise<void> {
  const headers = { "x-tenant-id": the.workspaces.tenant };
  const type = { name: "Note", slug: "note", properties: property };
  const path = "/v4/data/resources/object-types";
  expect((await the.as("tenant-builder").post(path, type, { headers })).status).toBe(201);
  const made = vi.spyOn(the.platform.changes.ids, "next");
  for (const [number, id] of [...ids.entries()].toReversed()) {
    made.mockReturnValueOnce(id);
    const place = { type: "Point", coordinates: [number, 50] };
    const body = { text: `joy own${number}`, number, place };
    expect((await the.as("tenant-staff").post(notes(the), body)).status).toBe(201);
  }
  made.mockRestore();
}

/** The ids of all pages of a list. */
async function listed(the: TestPlatform, query: string): Promise<string[]> {
  const got: string[] = [];
  for (let cursor = ""; ;) {
    const path = `${notes(the)}?${query}${cursor}`;
    const answer = await the.as("tenant-viewer").get(path);
    expect(answer.status, answer.text).toBe(200);
    const items = field(answer.json, "items");
    if (Array.isArray(items)) got.push(...items.map((item) => String(field(item, "id"))));
    const next = field(answer.json, "nextCursor");
    if (typeof next !== "string") return got;
    cursor = `&cursor=${encodeURIComponent(next)}`;
  }
}

const where = (filter: object): string => `where=${encodeURIComponent(JSON.stringify(filter))}`;
const get = (the: TestPlatform, id: string): Promise<Answered> =>
  the.as("tenant-viewer").get(`${notes(the)}/${id}`);

async function expectWhole(the: TestPlatform, present: readonly string[]): Promise<void> {
  for (const id of present) expect((await get(the, id)).json).toMatchObject({ id });
  for (const sort of ["created_at", "-text"]) {
    expect((await listed(the, `limit=1&sort=${sort}`)).toSorted(), sort).toEqual(present);
  }
  for (const other of [...ids.slice(0, 2), idOf(1, 0, "f")]) {
    const passing = async (filter: object) =>
      (await listed(the, `limit=3&sort=created_at&${where({ id: filter })}`)).toSorted();
    expect(await passing({ $gt: other })).toEqual(present.filter((id) => id > other));
    expect(await passing({ $lte: other })).toEqual(present.filter((id) => id <= other));
    expect(await passing({ $eq: other })).toEqual(present.filter((id) => id === other));
  }
  expect(await listed(the, `sort=number&${where({ id: { $in: ids } })}`)).toHaveLength(
    present.length,
  );
  expect(await found(the, "joy")).toBe(present.length);
  for (const [number, id] of ids.entries().filter(([at]) => at % 2 === 0)) {
    const near = {
      place: {
        $near: { $geometry: { type: "Point", coordinates: [number, 50] }, $maxDistance: 100 },
      },
    };
    const isPresent = present.includes(id) ? [id] : [];
    expect(await listed(the, where(near)), `near ${number}`).toEqual(isPresent);
    expect(await found(the, `own${number}`)).toBe(isPresent.length);
  }
}

/** Changes, deletes and restores both of a pair. */
async function writePair(the: TestPlatform): Promise<void> {
  const staff = the.as("tenant-admin");
  for (const [at, id] of ids.slice(0, 3).entries()) {
    const path = `${notes(the)}/${id}`;
    const data = { text: `joy own${at} again` };
    const changed = await staff.patch(path, { data, version: 1 });
    expect(changed.status, changed.text).toBe(200);
    expect((await get(the, id)).json).toMatchObject({ id, version: 2 });
  }
  for (const id of ids.slice(0, 2)) {
    expect((await staff.delete(`${notes(the)}/${id}`)).status).toBe(204);
    expect((await get(the, id)).status).toBe(404);
  }
  expect(await found(the, "again")).toBe(1);
  for (const id of ids.slice(0, 2).toReversed()) {
    const restored = await staff.post(`${notes(the)}/${id}/restore`);
    expect(restored.status, restored.text).toBe(200);
  }
  expect(await found(the, "again")).toBe(3);
  const history = await the.as("tenant-viewer").get(`${notes(the)}/${ids[1]}/history`);
  expect(field(history.json, "items")).toHaveLength(4);
}

describeNeeding("records of PostgreSQL whose ids have one number", missingPostgres, () => {
  test("are kept by a move to SQLite and back, and by the check of a backup", async () => {
    expect(uuidNumber(ids[0])).toBe(uuidNumber(ids[2]));
    const [first, second, third] = [
      await postgresqlPlace(),
      await sqlitePlace(),
      await postgresqlPlace(),
    ];
    const source = await startAt(first);
    await makePairs(source);
    await expectWhole(source, ids);
    const stored = await backupPlace();
    const { name } = await takeOf(source, stored);
    expect(await checkOf(source, stored, name)).toMatchObject({ ok: true, faults: [] });

    const there = await moveData({ from: first, to: second, preparesOnly: false });
    expect(there.tables.every(({ digest, sourceDigest }) => digest === sourceDigest)).toBe(true);
    await source.close();
    await passKey(first, second);
    const moved = await startAt(second, source);
    await expectWhole(moved, ids);
    await writePair(moved);
    await expectWhole(moved, ids);
    const erased = await moved
      .as("tenant-admin")
      .delete(`${notes(moved)}/${ids[4]}?permanent=true`);
    expect(erased.status).toBe(204);
    await moved.platform.services.erasures.idle();
    const rest = ids.filter((id) => id !== ids[4]);
    await expectWhole(moved, rest);
    const work = moved.platform.platformWork("a test");
    expect(await work.read.all(raw("select id from shared_numbers"))).toHaveLength(2);
    expect(
      await work.read.all(raw("select needs from svc_migrations where name like '0050%'")),
    ).toEqual([{ needs: null }]);

    const back = await moveData({ from: second, to: third, preparesOnly: false });
    expect(back.tables.every(({ digest, sourceDigest }) => digest === sourceDigest)).toBe(true);
    await moved.close();
    const diagnosis = await diagnose({ ...second, fix: false, withDigests: true });
    expect(diagnosis.findings.map(({ code }) => code)).toEqual(["start-refused"]);
    await passKey(second, third);
    const last = await startAt(third, source);
    await expectWhole(last, rest);
    await last.close();
    expect((await restoreOf(stored)).lost).toBe(0);
  });
});
