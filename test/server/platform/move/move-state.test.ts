import { expect, test } from "vitest";
import { Database } from "bun:sqlite";
import { render, type Statement } from "#server/database/statement.ts";
import {
  forgetLater,
  forgetSource,
  forgetTables,
  laterParts,
  noteLater,
  noteSource,
  noteTable,
  noteTarget,
  sourceMark,
  tableProgress,
  targetState,
} from "#server/platform/move/move-state.ts";

function opened() {
  const database = new Database(":memory:");
  database.run("create table data_moves (name text primary key, state text, detail text, at text)");
  const query = (statement: Statement) => {
    const { text, parameters } = render(statement, "sqlite");
    return database.query(text).all(...(parameters as string[]));
  };
  const reader = {
    all: (each: Statement) => query(each),
    first: (each: Statement) => query(each)[0],
  };
  return { run: query, reader: reader as never };
}

test("source and target have their states", async () => {
  const { run, reader } = opened();
  expect([await sourceMark(reader), await targetState(reader)]).toEqual([undefined, undefined]);
  run(noteSource({ place: "p", at: "1" }));
  run(noteTarget({ state: "copying", platform: "x", search: "stale", at: "1" }));
  run(noteTarget({ state: "complete", platform: "x", search: "ready", at: "2" }));
  expect(await sourceMark(reader)).toEqual({ place: "p", at: "1" });
  expect(await targetState(reader)).toEqual({
    state: "complete",
    platform: "x",
    search: "ready",
    at: "2",
  });
  run(forgetSource);
  expect(await sourceMark(reader)).toBe(undefined);
});

test("tables and later parts are kept apart", async () => {
  const { run, reader } = opened();
  run(noteTable("members", { after: ["a", 1], isWhole: false }, "1"));
  run(noteLater({ name: "by_name", kind: "rule", definition: "create …" }, "1"));
  expect(await tableProgress(reader, "members")).toEqual({ after: ["a", 1], isWhole: false });
  run(noteTable("members", { after: ["b", 2], isWhole: true }, "2"));
  expect(await tableProgress(reader, "members")).toEqual({ after: ["b", 2], isWhole: true });
  run(forgetTables);
  expect(await tableProgress(reader, "members")).toBe(undefined);
  const [part] = await laterParts(reader);
  expect(part).toEqual({ name: "by_name", kind: "rule", definition: "create …" });
  if (part !== undefined) run(forgetLater(part));
  expect(await laterParts(reader)).toEqual([]);
});
