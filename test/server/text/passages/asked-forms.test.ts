import { expect, test } from "vitest";
import { AskedForms } from "#server/text/passages/asked-forms.ts";

test("a text has each asked word with the weight of its best form", () => {
  const forms = new AskedForms(new Set(["genehmigung", "wand"]));
  expect(forms.of("genehmigungen")).toEqual([["genehmigung", 0.7]]);
  expect(forms.in(["genehmigungen", "genehmigung", "tür"])).toEqual(new Map([["genehmigung", 1]]));
});
