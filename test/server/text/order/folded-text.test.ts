import { createHash } from "node:crypto";
import { describe, expect, test } from "vitest";
import { foldedText, foldedTexts } from "#server/text/order/folded-text.ts";

describe("the folded form of a text", () => {
  test.each([
    ["Äpfel", "apfel"],
    ["ÉCOLE", "ecole"],
    ["Straße", "strasse"],
    ["Ægir", "aegir"],
    ["Łódź", "lodz"],
    ["İzmir", "izmir"],
    ["ΣΊΣΥΦΟΣ", "σισυφοσ"],
    ["Ёлка", "елка"],
    ["Йод", "йод"],
    ["ﬁnal", "final"],
    ["d’or", "d'or"],
    ["東京", "東京"],
    ["한국", "한국"],
    ["हिन्दी", "हिन्दी"],
  ])("of %s is %s", (text, folded) => {
    expect(foldedText(text)).toBe(folded);
  });

  test("is the same in every build, for stored keys depend on it", () => {
    const digest = createHash("sha256");
    for (let code = 0; code <= 0x10_ff_ff; code += 1) {
      if (code >= 0xd8_00 && code <= 0xdf_ff) continue;
      const character = String.fromCodePoint(code);
      const folded = foldedText(character);
      if (folded !== character) digest.update(`${code} ${folded}\n`);
    }
    expect(digest.digest("hex")).toMatchInlineSnapshot(
      `"1768d41409e92dfba87be4f694641b2e1924b88cb44ff053376f814e6d75db09"`,
    );
  });

  test("is cut at a whole character", () => {
    expect(Array.from(foldedText("😀".repeat(300)))).toHaveLength(256);
    expect(Array.from(foldedText("ß".repeat(300)))).toHaveLength(256);
  });

  test("is stored for the texts only that a database does not lower itself", () => {
    const data = { a: "Plain", b: "Äpfel", c: { d: "Zürich", e: "東京" }, f: ["Öl"], n: 1 };
    expect([...foldedTexts(JSON.stringify(data))]).toEqual([
      ["Äpfel", "apfel"],
      ["Zürich", "zurich"],
    ]);
  });
});
