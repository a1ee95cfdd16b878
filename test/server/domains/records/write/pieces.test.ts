import { SQL } from "bun";
import { beforeAll, describe, expect, test } from "vitest";
import type { BatchAnswer } from "#contract/resources/batch.ts";
import { answerOf } from "#server/domains/records/write/outcomes.ts";
import { BatchPieces } from "#server/domains/records/write/pieces.ts";
import { hasOtherRequests, noteRequest } from "#server/kit/turns/tick-share.ts";
import { OverloadedError } from "#server/kit/storage-errors.ts";
import { eventually } from "#test/support/eventually.ts";
import { describePlatform, field, type Answered } from "#test/support/platform.ts";

const types = "/v4/data/resources/object-types";

describePlatform("a batch of several pieces", (the) => {
  let records = "";
  const keyed = (key: string, path: string, body: object): Promise<Answered> =>
    the()
      .as("tenant-staff")
      .post(`${records}/batch/${path}`, body, {
        headers: { "idempotency-key": key },
      });
  const resultsOf = (answered: Answered): readonly Record<string, unknown>[] =>
    field(answered.json, "results") as readonly Record<string, unknown>[];
  const itemsOf = (prefix: string, count: number) =>
    Array.from({ length: count }, (_, at) => ({ code: `${prefix}-${at}` }));

  beforeAll(async () => {
    const { tenant } = the().workspaces;
    records = `/v4/data/resources/${tenant}/piece`;
    const properties = { code: { type: "string", unique: true } };
    const definition = { name: "Piece", slug: "piece", properties };
    const headers = { "x-tenant-id": tenant };
    const made = await the().as("tenant-builder").post(types, definition, { headers });
    expect(made.status, made.text).toBe(201);
  });

  /** Makes the record of the key that of a request which a crash ended after some items. */
  async function endAfter(key: string, results: readonly unknown[]): Promise<void> {
    const { databaseUrl } = the();
    const sql = new SQL(databaseUrl, { max: 1 });
    try {
      const body = JSON.stringify(results);
      // The platform of this process can end its own transaction only between two tries.
      await eventually(
        () => sql`update idempotency_keys set status = null, headers = null, body = ${body}
          where key = ${key}`,
      );
    } finally {
      await sql.close();
    }
  }

  test("has the outcomes of one request, and a repeat has the same answer", async () => {
    const items: object[] = itemsOf("whole", 250);
    items[240] = { code: "whole-3" };
    const first = await keyed("whole", "create", { items });
    expect(first.status).toBe(207);
    expect(first.json).toMatchObject({ succeeded: 249, failed: 1 });
    const results = resultsOf(first);
    expect(results.map(({ index }) => index)).toEqual(items.map((_, index) => index));
    expect(results[240]).toMatchObject({
      status: 409,
      error: { errors: [{ pointer: "#/items/240/code" }] },
    });
    expect((await keyed("whole", "create", { items })).text).toBe(first.text);
  });

  test("continues under its key after the pieces that are stored", async () => {
    const items = itemsOf("cut", 250);
    const first = await keyed("cut", "create", { items });
    const results = resultsOf(first);
    const staff = the().as("tenant-staff");
    const ids = results.slice(100).map(({ id }) => String(id));
    expect((await staff.post(`${records}/batch/delete`, { ids })).status).toBe(200);
    await endAfter("cut", results.slice(0, 100));
    const again = await keyed("cut", "create", { items });
    expect(again.json).toMatchObject({ succeeded: 250, failed: 0 });
    expect(resultsOf(again).slice(0, 100)).toEqual(results.slice(0, 100));
    expect(ids).not.toContain(resultsOf(again)[100]?.["id"]);
    expect((await keyed("cut", "create", { items })).text).toBe(again.text);
    const other = await keyed("cut", "create", { items: itemsOf("other", 250) });
    expect(other.json).toMatchObject({ code: "idempotency-key-reused" });
  });

  test("answers the kept outcomes when only the answer was lost", async () => {
    const items = itemsOf("lost", 250);
    const first = await keyed("lost", "create", { items });
    await endAfter("lost", resultsOf(first));
    expect((await keyed("lost", "create", { items })).json).toEqual(first.json);
  });

  test("changes each record once, also when its items are in different pieces", async () => {
    const made = resultsOf(await keyed("twice", "create", { items: itemsOf("twice", 220) }));
    const items = made.map(({ id }, at) => ({ id, version: 1, data: { code: `changed-${at}` } }));
    const answered = await keyed("update", "update", [...items, ...items.slice(0, 1)]);
    expect(answered.json).toMatchObject({ succeeded: 220, failed: 1 });
    expect(resultsOf(answered)[220]).toMatchObject({
      index: 220,
      status: 422,
      error: { errors: [{ pointer: "#/220/id" }] },
    });
    const ids = made.map(({ id }) => id);
    const removed = await keyed("delete", "delete", { ids: [...ids, ids[0]] });
    expect(removed.json).toMatchObject({ succeeded: 220, failed: 1 });
    expect(resultsOf(removed)[220]).toMatchObject({ index: 220, status: 404 });
  });

  test("is one piece where it is atomic: a refused item at its end undoes all", async () => {
    const items: object[] = itemsOf("atomic", 250);
    items[249] = { code: 7 };
    const refused = await keyed("atomic", "create", { atomic: true, items });
    expect(refused.status).toBe(422);
    const listed = await the().as("tenant-staff").get(`${records}?q=&where={"code":"atomic-0"}`);
    expect(field(listed.json, "items") ?? []).toEqual([]);
  });
});

describe("a batch whose second piece fails", () => {
  const items = Array.from({ length: 250 }, (_, at) => ({ code: String(at) }));
  const batch = { items, isAtomic: false, namesRecords: false, placeOf: (at: number) => [at] };
  const scope = { workspaces: ["w"], caller: "c" };
  let calls = 0;

  async function failingLater(piece: { items: readonly object[] }): Promise<BatchAnswer> {
    calls += 1;
    if (calls === 2) throw new OverloadedError("others write");
    return answerOf(piece.items.map((_, index) => ({ index, status: 201 })));
  }

  const run = (kept: readonly unknown[] | undefined) => {
    calls = 0;
    const work = { scope, continued: () => kept };
    return new BatchPieces().run({ work, workspaceId: "w", batch }, failingLater);
  };

  test("has the outcome of each item without a key: those left are not written", async () => {
    // The tests before had requests.
    await expect.poll(() => hasOtherRequests("w")).toBe(false);
    const { results, succeeded, failed } = await run(undefined);
    expect([succeeded, failed, calls]).toEqual([200, 50, 2]);
    expect(results[200]).toMatchObject({ index: 200, status: 503, error: { code: "overloaded" } });
  });

  test("has written a smaller piece while another workspace has requests", async () => {
    noteRequest("other");
    const { results, succeeded, failed } = await run(undefined);
    expect([succeeded, failed, calls]).toEqual([50, 200, 2]);
    expect(results[50]).toMatchObject({ index: 50, status: 503, error: { code: "overloaded" } });
  });

  test("is refused with a key, under which a repeat continues", async () => {
    await expect(run([])).rejects.toThrow(OverloadedError);
  });
});
