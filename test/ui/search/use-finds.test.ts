import { expect, it } from "vitest";
import { filteredType, offeredResults } from "#ui/search/use-finds.ts";
import { keys } from "../../support/tty.ts";
import { openFake } from "../support/open-fake.ts";

it("a type and what follows it are a list with a filter", () => {
  const types = [{ slug: "licence" }, { slug: "planning-application" }];
  expect(filteredType("licence status:open  fee>5 ", types)).toEqual({
    slug: "licence",
    filter: "status:open  fee>5",
  });
  expect(filteredType("licence", types)).toBeUndefined();
  expect(filteredType("permit status:open", types)).toBeUndefined();
});

it("records of types of configuration are offered where those are shown", () => {
  const types = [
    "licence",
    "shared-workflow-config",
    "licence",
    "party",
    "party",
    "party",
    "party",
  ];
  const results = types.map((type, id) => ({ type, id }));
  expect(offeredResults(results, true).map(({ id }) => id)).toEqual([0, 2, 3, 4, 5]);
  expect(offeredResults(results, false).map(({ id }) => id)).toEqual([0, 1, 2, 3, 4]);
});

it("the palette finds records, documents and members, and opens a filtered list", async () => {
  await using terminal = openFake();
  await terminal.waitFor("▸ licence");
  terminal.write(":");
  await terminal.waitFor("Go to, or do");
  await terminal.type("17 quay");
  await terminal.waitFor(/▸ PA-2026-00026 +planning-application/);
  terminal.write(keys.ctrl("u"));
  await terminal.type("consultation");
  await terminal.waitFor(/plans\.pdf, page 2 +document/);
  terminal.write(keys.ctrl("u"));
  await terminal.type("ben@");
  await terminal.waitFor(/ben@northwind\.example +member/);
  terminal.write(keys.ctrl("u"));
  await terminal.type("undo");
  await terminal.waitFor("▸ undo");
  terminal.write(keys.enter);
  await terminal.waitFor("undo: nothing was changed here yet");
  terminal.write(keys.ctrl("u"));
  await terminal.type("where: a map");
  await terminal.waitFor(/where: a map +does not apply here/);
  terminal.write(keys.ctrl("u"));
  await terminal.type("planning-application status:decided");
  await terminal.waitFor(/▸ planning-application status:decided +filtered records/);
  terminal.write(keys.enter);
  await terminal.waitFor(/planning-application ─ 14 ─/);
});
