import { expect, test } from "vitest";
import {
  madePassageSource,
  nextSourceNumber,
  passageSource,
} from "#server/search-index/sources.ts";
import { describeOnEachDatabase } from "#test/support/databases.ts";

describeOnEachDatabase("the source of a workspace's passages", (open, { engine, createTables }) => {
  test("is one, however many writers begin at the same time", async () => {
    const { url } = await createTables();
    const first = await open({ url });
    // SQLite has one platform only.
    const second = engine === "sqlite" ? first : await open({ url });
    expect(await passageSource(first.read, "w")).toBeUndefined();
    const made = await Promise.all(
      Array.from({ length: 12 }, (_, at) =>
        (at % 2 === 0 ? first : second).write((writer) => madePassageSource(writer, "w")),
      ),
    );
    const numbers = new Set(made.map(({ number }) => number));
    expect(numbers.size).toBe(1);
    const [number] = numbers;
    expect(await passageSource(first.read, "w")).toEqual({
      kind: "passage",
      workspaceId: "w",
      number,
    });
    const other = await first.write((writer) => madePassageSource(writer, "v"));
    const ofType = await first.write(nextSourceNumber);
    expect(new Set([number, other.number, ofType]).size).toBe(3);
  });
});
