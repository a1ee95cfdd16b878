import { afterEach, expect, test, vi } from "vitest";
import { runExtractionChild } from "#server/text/extraction/child/run-child.ts";
import { Recognizer } from "#server/text/ocr/recognizer.ts";
import { notice } from "../../ocr/notice.ts";
import { failureOf, makePdf, pdfLines, withFile } from "../formats/build-files.ts";
import { command } from "./in-child.ts";
import { readerOf, open } from "./kept-readers.ts";

afterEach(() => Promise.all(open.splice(0).map((children) => children.close())));

test("the program reads one document after the other, and stops after a failure", async () => {
  const read = readerOf(command);
  const pdf = (line: string) => makePdf([pdfLines([line])]);
  const textOf = (content: string | Uint8Array) =>
    withFile(content, async (path) => (await read("one", path)).pages[0]?.text);
  expect(await textOf(pdf("First"))).toBe("First");
  expect(await textOf(pdf("Second"))).toBe("Second");
  expect((await failureOf(textOf("%PDF-1.4 nothing"))).code).toBe("corrupt");
  expect(await textOf("plain words")).toBe("plain words");
});

test("the program loads the recognition once for the pictures of several documents", async () => {
  const load = vi.spyOn(Recognizer, "open");
  const work = { path: notice, filename: "notice.png", mediaType: "", pictures: { pages: [1] } };
  const lines: string[] = [];
  const code = await runExtractionChild({
    arguments: ["-"],
    write: async (line) => void lines.push(line),
    async *input() {
      yield new TextEncoder().encode(`${JSON.stringify(work)}\n`.repeat(2));
    },
  });
  const pages = lines.filter((line) => line.includes('"type":"page"'));
  expect(code).toBe(0);
  expect(pages).toHaveLength(2);
  expect(pages[0]).toContain("Northwind Council");
  expect(pages[1]).toBe(pages[0]);
  expect(load).toHaveBeenCalledTimes(1);
  load.mockRestore();
});
