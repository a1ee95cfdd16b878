import { describe, expect, test } from "vitest";
import { contradicts } from "#server/domains/chat/generative/contradictions.ts";

describe("a sentence contradicts a claim with its words", () => {
  test.each([
    ["The council approved the plan.", "The council did not approve the plan."],
    ["The gate is never locked at night.", "The gate is locked at night."],
    ["The wall isn't painted.", "The wall is painted."],
    ["Der Rat genehmigte den Plan nicht.", "Der Rat genehmigte den Plan."],
    ["Le conseil n'a pas approuvé le plan.", "Le conseil a approuvé le plan."],
    ["El puente es seguro.", "El puente no es seguro."],
    ["Мост не закрыт.", "Мост закрыт."],
    ["Ada Marsh sued Tom Ash.", "Tom Ash sued Ada Marsh."],
    ["The keys went from Northwind to Southwick.", "The keys went from Southwick to Northwind."],
  ])("%s / %s", (claim, sentence) => {
    expect(contradicts(claim, sentence)).toBe(true);
    expect(contradicts(claim, claim)).toBe(false);
  });
});

describe("a sentence does not contradict a claim", () => {
  test.each([
    ["that it denies alike", "The gate is not locked.", "The gate was never locked."],
    [
      "by a denial of something else",
      "The wall is 2.4 metres high.",
      "The wall is 2.4 metres high, and must not be painted.",
    ],
    ["in the passive", "Ada Marsh wrote to Tom Ash.", "Tom Ash got a letter by Ada Marsh."],
    ["in a list of names", "Ada Marsh and Tom Ash spoke.", "Tom Ash and Ada Marsh spoke."],
  ])("%s", (_how, claim, sentence) => {
    expect(contradicts(claim, sentence)).toBe(false);
  });
});
