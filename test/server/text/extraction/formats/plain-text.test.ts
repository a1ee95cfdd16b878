import { describe, expect, test } from "vitest";
import { extract } from "./build-files.ts";

const textOf = async (content: string | Uint8Array, filename: string): Promise<string> =>
  (await extract(content, { filename })).pages.map((page) => page.text).join("\n---\n");

describe("Markdown, CSV and plain text", () => {
  test("Markdown gives its text without its marks", async () => {
    const source =
      "---\ntitle: Site visit\nauthor: J. Lindqvist\ndate: 2026-11-24\n---\n" +
      "# Heading\n\nThe **fee** is [£293](https://x.example).\n\n- one\n- two\n\n" +
      "| A | B |\n|---|---|\n| 1 | 2 |\n";
    const document = await extract(source, { filename: "a.md" });
    expect(document.pages[0]?.text).toBe("Heading\n\nThe fee is £293.\n\none\ntwo\n\nA\tB\n1\t2");
    expect(document.metadata).toEqual({
      title: "Site visit",
      author: "J. Lindqvist",
      createdAt: "2026-11-24T00:00:00.000Z",
    });
  });

  test.each([
    ["# Site visit ##\n\nText", "Site visit"],
    ["#no heading\n#\t Site visit \t\n", "Site visit"],
    [`# ${"long ".repeat(200)}\n# Site visit`, "Site visit"],
    ["## Only a second one", undefined],
  ])("Markdown without a front matter has its first heading's title: %j", async (source, title) => {
    expect((await extract(source, { filename: "a.md" })).metadata.title).toBe(title);
  });

  test("CSV gives one line per record, with any delimiter", async () => {
    expect(await textOf('name;note\n"Holm; Greta";"two\nlines"\n\n', "a.csv")).toBe(
      "name\tnote\nHolm; Greta\ttwo lines",
    );
  });

  test.each([
    ["UTF-8", Buffer.from("Café £5")],
    ["UTF-8 with a mark", Buffer.from("\ufeffCafé £5")],
    ["UTF-16 little endian", Buffer.from("\ufeffCafé £5", "utf16le")],
    ["UTF-16 big endian", Buffer.from("\ufeffCafé £5", "utf16le").swap16()],
    ["Latin-1", Buffer.from("Café £5", "latin1")],
  ])("plain text in %s", async (_, bytes) => {
    expect(await textOf(bytes, "a.txt")).toBe("Café £5");
  });

  test("text is NFC and has no control characters", async () => {
    const source =
      "Cafe\u0301\u00a0bar \r\n\u001b[31mred\u001b[0m\u0007\rtab\there" +
      "\u202e\u200b\u0085\n\n\n\nend\u00ad";
    expect(await textOf(Buffer.from(source), "a.txt")).toBe("Café bar\nred\ntab\there\n\nend");
  });
});
