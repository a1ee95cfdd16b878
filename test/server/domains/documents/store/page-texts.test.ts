import { expect, test } from "vitest";
import {
  insertPages,
  pagesAfter,
  pageText,
  pageTexts,
  pageWords,
  pagesWithTables,
  removePages,
} from "#server/domains/documents/store/page-texts.ts";
import { describeOnEachDatabase } from "#test/support/databases.ts";
import { addDocument, licensing, planning } from "./new-document.ts";

describeOnEachDatabase("pages", (open) => {
  test("store any text, and are read and removed in order", async () => {
    const database = await open();
    const key = await addDocument(database);
    const text = "naïve \u{1F4C4} ' \" \\ \n\t‮ end";
    await database.write((writer) =>
      insertPages(writer, key, [
        { number: 1, text: "one" },
        { number: 2, text },
        { number: 3, text: "" },
      ]),
    );
    const { read } = database;
    expect(await pageText(read, key, 2)).toBe(text);
    expect(await pageText(read, key, 3)).toBe("");
    expect(await pageText(read, key, 4)).toBeUndefined();
    expect(await pageText(read, { ...key, workspaceId: licensing }, 2)).toBeUndefined();
    expect((await pagesAfter(read, key, 1, 5)).map((page) => page.number)).toEqual([2, 3]);
    const found = await pageTexts(read, planning, [
      { documentId: key.id, page: 1 },
      { documentId: key.id, page: 9 },
    ]);
    expect(found).toEqual([{ documentId: key.id, page: 1, text: "one" }]);
    expect(await pageTexts(read, licensing, [{ documentId: key.id, page: 1 }])).toEqual([]);
    expect(await database.write((writer) => removePages(writer, key, 2))).toBe(2);
    expect((await pagesAfter(read, key, 0, 5)).map((page) => page.number)).toEqual([3]);
  });

  test("of several statements keep their tables and the places of their words", async () => {
    const database = await open();
    const key = await addDocument(database);
    const tables = [{ header: 0, rows: [[[0, 3] as const, [4, 6] as const]] }];
    const words = (page: number) => ({ width: page, height: 842, places: [0, 3, 1.5, 2, 3, 4] });
    const pages = Array.from({ length: 23 }, (_, at) => ({
      number: at + 1,
      text: `one ${at + 1}`,
      ...(at % 2 === 0 ? { tables } : { words: { json: JSON.stringify(words(at + 1)), count: 1 } }),
    }));
    await database.write((writer) => insertPages(writer, key, pages));
    const stored = await pagesWithTables(database.read, key, 0, 50);
    expect(stored).toEqual(
      pages.map(({ number, text }) =>
        number % 2 === 1 ? { number, text, tables } : { number, text },
      ),
    );
    expect(await pageWords(database.read, key, 20)).toEqual(words(20));
    expect(await pageWords(database.read, key, 21)).toBeUndefined();
  });
});
