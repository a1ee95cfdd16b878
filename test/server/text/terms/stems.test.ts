import { expect, test } from "vitest";
import type { LatinLanguage } from "#server/text/terms/languages.ts";
import { stemsOf } from "#server/text/terms/stems.ts";

const forms: readonly (readonly [LatinLanguage, readonly string[]])[] = [
  ["da", ["bygning", "bygningen", "bygninger"]],
  ["de", ["genehmigung", "genehmigungen"]],
  ["en", ["connect", "connected", "connecting", "connection", "connections"]],
  ["es", ["solicitud", "solicitudes"]],
  ["fi", ["talo", "talot", "talossa"]],
  ["fr", ["demande", "demandes", "demander", "demandé"]],
  ["hu", ["ház", "házak", "házban"]],
  ["it", ["domanda", "domande"]],
  ["nl", ["vergunning", "vergunningen"]],
  ["no", ["bygning", "bygningen", "bygninger"]],
  ["pt", ["pedido", "pedidos"]],
  ["ro", ["cerere", "cereri"]],
  ["sv", ["flicka", "flickor", "flickorna"]],
  ["tr", ["kitap", "kitaplar", "kitaplardan"]],
];

test.each(forms)("the forms of a word have one stem in %s", (language, words) => {
  const stems = words.map((word) => stemsOf(word, [language]).join(" "));
  expect(new Set(stems).size, stems.join(", ")).toBe(1);
});

test.each([
  [["согласование", "согласования", "согласованиями"]],
  [["مدرسة", "المدرسة"]],
  [["δρόμος", "δρόμοι"]],
])("the script of %j decides how they are stemmed", (words) => {
  const stems = words.map((word) => stemsOf(word, ["en"]).join(" "));
  expect(new Set(stems).size, stems.join(", ")).toBe(1);
});

test("numbers, references, short words and other scripts have no stems", () => {
  for (const word of ["vx1741", "ab", "公園", "हिन्दी", "2026"])
    expect(stemsOf(word, ["en"])).toEqual([]);
  expect(stemsOf("wniosek", ["pl"])).toEqual([]);
});
