import { expect, test } from "vitest";
import { SlideNumbers } from "#server/text/extraction/formats/numbering/slide-numbers.ts";

type Paragraph = readonly [level: number, type?: string, start?: string];

function numbersOf(...paragraphs: Paragraph[]): string[] {
  const numbers = new SlideNumbers();
  numbers.open("txBody", {});
  return paragraphs.map(([lvl, type, startAt]) => {
    numbers.open("p", {});
    numbers.open("pPr", { lvl: String(lvl) });
    if (type === "bullet") numbers.open("buChar", {});
    else if (type !== undefined) {
      numbers.open("buAutoNum", { type, ...(startAt === undefined ? {} : { startAt }) });
    }
    return numbers.next();
  });
}

test("paragraphs count at their level, until one that has no number", () => {
  const dot = "arabicPeriod";
  expect(
    numbersOf([0, dot], [1, "alphaLcParenR"], [1, "alphaLcParenR"], [0, dot], [1, "alphaLcParenR"]),
  ).toEqual(["1. ", "a) ", "b) ", "2. ", "a) "]);
  expect(numbersOf([0, dot], [0], [0, dot], [0, "romanUcPeriod", "4"])).toEqual([
    "1. ",
    "",
    "1. ",
    "IV. ",
  ]);
});

test.each([
  ["arabicParenBoth", "(3) "],
  ["arabicPlain", "3 "],
  ["romanLcPeriod", "iii. "],
  ["alphaUcPeriod", "C. "],
  ["circleNumWdBlackPlain", "③ "],
])("the third paragraph as %s", (type, number) => {
  expect(numbersOf([0, type, "3"])).toEqual([number]);
});

test("a shape may number the paragraphs of a level, which may have a bullet instead", () => {
  const numbers = new SlideNumbers();
  numbers.open("txBody", {});
  numbers.open("lvl1pPr", {});
  numbers.open("buAutoNum", { type: "arabicPeriod" });
  const next = (...names: string[]): string => {
    numbers.open("p", {});
    for (const name of names) numbers.open(name, {});
    return numbers.next();
  };
  expect([next(), next("buNone"), next()]).toEqual(["1. ", "", "1. "]);
  numbers.open("txBody", {});
  expect(next()).toBe("");
});
