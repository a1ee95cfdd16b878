import { expect, test } from "vitest";
import { writeNumber, type Numeral } from "#server/text/extraction/formats/numbering/numerals.ts";

test.each<[Numeral, readonly (readonly [number, string])[]]>([
  [
    "decimal",
    [
      [0, "0"],
      [12, "12"],
    ],
  ],
  [
    "decimalZero",
    [
      [7, "07"],
      [12, "12"],
    ],
  ],
  [
    "lowerLetter",
    [
      [1, "a"],
      [26, "z"],
      [27, "aa"],
      [53, "aaa"],
      [0, "0"],
      [261, "261"],
    ],
  ],
  ["upperLetter", [[3, "C"]]],
  [
    "lowerRoman",
    [
      [4, "iv"],
      [1999, "mcmxcix"],
      [0, "0"],
    ],
  ],
  [
    "upperRoman",
    [
      [14, "XIV"],
      [4_999, "MMMMCMXCIX"],
      [5_000, "5000"],
    ],
  ],
  [
    "ordinal",
    [
      [1, "1st"],
      [2, "2nd"],
      [3, "3rd"],
      [11, "11th"],
      [113, "113th"],
      [22, "22nd"],
    ],
  ],
  [
    "circle",
    [
      [1, "①"],
      [20, "⑳"],
      [21, "21"],
    ],
  ],
  ["fullWidth", [[12, "１２"]]],
  [
    "chinese",
    [
      [3, "三"],
      [10, "十"],
      [12, "十二"],
      [20, "二十"],
      [34, "三十四"],
      [100, "100"],
    ],
  ],
  ["russianUpper", [[2, "Б"]]],
  ["hebrew", [[3, "ג"]]],
  ["korean", [[1, "가"]]],
  ["none", [[1, ""]]],
])("numbers as %s", (numeral, expected) => {
  expect(expected.map(([value]) => writeNumber(value, numeral))).toEqual(
    expected.map(([, text]) => text),
  );
});
