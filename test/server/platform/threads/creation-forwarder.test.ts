import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { field, type TestPlatform } from "#test/support/platform.ts";
import { eventually } from "#test/support/eventually.ts";
import { startNotesThread, type NotesThread } from "#test/support/notes-thread.ts";

let notesThread: NotesThread;
let the: TestPlatform;
let notes: string;

beforeAll(async () => {
  notesThread = await startNotesThread();
  ({ the, notes } = notesThread);
});
afterAll(() => notesThread.stop());

const inThread: NotesThread["inThread"] = (user) => notesThread.inThread(user);
const forwardedBy: NotesThread["forwardedBy"] = (work) => notesThread.forwardedBy(work);

describe("a record created in a reading thread", () => {
  const types = "/v4/data/resources/object-types";
  const make = async (type: object): Promise<{ id: string; path: string }> => {
    const { tenant } = the.workspaces;
    const headers = { "x-tenant-id": tenant };
    const made = await the.as("tenant-builder").post(types, type, { headers });
    return {
      id: String(field(made.json, "id")),
      path: `/v4/data/resources/${tenant}/${String(field(made.json, "slug"))}`,
    };
  };

  test("is checked there and written by the main thread, with its keys and index entries", async () => {
    const staff = inThread("tenant-staff");
    await staff.get(notes);
    let answered: Awaited<ReturnType<typeof staff.post>> | undefined;
    const handedOn = await forwardedBy(async () => {
      answered = await staff.post(notes, { title: "made in a thread" });
      expect((await staff.post(notes, { titel: "misspelt" })).status).toBe(422);
      expect((await inThread("tenant-staff").post(notes, [])).status).toBe(422);
    });
    expect(handedOn).toBe(0);
    expect(answered?.status).toBe(201);
    expect(answered?.headers.get("etag")).toBe('"1"');
    const path = answered?.headers.get("location") ?? "";
    expect(path).toBe(`${notes}/${String(field(answered?.json, "id"))}`);
    const main = the.as("tenant-staff");
    expect((await main.get(path)).json).toEqual(answered?.json);
    expect((await main.get(`${path}/history`)).json).toMatchObject({
      items: [{ version: 1, operation: "create" }],
    });
    const where = encodeURIComponent('{"title":"made in a thread"}');
    expect((await main.get(`${notes}?where=${where}&count=true`)).json).toMatchObject({ total: 1 });
  });

  test("needs the role, and the caller's workspace", async () => {
    const elsewhere = `/v4/data/resources/${the.workspaces.other}/note`;
    for (const [user, path, status] of [
      ["tenant-viewer", notes, 403],
      ["tenant-staff", elsewhere, 404],
    ] as const) {
      const caller = inThread(user);
      await caller.get(notes);
      const post = async () =>
        expect((await caller.post(path, { title: "x" })).status).toBe(status);
      expect(await forwardedBy(post)).toBe(0);
    }
  });

  test("is found by its words, also by new ones", async () => {
    const { path } = await make({
      name: "Letter",
      slug: "letter",
      properties: { text: { type: "text", searchable: true } },
    });
    const staff = inThread("tenant-staff");
    await staff.get(path);
    const first = await forwardedBy(() => staff.post(path, { text: "an obstreperous neighbour" }));
    const second = await forwardedBy(() => staff.post(path, { text: "obstreperous neighbour" }));
    // Only the main thread stores a new word.
    expect([first, second]).toEqual([1, 0]);
    const { tenant } = the.workspaces;
    const found = await the
      .as("tenant-staff")
      .post(
        `/v4/data/resources/${tenant}/search`,
        { query: "obstreporous", types: ["letter"] },
        { headers: { "x-tenant-id": tenant } },
      );
    expect(field(found.json, "results")).toHaveLength(2);
  });

  test("is created by the main thread with a key, a reference or a taken value", async () => {
    const { path } = await make({
      name: "Permit",
      slug: "permit",
      properties: {
        number: { type: "string", unique: true },
        previous: { type: "reference", targetObjectType: "permit" },
      },
    });
    const staff = inThread("tenant-staff");
    await staff.get(path);
    const headers = { "idempotency-key": "once" };
    const keyed = await forwardedBy(async () => {
      const one = await staff.post(path, { number: "1" }, { headers });
      const again = await staff.post(path, { number: "1" }, { headers });
      expect(again.json).toEqual(one.json);
      expect(again.headers.get("idempotency-replayed")).toBe("true");
    });
    expect(keyed).toBe(2);
    const taken = await staff.post(path, { number: "1" });
    expect(taken.json).toMatchObject({
      code: "already-exists",
      errors: [{ pointer: "#/number" }],
    });
    const next = await staff.post(path, { number: "2" });
    const previous = String(field(next.json, "id"));
    expect((await staff.post(path, { number: "3", previous })).status).toBe(201);
    const stranger = { number: "4", previous: crypto.randomUUID() };
    expect((await staff.post(path, stranger)).json).toMatchObject({
      code: "validation-failed",
      errors: [{ pointer: "#/previous" }],
    });
  });

  test("is not written with another definition than it was checked with", async () => {
    const { id, path } = await make({
      name: "Plot",
      slug: "plot",
      properties: { area: { type: "number" } },
    });
    const { tenant } = the.workspaces;
    const headers = { "x-tenant-id": tenant };
    const staff = inThread("tenant-staff");
    await staff.post(path, { area: 1 });
    let isOver = false;
    const written = { whole: 0, refused: 0 };
    const creating = Array.from({ length: 8 }, async () => {
      while (!isOver) {
        const made = await staff.post(path, { area: 0.5 });
        if (made.status === 201) written.whole += 1;
        else if (made.status === 422) written.refused += 1;
        else throw new Error(`answered ${made.status}`);
      }
    });
    const builder = the.as("tenant-builder");
    await eventually(() => expect(written.whole).toBeGreaterThan(20));
    const change = { properties: { area: { type: "number", minimum: 1 } }, version: 1 };
    expect((await builder.patch(`${types}/${id}`, change, { headers })).status).toBe(200);
    const where = encodeURIComponent('{"area":0.5}');
    const count = async (): Promise<unknown> =>
      field((await builder.get(`${path}?where=${where}&count=true`)).json, "total");
    await eventually(() => expect(written.refused).toBeGreaterThan(20));
    isOver = true;
    await Promise.all(creating);
    expect(await count()).toBe(written.whole);
  });
});
