import { afterEach, expect, test } from "vitest";
import { eventually } from "#test/support/eventually.ts";
import { readPictures } from "#server/text/extraction/child/read-pictures.ts";
import { readerOf, open } from "./kept-readers.ts";

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

/** The wait of an idle child, and a little more. */
const longerThanIdleMs = 1_200;

afterEach(() => Promise.all(open.splice(0).map((children) => children.close())));

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

test("an idle child waits while its workspace has work, and not for another's", async () => {
  const read = readerOf(telling());
  const [children] = open;
  const done = Promise.withResolvers<void>();
  const work = children?.during("one", () => done.promise);
  const { metadata: held } = await read("one", "/a");
  const { metadata: other } = await read("two", "/b");
  await eventually(() => expect(isAlive(other.title)).toBe(false));
  // The held one began to wait first.
  await Bun.sleep(longerThanIdleMs);
  expect((await read("one", "/c")).metadata.title).toBe(held.title);
  done.resolve();
  await work;
  await eventually(() => expect(isAlive(held.title)).toBe(false));
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

/** The process that reads the picture of page 1, as its text. */
const pictureTelling = (body = ""): string[] =>
  telling(`${body} console.log(JSON.stringify({ type: "page", number: 1, text: String(process.pid) }));
    console.log(JSON.stringify({ type: "end", mediaType: "image/png", metadata: {}, warnings: [] }));
    continue;`);

test("pictures of one workspace share a child, which reads no texts", async () => {
  const command = pictureTelling();
  const read = readerOf(command);
  const [children] = open;
  if (children === undefined) throw new Error("no children");
  const pictureOf = async (share: string): Promise<string | undefined> => {
    const file = { path: "/a", filename: "scan", mediaType: "" };
    const { texts } = await readPictures(file, [1], { command, kept: { children, share } });
    return texts.get(1)?.text;
  };
  const first = await pictureOf("one");
  expect((await read("one", "/b")).pages[0]?.text).not.toBe(first);
  expect(await pictureOf("one")).toBe(first);
  expect(await pictureOf("two")).not.toBe(first);
});

test("a kept child that crashes at a picture is replaced, and no page is lost", async () => {
  const command = pictureTelling("if (number === 2) process.exit(1);");
  readerOf(command);
  const [children] = open;
  if (children === undefined) throw new Error("no children");
  const file = { path: "/a", filename: "scan", mediaType: "" };
  const kept = { children, share: "one" };
  const first = await readPictures(file, [1], { command, kept });
  const second = await readPictures(file, [1], { command, kept });
  expect(second.warnings).toEqual([]);
  expect(second.texts.get(1)?.text).toMatch(/^\d+$/);
  expect(second.texts.get(1)?.text).not.toBe(first.texts.get(1)?.text);
});
