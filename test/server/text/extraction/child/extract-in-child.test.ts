import { deflateSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import type { ChildOptions } from "#server/text/extraction/child/child-options.ts";
import { extractInChild } from "#server/text/extraction/child/extract-in-child.ts";
import type { ExtractedDocument } from "#server/text/extraction/extracted-document.ts";
import {
  failureOf,
  makeDocx,
  makePdf,
  paragraph,
  pdfLines,
  withFile,
} from "../formats/build-files.ts";

const mebibyte = 1024 * 1024;
const command = [process.execPath, `${import.meta.dirname}/child-program.ts`];

/**
 * Extracts this content in a child, with the product's code unless `options` give another program.
 */
async function inChild(
  content: string | Uint8Array,
  options: Partial<ChildOptions> = {},
  filename = "file",
): Promise<ExtractedDocument> {
  return await withFile(content, (path) =>
    extractInChild({ path, filename, mediaType: "" }, { command, ...options }),
  );
}

/** A child that runs this script instead. */
const script = (source: string): string[] => [process.execPath, "-e", source];

/**
 * A PDF of a few kilobytes whose only page unpacks, through two filters, to `megabytes` of text
 * operators.
 */
function makePdfBomb(megabytes: number): Uint8Array {
  const operators = Buffer.alloc(megabytes * mebibyte, "BT /F1 9 Tf (spam) Tj ET ");
  const packed = deflateSync(deflateSync(operators));
  return makePdf([""], { filter: () => ["/Filter [/FlateDecode /FlateDecode]", packed] });
}

describe("a document is read in a child process", () => {
  test("it returns pages, metadata and warnings, and reports progress", async () => {
    const progress: [number, number][] = [];
    const contents = ["First page", "Second page"].map((line) => pdfLines([line]));
    const document = await inChild(
      makePdf(contents, { information: "/Title (Plan)" }),
      { onProgress: (done, total) => void progress.push([done, total]) },
      "plan.pdf",
    );
    expect(document).toMatchObject({
      mediaType: "application/pdf",
      pages: [
        { number: 1, text: "First page" },
        { number: 2, text: "Second page" },
      ],
      metadata: { title: "Plan" },
      warnings: [],
      unreadPages: [],
    });
    expect(progress).toEqual([
      [1, 2],
      [2, 2],
    ]);
  });

  test("text of several megabytes in many scripts is complete", async () => {
    const line = 'Straße, Привет, 你好, "quoted" and 🏛 again.\n';
    const document = await inChild(line.repeat(50_000), {}, "long.txt");
    const text = document.pages.map((page) => page.text).join("\n");
    expect(text).toBe(line.repeat(50_000).trim());
  });

  test("it returns the reason for an unreadable file", async () => {
    expect((await failureOf(inChild(""))).code).toBe("empty-file");
    expect((await failureOf(inChild("%PDF-1.4 nothing"))).code).toBe("corrupt");
    const error = await failureOf(inChild(new Uint8Array([0x47, 0x49, 0x46, 0x38])));
    expect(error.message).toContain("a picture (GIF)");
  });

  test("the child has no environment, so no secrets", async () => {
    process.env.SVC_EXTRACTION_TEST_SECRET = "s3cret";
    const source =
      "const text = JSON.stringify(process.env);" +
      "console.log(JSON.stringify({ type: 'page', number: 1, text }));" +
      "const end = { type: 'end', mediaType: 'text/plain', metadata: {}, warnings: [] };" +
      "console.log(JSON.stringify(end))";
    const document = await inChild("x", { command: script(source) });
    delete process.env.SVC_EXTRACTION_TEST_SECRET;
    const names = Object.keys(JSON.parse(document.pages[0]!.text));
    // The shell sets these itself.
    expect(names.filter((name) => !["PWD", "OLDPWD", "SHLVL", "_"].includes(name))).toEqual([]);
  });
});

describe("a harmful child is killed", () => {
  // Only Linux shows the kernel limits, which end a child whose parent was killed.
  test.skipIf(process.platform !== "linux")("it has kernel limits", async () => {
    const source =
      "const text = await Bun.file('/proc/self/limits').text();" +
      "console.log(JSON.stringify({ type: 'page', number: 1, text }));" +
      "const end = { type: 'end', mediaType: 'text/plain', metadata: {}, warnings: [] };" +
      "console.log(JSON.stringify(end))";
    const document = await inChild("x", { command: script(source), timeoutMs: 10_000 });
    expect(document.pages[0]?.text).toMatch(/^Max cpu time +25 +25 +seconds/m);
    expect(document.pages[0]?.text).toMatch(/^Max core file size +0 +0 +bytes/m);
  });

  test("an endless loop times out", async () => {
    const error = await failureOf(inChild("x", { command: script("for (;;) {}"), timeoutMs: 400 }));
    expect(error.code).toBe("timed-out");
    expect(error.message).toBe(
      "This file was not read: reading it takes longer than the 0.4 seconds " +
        "that one document may take.",
    );
  });

  test("a PDF that unpacks twice times out", async () => {
    const options = { timeoutMs: 900, memoryLimitBytes: 4096 * mebibyte };
    expect((await failureOf(inChild(makePdfBomb(48), options))).code).toBe("timed-out");
  });

  test("a PDF that unpacks twice exceeds the memory limit", async () => {
    const options = { memoryLimitBytes: 200 * mebibyte };
    expect((await failureOf(inChild(makePdfBomb(48), options))).code).toBe("out-of-memory");
  });

  test("a child that fills memory is killed", async () => {
    const source = "const all = []; for (;;) all.push(Buffer.alloc(4 << 20, 1));";
    const error = await failureOf(
      inChild("x", { command: script(source), memoryLimitBytes: 256 * mebibyte }),
    );
    expect(error.code).toBe("out-of-memory");
  });

  test("a child that takes 400 MiB is killed without any option", async () => {
    const end = '{"type":"end","mediaType":"text/plain","metadata":{},"warnings":[]}';
    const source =
      "const all = []; for (let n = 0; n < 100; n += 1) all.push(Buffer.alloc(4 << 20, 1)); " +
      `await Bun.sleep(500); console.log(all.length && '${end}');`;
    const error = await failureOf(inChild("x", { command: script(source) }));
    expect(error.code).toBe("out-of-memory");
  });

  test("an abort kills the child and throws the signal's reason", async () => {
    const reason = new Error("the job was cancelled");
    const controller = new AbortController();
    const work = inChild("x", { command: script("for (;;) {}"), signal: controller.signal });
    setTimeout(() => controller.abort(reason), 100);
    await expect(work).rejects.toBe(reason);
    await expect(inChild("x", { signal: controller.signal })).rejects.toBe(reason);
  });
});

describe("a child that can't be trusted has crashed", () => {
  const page = (number: number, text = "x"): string =>
    JSON.stringify({ type: "page", number, text });
  const end = JSON.stringify({ type: "end", mediaType: "text/plain", metadata: {}, warnings: [] });
  const says = (...lines: string[]): string[] =>
    script(`await Bun.write(Bun.stdout, ${JSON.stringify(lines.join("\n"))})`);

  test.each([
    ["ends at once", script("process.exit(3)")],
    ["is killed", script("process.kill(process.pid, 'SIGSEGV')")],
    ["is not there", ["/nonexistent/program"]],
    ["says no JSON", says("hello", end, "")],
    ["says something else", says('{"type":"secret"}', end, "")],
    ["forgets the end", says(page(1), "")],
    ["breaks off within its last line", says(page(1), end)],
    ["skips a page", says(page(2), end, "")],
    ["goes on after the end", says(end, page(1), "")],
    ["gives metadata of another shape", says(end.replace("{}", '{"title":1}'), "")],
    ["gives a page with a NUL", says(page(1, "a\0b"), end, "")],
    ["gives half a surrogate pair", says(end.replace("{}", '{"title":"\\ud83d"}'), "")],
    ["invents an error code", says('{"type":"error","code":"oops","message":"x"}', "")],
  ])("when it %s", async (_, program) => {
    const error = await failureOf(inChild("x", { command: program }));
    expect(error.code).toBe("crashed");
    expect(error.message).toContain("stopped unexpectedly");
  });

  test("when it never ends a line", async () => {
    const source = "for (;;) await Bun.write(Bun.stdout, 'x'.repeat(1 << 20))";
    expect((await failureOf(inChild("x", { command: script(source) }))).code).toBe("crashed");
  });

  test("when it writes more pages than a document may have", async () => {
    const source =
      "let out = ''; for (let number = 1; number <= 2001; number += 1) " +
      "out += JSON.stringify({ type: 'page', number, text: '' }) + '\\n';" +
      `await Bun.write(Bun.stdout, out + ${JSON.stringify(`${end}\n`)})`;
    expect((await failureOf(inChild("x", { command: script(source) }))).code).toBe("crashed");
  });
});

test("a Word document is read in the same way", async () => {
  const document = await inChild(makeDocx(paragraph("Dear sir")), {}, "letter.docx");
  expect(document.pages).toEqual([{ number: 1, text: "Dear sir" }]);
});
