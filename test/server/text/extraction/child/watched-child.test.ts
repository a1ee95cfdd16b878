import { deflateSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { WatchedChild } from "#server/text/extraction/child/watched-child.ts";
import { failureOf, makePdf } from "../formats/build-files.ts";
import { taggedPages } from "../formats/pdf/tagged-pages.ts";
import { inChild } from "./in-child.ts";

const mebibyte = 1024 * 1024;

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

describe.skipIf(process.platform !== "linux")("a child that may wait for a processor", () => {
  const limits = { timeoutMs: 1_000, longestMs: 20_000, memoryBytes: 1024 * mebibyte };

  test("goes on when its time is over without use", async () => {
    const end = { type: "end", mediaType: "text/plain", metadata: {}, warnings: [] };
    const source = `await Bun.sleep(1_300); console.log('${JSON.stringify(end)}')`;
    const child = new WatchedChild(script(source), { cpuMs: 10_000 });
    const lines: unknown[] = [];
    await child.read(limits, (line) => lines.push(line));
    expect(lines).toEqual([end]);
    await child.kill();
  });

  test("is killed when it has used its time", async () => {
    const child = new WatchedChild(script("for (;;) {}"), { cpuMs: 10_000 });
    await expect(child.read(limits, () => {})).rejects.toMatchObject({ code: "timed-out" });
    await child.kill();
  });
});

describe.skipIf(process.platform !== "linux")("memory is bounded", () => {
  test("when a PDF has a structure of 45,000 elements", async () => {
    const { pages } = await inChild(taggedPages(450, 100));
    expect(pages).toHaveLength(450);
    expect(pages.at(-1)?.text).toContain("word449x99");
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
