import { ownMember } from "#lib/own-member.ts";

/** The ways in which lists and headings write their numbers. */
export type Numeral =
  | "decimal"
  | "decimalZero"
  | "lowerLetter"
  | "upperLetter"
  | "lowerRoman"
  | "upperRoman"
  | "ordinal"
  | "circle"
  | "fullWidth"
  | "chinese"
  | "russianLower"
  | "russianUpper"
  | "hebrew"
  | "korean"
  | "none";

const romanAtMost = 4_999;
/** A letter is written this often at most: "a" to "z", "aa" to "zz" and so on. */
const timesAtMost = 10;
const alphabets: Readonly<Record<string, string>> = {
  lowerLetter: "abcdefghijklmnopqrstuvwxyz",
  upperLetter: "ABCDEFGHIJKLMNOPQRSTUVWXYZ",
  russianLower: "абвгдежзиклмнопрстуфхцчшщыэюя",
  russianUpper: "АБВГДЕЖЗИКЛМНОПРСТУФХЦЧШЩЫЭЮЯ",
  hebrew: "אבגדהוזחטיכלמנסעפצקרשת",
  korean: "가나다라마바사아자차카타파하",
};

/** A number from 0 on as its list shows it. A number that its numerals can't write is decimal. */
export function writeNumber(value: number, numeral: Numeral): string {
  const letters = ownMember(alphabets, numeral);
  if (letters !== undefined) return letterOf(value, letters) ?? String(value);
  if (numeral === "upperRoman") return romanOf(value);
  if (numeral === "lowerRoman") return romanOf(value).toLowerCase();
  if (numeral === "decimalZero") return String(value).padStart(2, "0");
  if (numeral === "ordinal") return `${value}${ordinalEnd(value)}`;
  if (numeral === "circle") return circled(value);
  if (numeral === "fullWidth") {
    return String(value).replaceAll(/\d/g, (digit) => String.fromCharCode(0xff10 + Number(digit)));
  }
  if (numeral === "chinese") return chineseOf(value);
  return numeral === "none" ? "" : String(value);
}

function letterOf(value: number, letters: string): string | undefined {
  const times = Math.ceil(value / letters.length);
  if (value < 1 || times > timesAtMost) return undefined;
  return letters.charAt((value - 1) % letters.length).repeat(times);
}

const romans: readonly (readonly [number, string])[] = [
  [1000, "M"],
  [900, "CM"],
  [500, "D"],
  [400, "CD"],
  [100, "C"],
  [90, "XC"],
  [50, "L"],
  [40, "XL"],
  [10, "X"],
  [9, "IX"],
  [5, "V"],
  [4, "IV"],
  [1, "I"],
];

function romanOf(value: number): string {
  if (value < 1 || value > romanAtMost) return String(value);
  let rest = value;
  let text = "";
  for (const [worth, sign] of romans) {
    text += sign.repeat(Math.floor(rest / worth));
    rest %= worth;
  }
  return text;
}

function ordinalEnd(value: number): string {
  const tens = value % 100;
  if (tens > 10 && tens < 14) return "th";
  return ["th", "st", "nd", "rd"][value % 10] ?? "th";
}

function circled(value: number): string {
  return value >= 1 && value <= 20 ? String.fromCharCode(0x245f + value) : String(value);
}

const chineseDigits = "〇一二三四五六七八九";

/** Up to 99, which lists and chapters seldom pass. */
function chineseOf(value: number): string {
  if (value > 99) return String(value);
  const tens = Math.floor(value / 10);
  const ones = value % 10;
  if (tens === 0) return chineseDigits.charAt(ones);
  const start = tens === 1 ? "十" : `${chineseDigits.charAt(tens)}十`;
  return ones === 0 ? start : start + chineseDigits.charAt(ones);
}
