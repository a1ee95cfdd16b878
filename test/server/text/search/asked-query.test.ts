import { expect, test } from "vitest";
import { readQuery, WholeText } from "#server/text/search/asked-query.ts";

const texts = {
  refused: "The extension was refused in May. Plans of the café terrace follow.",
  granted: "An extension was granted; nothing was refused. See PA-2026-0042.",
  drafts: "Two drafts of the extension plan.",
};

test.each([
  ["extension", ["refused", "granted", "drafts"]],
  ['"extension was"', ["refused", "granted"]],
  ['"EXTENSION was refused"', ["refused"]],
  ['"was extension"', []],
  // A phrase has the spelling that is written.
  ['"two draft"', []],
  ["“cafe terrace”", ["refused"]],
  ['"PA-2026-0042"', ["granted"]],
  ["extension -draft", ["refused", "granted"]],
  ["extension -PA-2026-0042", ["refused", "drafts"]],
  ['extension -"nothing was"', ["refused", "drafts"]],
  ['"extension was" -granted', ["refused"]],
  // A hyphen or a quote in these is no sign.
  ["-draft", ["refused", "granted", "drafts"]],
  ["well-known extension", ["refused", "granted", "drafts"]],
  ['an "open quote', ["refused", "granted", "drafts"]],
  ["extension - draft", ["refused", "granted", "drafts"]],
])("%s", (query, passing) => {
  const asked = readQuery(query);
  const names = Object.entries(texts).filter(([, text]) => asked.passes([text]));
  expect(names.map(([name]) => name)).toEqual(passing);
});

test("the words are those to look for, with those of phrases and without signs", () => {
  expect(readQuery('plan "of the terrace" -draft -"not here"').words).toBe("plan of the terrace");
  expect(readQuery("-draft").words).toBe("-draft");
  expect(readQuery("18/2 Quay-Street").words).toBe("18/2 Quay-Street");
});

test("a phrase lies within one text of a result", () => {
  const asked = readQuery('"one two"');
  expect(asked.passes(["text one", "two more"])).toBe(false);
  expect(asked.passes(["none", "one, two"])).toBe(true);
});

test("a long query of signs takes time in proportion", () => {
  const asked = readQuery('"a b" '.repeat(600) + "-x ".repeat(600) + '"'.repeat(500));
  expect(asked.passes(["a b ".repeat(5_000)])).toBe(true);
});

test("a whole text has the words of the query as they are spelt, and no others", () => {
  const whole = new WholeText(readQuery("The Café at\tquey street"), new Map([["quey", "quay"]]));
  expect(whole.is("the cafe, at Quay-Street!")).toBe(true);
  expect(whole.is("the cafe at quey street")).toBe(false);
  expect(whole.is("the cafes at quay street")).toBe(false);
  expect(whole.is("the cafe at quay street 2")).toBe(false);
  expect(whole.is(`the cafe at quay street${".".repeat(5_000)}`)).toBe(false);
  expect(new WholeText(readQuery("?!"), new Map()).is("?!")).toBe(false);
});

test("a query with the beginning of a word is no whole text", () => {
  const whole = (query: string) => new WholeText(readQuery(query), new Map());
  expect(whole("harbour dred*").is("Harbour")).toBe(false);
  expect(whole("harbour -dredging").is("Harbour")).toBe(true);
});
