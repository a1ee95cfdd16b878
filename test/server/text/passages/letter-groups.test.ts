import { expect, test } from "vitest";
import { sharedGroups } from "#server/text/passages/letter-groups.ts";

test.each([
  [
    "a part of a compound",
    "Wer misst die Strecken?",
    "Die Eisenbahnstrecke ist lang.",
    "Er war gestern da.",
  ],
  [
    "a suffix",
    "Köprü ne zaman açıldı?",
    "Köprünün açılışı mayıstaydı.",
    "Kent büyük bir limandır.",
  ],
  ["an article", "متى بنيت مدرسة؟", "والمدرسة قديمة", "كتاب جديد"],
  ["an accent", "Who is Jose Nunez?", "José Núñez chaired it.", "The chair left early."],
])("a text with %s of a word shares more letters", (_name, question, near, far) => {
  const [ofNear = 0, ofFar = 0] = sharedGroups(question, [near, far]);
  expect(ofNear).toBeGreaterThan(ofFar);
  expect(ofNear).toBeLessThanOrEqual(1);
});

test("texts that share nothing, and no texts", () => {
  expect(sharedGroups("Who?", ["12", ""])).toEqual([0, 0]);
  expect(sharedGroups("", ["a"])).toEqual([0]);
  expect(sharedGroups("Who?", [])).toEqual([]);
});
