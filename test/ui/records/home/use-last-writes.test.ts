import { expect, test } from "vitest";
import { differencesOf } from "#ui/records/detail/record-history.ts";
import { writeWords } from "#ui/records/home/use-last-writes.ts";

test("a write is shown by its one change, or by the names of several", () => {
  const status = [
    { op: "test", path: "/status", value: "open" },
    { op: "replace", path: "/status", value: "decided" },
  ];
  const words = (version: number, changes: Parameters<typeof differencesOf>[0]) =>
    writeWords({ version }, differencesOf(changes));
  expect(words(1, [])).toBe("created");
  expect(words(2, status)).toBe("status open → decided");
  expect(words(2, [{ op: "add", path: "/note", value: "late" }])).toBe("+note");
  expect(words(3, [...status, { op: "add", path: "/note", value: "late" }])).toBe("status, note");
  expect(words(3, [])).toBe("");
});
