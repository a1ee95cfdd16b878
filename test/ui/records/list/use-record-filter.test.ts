import { expect, it, test } from "vitest";
import { wordsToFind } from "#ui/records/list/use-record-filter.ts";
import { keys } from "../../../support/tty.ts";
import { copied } from "../../support/copied.ts";
import { openRecords } from "../../support/open-fake.ts";

it("finds words in a large type by the search index, and names its limit", async () => {
  await using terminal = await openRecords({ count: 5_000 });
  terminal.write("/");
  await terminal.type("street status:open");
  terminal.write(keys.enter);
  await terminal.waitFor(/planning-application ─ .*the best 100 ─ filter street/);
  await terminal.waitFor("▸ PA-2026-");
  const command = await copied(terminal);
  expect(command).toContain('"id":{"$in":["');
  expect(command).not.toContain("$regex");
});

it("narrows a long list while its words are typed", async () => {
  await using terminal = await openRecords({ count: 25_000 });
  terminal.write("/");
  await terminal.type("street");
  await terminal.waitFor(/planning-application ─ .*the best 100/);
  expect(terminal.text()).toContain("filter street");
});

test.each([
  ["harb", "harb*"],
  ['"harbour" "17"', '"harbour" 17*'],
  ['"quay street"', '"quay street"'],
  ["VX-1", "VX-1*"],
  ["VX-17*", "VX-17*"],
  ["", ""],
])("while it is typed, %s looks for %s", (words, expected) => {
  expect(wordsToFind(words, true)).toBe(expected);
  expect(wordsToFind(words, false)).toBe(words);
});
