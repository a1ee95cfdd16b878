import { describe, expect, test } from "vitest";
import { WordFlow } from "#cli/output/word-flow.ts";

/** The output on a terminal of this width, when the text arrives in these pieces. */
function flowed(columns: number, ...pieces: string[]): string {
  const flow = new WordFlow(columns);
  return pieces.map((piece) => flow.push(piece)).join("") + flow.end();
}

describe("text that arrives in pieces", () => {
  test("breaks between words, independent of the pieces", () => {
    const expected = "The plan \nprovides \n24 spaces.";
    expect(flowed(10, "The plan provides 24 spaces.")).toBe(expected);
    expect(flowed(10, ..."The plan provides 24 spaces.".split(""))).toBe(expected);
    expect(flowed(10, "The pl", "an prov", "ides 24 spa", "ces", ".")).toBe(expected);
  });

  test("keeps its own lines and its indents", () => {
    expect(flowed(20, "one\n\n  two\nthree ", "four")).toBe("one\n\n  two\nthree four");
  });

  test("leaves a word that is longer than a line whole", () => {
    expect(flowed(5, "a https://example.test/x b")).toBe("a \nhttps://example.test/x b");
    expect(flowed(5, "a https:/", "/exam", "ple.test/x b")).toBe("a \nhttps://example.test/x b");
  });

  test("shows text without spaces as it arrives, at most one line late", () => {
    const flow = new WordFlow(4);
    expect([flow.push("漢字"), flow.push("漢字漢"), flow.push("字"), flow.end()]).toEqual([
      "",
      "漢字漢字漢",
      "字",
      "",
    ]);
  });

  test("counts wide letters as they are drawn", () => {
    expect(flowed(6, "漢字 漢字")).toBe("漢字 \n漢字");
  });

  test("keeps nothing back in the end", () => {
    const flow = new WordFlow(80);
    expect([flow.push("so fa"), flow.push("r"), flow.end(), flow.end()]).toEqual([
      "so ",
      "",
      "far",
      "",
    ]);
  });
});
