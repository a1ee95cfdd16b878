import { afterEach, expect, test } from "vitest";
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
