import { expect, test } from "vitest";
import {
  insertPages,
  pagesAfter,
  pageText,
  pageTexts,
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
});
