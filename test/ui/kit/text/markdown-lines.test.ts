import { describe, expect, it } from "vitest";
import { markdownLines } from "#ui/kit/text/markdown-lines.ts";

describe("markdownLines", () => {
  it("fits the width and draws half-finished text", () => {
    const lines = markdownLines("# Title\n\nsome **bold** and a `half", 20, false);
    expect(lines[0]).toBe("Title");
    expect(lines.every((line) => Bun.stringWidth(line) <= 20)).toBe(true);
  });

  it("takes control sequences out before it colours", () => {
    const lines = markdownLines("a \x1b[2Jb \x1b]0;t\x07c \x9b31md", 40, true);
    expect(lines.join("\n")).not.toMatch(/\x1b\[2J|\x1b\]|[\x07\x80-\x9f]/);
    expect(Bun.stripANSI(lines.join(""))).toBe("a b c d");
  });

  it("writes no sequence at all where there are no colours", () => {
    expect(markdownLines("**bold** [link](https://e.example)", 60, false).join("")).not.toContain(
      "\x1b",
    );
  });

  it("draws the tables of a text among its paragraphs, and none in code", () => {
    const table = "| place | fee |\n|---|--:|\n| Quay Street | 1,751.50 |";
    expect(markdownLines(`The fees:\n${table}\n\nThat is all.`, 60, false)).toEqual([
      "The fees:",
      "",
      "place       │      fee",
      "────────────┼─────────",
      "Quay Street │ 1,751.50",
      "",
      "That is all.",
    ]);
    expect(markdownLines(`\`\`\`\n${table}\n\`\`\``, 60, false).join("\n")).toContain("|---|--:|");
  });
});
