import { expect, test } from "vitest";
import { confirmedEmpty, emptiedName } from "#commands/resources/sync/emptied.ts";
import { catalogError } from "#contract/errors.ts";

function sidesOf(answer: () => readonly object[]): never {
  const from = {
    useResources: () => ({
      async *pages() {
        yield { items: answer() };
      },
    }),
  };
  return { from, type: "site", key: "code", signal: new AbortController().signal } as never;
}

const emptied = ["a", "b"].map((key) => ({ property: "note", key }));
const item = (data: object) => ({ id: "1", version: 1, data });

test("a value is empty only where the source says so", async () => {
  const records = [item({ code: "a" }), item({ code: "b", note: "here" })];
  const confirmed = await confirmedEmpty(
    sidesOf(() => records),
    emptied,
  );
  expect([...confirmed]).toEqual([emptiedName("note", "a")]);
});

test("a filter that the source refuses confirms nothing, and a failure is one", async () => {
  const failing = (status: number) =>
    confirmedEmpty(
      sidesOf(() => {
        throw catalogError("E203", { details: "no" }, { status });
      }),
      emptied,
    );
  expect((await failing(422)).size).toBe(0);
  await expect(failing(500)).rejects.toThrow("no");
});
