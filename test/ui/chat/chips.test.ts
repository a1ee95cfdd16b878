import { describe, expect, it } from "vitest";
import { chipTexts } from "#ui/chat/chips.tsx";

const named = (...names: string[]) => names.map((name) => ({ documentId: name, name }));

describe("chips of documents", () => {
  it("shows as many as fit, and the number of the others", () => {
    const subjects = named("plans.pdf", "letter.pdf", "a survey of the trees.docx");
    expect(chipTexts(subjects, 80).shown).toEqual([
      "[plans.pdf]",
      "[letter.pdf]",
      "[a survey of the trees.docx]",
    ]);
    expect(chipTexts(subjects, 30)).toEqual({ shown: ["[plans.pdf]", "[letter.pdf]"], more: 1 });
    const { shown, more } = chipTexts(subjects, 12);
    expect([shown[0]?.startsWith("[p"), Bun.stringWidth(shown.join(" ")) <= 9, more]).toEqual([
      true,
      true,
      2,
    ]);
  });
});
