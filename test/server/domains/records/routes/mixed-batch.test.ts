import { describe, expect, test } from "vitest";
import { ensureTypes, make, nextReference } from "#test/support/casework.ts";
import { describePlatform, field, type TestPlatform } from "#test/support/platform.ts";

interface Result {
  readonly id?: string;
  readonly status: number;
  readonly version?: number;
  readonly error?: { readonly code: string; readonly errors?: { readonly pointer: string }[] };
}

const resultsOf = (json: unknown) => field(json, "results") as Result[];
const placeOf = ({ workspaces }: TestPlatform) =>
  `/v4/data/resources/${workspaces.tenant}/casework`;

function upsertOf(reference: string, data: object = {}): object {
  return { op: "upsert", property: "reference", value: reference, data };
}

describePlatform("a batch of several kinds", (the) => {
  const send = (
    items: readonly object[],
    rest: object = {},
    headers: Record<string, string> = {},
  ) =>
    the()
      .as("tenant-staff")
      .post(`${placeOf(the())}/batch`, { items, ...rest }, { headers });
  const read = async (id = ""): Promise<{ readonly status: number; readonly json: unknown }> =>
    the()
      .as("tenant-viewer")
      .get(`${placeOf(the())}/${id}`);

  test("writes in the order of the items, also where a value moves", async () => {
    const { id, reference } = await make(the(), { title: "First", amount: 1 });
    const other = await make(the());
    const made = nextReference();
    const answered = await send([
      { op: "delete", id },
      { op: "create", data: { reference, title: "Again" } },
      upsertOf(made, { title: "Made" }),
      { op: "patch", id: other.id, data: { title: "Patched" }, version: 1 },
    ]);
    expect(answered.status, answered.text).toBe(200);
    const results = resultsOf(answered.json);
    expect(results.map(({ status }) => status)).toEqual([204, 201, 201, 200]);
    expect((await read(id)).status).toBe(404);
    expect((await read(results[1]?.id)).json).toMatchObject({
      data: { reference, title: "Again" },
    });
    expect((await read(results[2]?.id)).json).toMatchObject({ data: { reference: made } });
    expect((await read(other.id)).json).toMatchObject({ version: 2, data: { title: "Patched" } });
    const history = await the()
      .as("tenant-viewer")
      .get(`${placeOf(the())}/${id}/history`);
    expect(history.json).toMatchObject({
      items: [{ operation: "delete" }, { operation: "create" }],
    });
  });

  test("refuses an item alone, and an atomic batch as a whole", async () => {
    const { id, reference } = await make(the(), { amount: 1 });
    const items = [
      { op: "patch", id, data: { amount: 2 } },
      { op: "create", data: { reference } },
      upsertOf(nextReference(), { amount: -1 }),
    ];
    const atomic = await send(items, { atomic: true });
    expect(atomic).toMatchObject({
      status: 422,
      json: { errors: [{ pointer: "#/items/2/data/amount" }] },
    });
    expect((await read(id)).json).toMatchObject({ version: 1 });
    const taken = await send(items.slice(0, 2), { atomic: true });
    expect(taken).toMatchObject({
      status: 409,
      json: { errors: [{ pointer: "#/items/1/data/reference" }] },
    });
    expect((await read(id)).json).toMatchObject({ version: 1 });
    const parts = await send(items);
    expect(parts.status).toBe(207);
    expect(resultsOf(parts.json).map(({ status }) => status)).toEqual([200, 409, 422]);
    expect((await read(id)).json).toMatchObject({ version: 2, data: { amount: 2 } });
  });

  test("takes a record once, however it is named", async () => {
    const { id, reference } = await make(the());
    const fresh = nextReference();
    const answered = await send([
      { op: "patch", id, data: { amount: 2 } },
      upsertOf(reference, { amount: 3 }),
      { op: "delete", id },
      upsertOf(fresh),
      upsertOf(fresh, { amount: 4 }),
      { op: "create", data: { reference: "C-77000000" } },
      upsertOf("C-77000000"),
    ]);
    expect(resultsOf(answered.json).map(({ status }) => status)).toEqual([
      200, 422, 422, 201, 422, 201, 409,
    ]);
    expect((await read(id)).json).toMatchObject({ version: 2, data: { amount: 2 } });
  });

  test("reports a reference to a record that an earlier item has deleted", async () => {
    const { id } = await make(the());
    const answered = await send([
      { op: "delete", id },
      { op: "create", data: { reference: nextReference(), parent: id } },
    ]);
    expect(resultsOf(answered.json)).toMatchObject([
      { status: 204 },
      { status: 422, error: { errors: [{ pointer: "#/items/1/data/parent" }] } },
    ]);
  });

  test("merges or replaces what an upsert finds", async () => {
    const { id, reference } = await make(the(), { title: "Kept", amount: 1 });
    await send([upsertOf(reference, { amount: 2 })]);
    expect((await read(id)).json).toMatchObject({ data: { title: "Kept", amount: 2 } });
    await send([{ ...upsertOf(reference, { amount: 3 }), replace: true }]);
    expect((await read(id)).json).toMatchObject({
      version: 3,
      data: { reference, amount: 3 },
    });
    expect(field((await read(id)).json, "data")).not.toHaveProperty("title");
  });

  test("of 64 callers at once who upsert one value makes one record", async () => {
    await ensureTypes(the());
    const reference = nextReference();
    const answers = await Promise.all(
      Array.from({ length: 64 }, (_, pieces) => send([upsertOf(reference, { pieces })])),
    );
    const results = answers.flatMap(({ json }) => resultsOf(json));
    expect(results.filter(({ status }) => status === 201)).toHaveLength(1);
    expect(results.filter(({ status }) => status === 200)).toHaveLength(63);
    expect(new Set(results.map(({ id }) => id)).size).toBe(1);
  });

  test("refuses to change a record from which an earlier deletion clears a reference", async () => {
    const { tenant: workspace } = the().workspaces;
    const parent = { type: "reference", targetObjectType: "branch", onDelete: "clear" };
    const type = {
      name: "Branch",
      slug: "branch",
      properties: { name: { type: "string" }, parent },
    };
    const headers = { "x-tenant-id": workspace };
    await the().as("tenant-admin").post("/v4/data/resources/object-types", type, { headers });
    const staff = the().as("tenant-staff");
    const path = `/v4/data/resources/${workspace}/branch`;
    const made = async (data: object) => {
      return String(field((await staff.post(path, data)).json, "id"));
    };
    const stem = await made({ name: "stem" });
    const twig = await made({ name: "twig", parent: stem });
    const items = [
      { op: "delete", id: stem },
      { op: "patch", id: twig, data: { name: "leaf" } },
    ];
    const atomic = await staff.post(`${path}/batch`, { items, atomic: true });
    expect([atomic.status, field(atomic.json, "code")]).toEqual([409, "conflict"]);
    const each = await staff.post(`${path}/batch`, { items });
    expect(resultsOf(each.json)).toMatchObject([
      { status: 204 },
      { status: 409, error: { code: "conflict" } },
    ]);
    expect((await staff.get(`${path}/${twig}`)).json).toMatchObject({
      version: 2,
      data: { name: "twig" },
    });
  });

  describe("of several pieces", () => {
    test("keeps the outcomes under its key, and writes nothing twice", async () => {
      await ensureTypes(the());
      const references = Array.from({ length: 450 }, nextReference);
      const items = [...references.map((one) => upsertOf(one)), upsertOf(references[0] ?? "")];
      const key = { "idempotency-key": crypto.randomUUID() };
      const first = await send(items, {}, key);
      expect(first.status).toBe(207);
      const results = resultsOf(first.json);
      expect(results.slice(0, 450).every(({ status }) => status === 201)).toBe(true);
      expect(results[450]).toMatchObject({ index: 450, status: 422 });
      const again = await send(items, {}, key);
      expect(again.json).toEqual(first.json);
      const { id } = results[0] ?? {};
      expect((await read(id)).json).toMatchObject({ version: 1 });
    });
  });
});
