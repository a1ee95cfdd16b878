import { expect, test } from "vitest";
import {
  createPageWriter,
  metadataFrom,
  type PageText,
} from "#server/text/extraction/extracted-document.ts";

const limits = { pages: 3, characters: 40, pageCharacters: 20, flowCharacters: 10 };

function opened(own: object = {}) {
  const pages: PageText[] = [];
  const warnings: string[] = [];
  const leftOut: string[] = [];
  const writer = createPageWriter({ ...limits, ...own } as never, {
    page: (page) => void pages.push(page),
    warning: (message) => warnings.push(message),
    leftOut: (message) => leftOut.push(message),
  });
  return { writer, pages, warnings, leftOut };
}

const blank = () => Promise.resolve({ kind: "blank" } as const);

test("pages are numbered, normalised, and a page without letters is a picture", async () => {
  const { writer, pages } = opened();
  await writer.page("  wall\r\n\r\n\r\nb ", blank);
  await writer.page("7", blank);
  await writer.page("7");
  expect(pages).toEqual([
    { number: 1, text: "wall\n\nb" },
    { number: 2, text: "7", isPicture: true },
    { number: 3, text: "7" },
  ]);
});

test("a long flow becomes several pages", async () => {
  const { writer, pages } = opened();
  await writer.flow("one two three four");
  expect(pages.map(({ text }) => text)).toEqual(["one two", "three four"]);
});

test.each([
  ["x".repeat(21), 1, "one page has more than 20 characters"],
  ["x".repeat(15), 3, "it has more than 40 characters of text"],
  ["a", 4, "it has more than 3 pages"],
])("limits refuse %s, %i times", async (text, times, detail) => {
  const { writer } = opened();
  const write = async () => {
    for (let count = 0; count < times; count += 1) await writer.page(text);
  };
  await expect(write()).rejects.toThrow(detail);
});

test("warnings are bounded, and content that was left out is named", () => {
  const { writer, warnings, leftOut } = opened();
  for (let count = 0; count < 60; count += 1) writer.warn(`w${count}`);
  expect(warnings).toHaveLength(51);
  expect(warnings.at(-1)).toBe("There are more warnings than shown.");
  writer.leaveOut("page 3: too large");
  expect(leftOut).toEqual(["page 3: too large"]);
});

test("metadata without words and with wrong times are left out", () => {
  expect(metadataFrom(" Plan\0 ", "", "2026-01-02")).toEqual({
    title: "Plan",
    createdAt: "2026-01-02T00:00:00.000Z",
  });
  expect(metadataFrom(undefined, "A", "no time")).toEqual({ author: "A" });
});
