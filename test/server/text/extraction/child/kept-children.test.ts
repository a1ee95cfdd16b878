import { afterEach, expect, test } from "vitest";
import { extractInChild } from "#server/text/extraction/child/extract-in-child.ts";
import { KeptChildren } from "#server/text/extraction/child/kept-children.ts";
import type { ExtractedDocument } from "#server/text/extraction/extracted-document.ts";
import { eventually } from "#test/support/eventually.ts";
import { failureOf, makePdf, pdfLines, withFile } from "../formats/build-files.ts";

const program = [process.execPath, `${import.meta.dirname}/child-program.ts`];

/** Answers each request with a document whose title is the process; `body` may act before. */
const telling = (body = ""): string[] => [
  process.execPath,
  "-e",
  `let number = 0;
  for await (const line of console) {
    number += 1;
    ${body}
    const metadata = { title: String(process.pid) };
    console.log(JSON.stringify({ type: "page", number: 1, text: line }));
    console.log(JSON.stringify({ type: "end", mediaType: "text/plain", metadata, warnings: [] }));
  }`,
];

const open: KeptChildren[] = [];
afterEach(() => Promise.all(open.splice(0).map((children) => children.close())));

/** Reads files, each with an answer, in the children of one command. */
function readerOf(command: readonly string[]) {
  const children = new KeptChildren(command);
  open.push(children);
  return (share: string, path: string, memoryLimitBytes?: number): Promise<ExtractedDocument> =>
    extractInChild(
      { path, filename: "file", mediaType: "" },
      {
        command,
        kept: { children, share },
        ...(memoryLimitBytes === undefined ? {} : { memoryLimitBytes }),
      },
    );
}

const isAlive = (pid: string | undefined): boolean => {
  try {
    return process.kill(Number(pid), 0);
  } catch {
    return false;
  }
};

test("documents of one workspace share a child, another workspace has its own", async () => {
  const read = readerOf(telling());
  const first = await read("one", "/a");
  const second = await read("one", "/b");
  const other = await read("two", "/c");
  expect(second.metadata.title).toBe(first.metadata.title);
  expect(other.metadata.title).not.toBe(first.metadata.title);
  expect(second.pages[0]?.text).toContain('"/b"');
});

test("each of two documents at the same time has its own child", async () => {
  const read = readerOf(telling());
  const documents = await Promise.all([read("one", "/a"), read("one", "/b")]);
  expect(new Set(documents.map(({ metadata }) => metadata.title)).size).toBe(2);
});

test("a kept child that crashes or takes too much memory is replaced by a new one", async () => {
  const crashing = readerOf(telling("if (number === 2) process.exit(1);"));
  const first = await crashing("one", "/a");
  const second = await crashing("one", "/b");
  expect(second.metadata.title).not.toBe(first.metadata.title);
  const mebibyte = 1024 * 1024;
  const greedy = readerOf(
    telling("if (number === 2) globalThis.kept = new Uint8Array(400 * 1024 * 1024).fill(1);"),
  );
  const before = await greedy("one", "/a", 300 * mebibyte);
  const after = await greedy("one", "/b", 300 * mebibyte);
  expect(after.metadata.title).not.toBe(before.metadata.title);
});

test("an idle child ends after a second, and every child at the close", async () => {
  const read = readerOf(telling());
  const { metadata } = await read("one", "/a");
  expect(isAlive(metadata.title)).toBe(true);
  await eventually(() => expect(isAlive(metadata.title)).toBe(false));
  const later = await read("one", "/b");
  await Promise.all(open.splice(0).map((children) => children.close()));
  expect(isAlive(later.metadata.title)).toBe(false);
  const afterwards = await read("one", "/c");
  expect(isAlive(afterwards.metadata.title)).toBe(false);
});

test("the program reads one document after the other, and stops after a failure", async () => {
  const read = readerOf(program);
  const pdf = (line: string) => makePdf([pdfLines([line])]);
  const textOf = (content: string | Uint8Array) =>
    withFile(content, async (path) => (await read("one", path)).pages[0]?.text);
  expect(await textOf(pdf("First"))).toBe("First");
  expect(await textOf(pdf("Second"))).toBe("Second");
  expect((await failureOf(textOf("%PDF-1.4 nothing"))).code).toBe("corrupt");
  expect(await textOf("plain words")).toBe("plain words");
});
