import { describe, expect, test } from "vitest";
import { failureOf, makeDocx, makePdf, paragraph, pdfLines } from "../formats/build-files.ts";
import { inChild } from "./in-child.ts";

/** A child that runs this script instead. */
const script = (source: string): string[] => [process.execPath, "-e", source];

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

test("a Word document is read in the same way", async () => {
  const document = await inChild(makeDocx(paragraph("Dear sir")), {}, "letter.docx");
  expect(document.pages).toEqual([{ number: 1, text: "Dear sir" }]);
});
