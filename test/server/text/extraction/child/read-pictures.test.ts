import { expect, test } from "vitest";
import { readPictures } from "#server/text/extraction/child/read-pictures.ts";

/** A child that reads page 1 and then ends as `ending` says. */
function childThat(ending: string): string[] {
  const line = JSON.stringify({ type: "page", number: 1, text: "Seen" });
  return ["sh", "-c", `case "$4" in *'[1,'*) echo '${line}';; esac; ${ending}`, "sh"];
}

const file = { path: "/dev/null", filename: "scan.pdf", mediaType: "application/pdf" };

test("pages whose child dies are named with the reason, and three of them are the end", async () => {
  const read = await readPictures(file, [1, 2, 3, 4, 5, 6], { command: childThat("kill -9 $$") });
  expect([...read.texts.keys()]).toEqual([1]);
  expect(read.warnings).toEqual([
    ...[2, 3, 4].map(
      (page) =>
        `The picture of page ${page} was not read: the program that reads it stopped unexpectedly.`,
    ),
    "After 3 such pages, the other pictures were not read.",
  ]);
});

test("a page that takes too much memory is named so", async () => {
  // It reads a line that has no end.
  const grow = "exec sort -S 2G /dev/zero";
  const read = await readPictures(file, [2], { command: childThat(grow) });
  expect(read.warnings[0]).toBe(
    "The picture of page 2 was not read: reading it takes more memory than one page may use.",
  );
});

test("a page with too many pieces is named so, with the reason", async () => {
  const line = JSON.stringify({ type: "error", code: "limit-exceeded", message: "page 2" });
  const read = await readPictures(file, [2, 3], { command: childThat(`echo '${line}'`) });
  expect(read.warnings[0]).toBe(
    "The picture of page 2 was not read: it has more pieces than one page may have, " +
      "with those of its forms.",
  );
});
