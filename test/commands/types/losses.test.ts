import { expect, test } from "vitest";
import { changeWords, doesHarm, weighPlan } from "#commands/types/losses.ts";
import { catalogError } from "#contract/errors.ts";

const filters: unknown[] = [];
const clientOf = (answer: () => Promise<unknown>): never =>
  ({
    useResources: () => ({
      list: ({ where }: { where: unknown }) => {
        filters.push(where);
        return answer();
      },
    }),
  }) as never;

const step = (...changes: object[]): never => ({ type: { slug: "site" }, changes }) as never;
const drop = { action: "drop", part: "property", name: "a.b", abandons: "a.b" };
const add = { action: "add", part: "property", name: "a.c", demands: "a.c" };
const { signal } = new AbortController();

test("lost and missing values are counted", async () => {
  filters.length = 0;
  const total = clientOf(() => Promise.resolve({ total: 3 }));
  const [weighed] = await weighPlan(total, [step(drop, add)], signal);
  expect(filters).toEqual([{ "a.b": { $ne: null } }, { a: { $ne: null } }]);
  expect(weighed?.changes.map(changeWords)).toEqual([
    "drop property a.b: 3 records have values that would be lost",
    "add property a.c: 3 records lack it, and can't be saved without it",
  ]);
  expect(weighed?.changes.map(doesHarm)).toEqual([true, true]);
});

test("a platform that can't count may lose values, and nothing lost does no harm", async () => {
  const refuses = clientOf(() =>
    Promise.reject(catalogError("E203", { details: "no" }, { status: 422 })),
  );
  const [unknown] = await weighPlan(refuses, [step(drop)], signal);
  expect(unknown?.changes[0]).toMatchObject({ dataLoss: "possible", records: null });
  const [none] = await weighPlan(
    clientOf(() => Promise.resolve({ total: 0 })),
    [step(drop)],
    signal,
  );
  expect(none?.changes.map(doesHarm)).toEqual([false]);
  const away = clientOf(() => Promise.reject(new Error("away")));
  await expect(weighPlan(away, [step(drop)], signal)).rejects.toThrow("away");
});
