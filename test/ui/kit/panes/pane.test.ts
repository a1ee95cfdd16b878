import { describe, expect, it } from "vitest";
import { topEdge } from "#ui/kit/panes/pane.tsx";

describe("the edge of a pane", () => {
  const edge = (title: string, facts: readonly string[]) =>
    topEdge({ title, facts, width: 40 }, ["┌", "─", "┐"]).join("");

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
});
