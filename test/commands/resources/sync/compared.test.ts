import { expect, test } from "vitest";
import { comparedRecords } from "#commands/resources/sync/compared.ts";
import type { SyncSides } from "#commands/resources/sync/sides.ts";

/** A client whose types have these records; a filter selects by `$in` of one property. */
function clientOf(types: Readonly<Record<string, readonly { id: string; data: object }[]>>): never {
  return {
    useResources: (type: string) => ({
      async *pages({ where = {} }: { where?: Readonly<Record<string, { $in: unknown[] }>> }) {
        const [[name, { $in }] = ["", { $in: [] as unknown[] }]] = Object.entries(where);
        const rows = types[type] ?? [];
        const items = rows.filter((row) => {
          const value = name === "id" ? row.id : Reflect.get(row.data, name);
          return name === "" || $in.includes(value);
        });
        yield { items };
      },
    }),
  } as never;
}

const sides: SyncSides = {
  from: clientOf({
    site: [
      { id: "1", data: { code: "a", name: "new" } },
      { id: "2", data: { code: "b", name: "same" } },
      { id: "3", data: { code: "c", name: "x", owner: "p1" } },
      { id: "4", data: { name: "no key" } },
      { id: "5", data: { code: "d", name: "y", owner: "p2" } },
    ],
    person: [
      { id: "p1", data: { mail: "a@b" } },
      { id: "p2", data: { mail: "c@d" } },
    ],
  }),
  to: clientOf({
    site: [
      { id: "8", data: { code: "a", name: "old" } },
      { id: "9", data: { code: "b", name: "same" } },
    ],
    person: [{ id: "q1", data: { mail: "a@b" } }],
  }),
  type: "site",
  key: "code",
  where: undefined,
  hidden: new Map(),
  properties: {
    copied: ["name", "owner"],
    references: [{ property: "owner", type: "person", key: "mail" }],
  } as never,
  signal: new AbortController().signal,
};

test("records are compared by their key, and references by that of their type", async () => {
  const [compared] = await Array.fromAsync(comparedRecords(sides));
  expect(compared?.map((record) => [record.key, record.action])).toEqual([
    ["a", "update"],
    ["b", "unchanged"],
    ["c", "create"],
    ["", "refused"],
    ["d", "refused"],
  ]);
  expect(compared?.[0]).toMatchObject({ operation: { data: { name: "new" }, value: "a" } });
  expect(compared?.[2]).toMatchObject({ operation: { data: { name: "x", owner: "q1" } } });
  expect(compared?.[4]).toMatchObject({
    reason: "owner refers to a record that the target does not have",
  });
});
