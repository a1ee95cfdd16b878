import { describe, expect, it } from "vitest";
import { topEdge } from "#ui/kit/panes/pane.tsx";

const textOf = (parts: ReturnType<typeof topEdge>) => parts.map(({ text }) => text).join("");

describe("the edge of a pane", () => {
  const edge = (title: string, facts: readonly string[]) =>
    textOf(topEdge({ title, facts, width: 40 }, ["┌", "─", "┐"]));

  it.each([
    ["plans.pdf", ["page 1 of 3"], "┌ plans.pdf ─ page 1 of 3 ─────────────┐"],
    [
      "a long name of a file that was scanned",
      ["page 1 of 3"],
      "┌ a long name of a fil… ─ page 1 of 3 ─┐",
    ],
    ["licence", ["42", "filter holder:someone."], "┌ licence ─ 42 ─ filter holder:someo… ─┐"],
    ["a long name of a file that was scanned", [], "┌ a long name of a file that was sca… ─┐"],
    [
      "a long name of a file",
      ["and a fact that is as long"],
      "┌ a long name of a… ─ and a fact tha… ─┐",
    ],
  ])("keeps the first fact of %s, %j", (title, facts, drawn) => {
    expect(edge(title, facts)).toBe(drawn);
    expect(drawn).toHaveLength(40);
  });

  it.each([
    ["Members", "members", "┌ [members]  keys ─ 42 ────────────────┐"],
    ["PA-2026-0037", "keys", "┌ PA-2026-0037 ─ … [keys] ─ 42 ────────┐"],
    ["a long name of a member", "members", "┌ a long name of a… ─ [members] ─ 42 ──┐"],
  ])("has the tabs after the title %s, with %s open", (title, open, drawn) => {
    const tabs = { names: ["members", "keys"], open };
    const parts = topEdge({ title, tabs, facts: ["42"], width: 40 }, ["┌", "─", "┐"]);
    expect(textOf(parts)).toBe(drawn);
    expect(drawn).toHaveLength(40);
  });
});
