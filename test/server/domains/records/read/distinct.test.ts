import { describe, expect, test } from "vitest";
import { base, ensureTypes, nextReference } from "#test/support/casework.ts";
import {
  describePlatform,
  field,
  type Answered,
  type TestPlatform,
} from "#test/support/platform.ts";

interface Value {
  readonly value: unknown;
  readonly count: number;
}

const valuesOf = ({ json }: Answered) => field(json, "items") as Value[];

async function fill(the: TestPlatform, data: readonly object[]): Promise<string> {
  await ensureTypes(the);
  const mark = crypto.randomUUID().slice(0, 20);
  const items = data.map((one) => ({ data: { reference: nextReference(), title: mark, ...one } }));
  const place = base.replace("{tenant}", the.workspaces.tenant);
  const made = await the.as("tenant-staff").post(`${place}/casework/batch/create`, { items });
  expect(made.status, made.text).toBe(200);
  return mark;
}

describePlatform("distinct values", (the) => {
  const ask = (body: object) =>
    the()
      .as("tenant-viewer")
      .post(`${base.replace("{tenant}", the().workspaces.tenant)}/casework/distinct`, body);

  test("come with the number of their records, the most frequent first", async () => {
    const title = await fill(the(), [
      { amount: 2.5, status: "open" },
      { amount: 0.1 },
      { amount: 2.5, status: "closed" },
      { urgent: true },
      { urgent: false },
      { urgent: true },
    ]);
    const where = { title };
    const amounts = await ask({ property: "amount", where });
    expect(amounts.json).toMatchObject({
      items: [
        { value: 2.5, count: 2 },
        { value: 0.1, count: 1 },
      ],
      hasNextPage: false,
    });
    expect(valuesOf(await ask({ property: "amount", where, order: "value" }))).toEqual([
      { value: 0.1, count: 1 },
      { value: 2.5, count: 2 },
    ]);
    expect(valuesOf(await ask({ property: "urgent", where }))).toEqual([
      { value: true, count: 2 },
      { value: false, count: 1 },
    ]);
    expect(valuesOf(await ask({ property: "status", where }))).toEqual([
      { value: "open", count: 5 },
      { value: "closed", count: 1 },
    ]);
    expect(valuesOf(await ask({ property: "version", where }))).toEqual([{ value: 1, count: 6 }]);
  });

  test("of a list are its items, each once for a record", async () => {
    const title = await fill(the(), [{ tags: ["b", "a", "b"] }, { tags: ["b"] }, { tags: [] }, {}]);
    expect(valuesOf(await ask({ property: "tags", where: { title } }))).toEqual([
      { value: "b", count: 2 },
      { value: "a", count: 1 },
    ]);
  });

  test("come in pages", async () => {
    const title = await fill(
      the(),
      Array.from({ length: 7 }, (_, pieces) => ({ pieces })),
    );
    const request = { property: "pieces", where: { title }, limit: 3 };
    const found: unknown[] = [];
    let cursor: string | undefined;
    let pages = 0;
    do {
      const page = await ask({ ...request, ...(cursor === undefined ? {} : { cursor }) });
      found.push(...valuesOf(page).map(({ value }) => value));
      const next = field(page.json, "nextCursor");
      cursor = typeof next === "string" ? next : undefined;
      pages += 1;
    } while (cursor !== undefined);
    expect(found).toEqual([0, 1, 2, 3, 4, 5, 6]);
    expect(pages).toBe(3);
  });

  describe("are refused", () => {
    test.for(["address", "nope", "plan"])("for %s", async (property) => {
      await ensureTypes(the());
      expect(await ask({ property })).toMatchObject({
        status: 422,
        json: { errors: [{ pointer: "#/property" }] },
      });
    });
  });
});
