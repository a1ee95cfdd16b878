import type { ExtractionLimits } from "../extraction-limits.ts";
import { readXml } from "./xml.ts";

/** How a cell's number is shown, as far as its meaning depends on it. */
export type CellFormat =
  | { kind: "plain" }
  | { kind: "date" | "time" | "dateTime" }
  | { kind: "percent"; decimals: number }
  | { kind: "money"; sign: string; decimals: number };

/**
 * Number formats that need no definition (ECMA-376 part 1, 18.8.30), those that mean more than a
 * number.
 */
const builtIn: Readonly<Record<number, CellFormat>> = {
  9: { kind: "percent", decimals: 0 },
  10: { kind: "percent", decimals: 2 },
  18: { kind: "time" },
  19: { kind: "time" },
  20: { kind: "time" },
  21: { kind: "time" },
  22: { kind: "dateTime" },
  45: { kind: "time" },
  46: { kind: "time" },
  47: { kind: "time" },
};

const millisecondsADay = 86_400_000;
/** Days from 1900's day zero, and from 1904's, to 1 January 1970. */
const daysTo1970 = { from1900: 25_569, from1904: 24_107 };
/** 31 December 9999, the last day that a spreadsheet knows. */
const lastDay = 2_958_465;

/** The formats that cells name by their index (`s`), from the workbook's styles. */
export function readFormats(
  bytes: Uint8Array,
  limits: ExtractionLimits,
  what: string,
): CellFormat[] {
  const custom = new Map<number, string>();
  const formats: CellFormat[] = [];
  let inCellFormats = false;
  readXml(
    bytes,
    {
      open(name, attributes) {
        if (name === "cellXfs") inCellFormats = true;
        else if (name === "numFmt") {
          custom.set(Number(attributes.numFmtId), attributes.formatCode ?? "");
        } else if (name === "xf" && inCellFormats) {
          const id = Number(attributes.numFmtId ?? 0);
          formats.push(formatOf(id, custom.get(id)));
        }
      },
      close(name) {
        if (name === "cellXfs") inCellFormats = false;
      },
    },
    limits,
    what,
  );
  return formats;
}

function formatOf(id: number, code: string | undefined): CellFormat {
  if (code !== undefined) return formatOfCode(code);
  if ((id >= 14 && id <= 17) || (id >= 27 && id <= 36) || (id >= 50 && id <= 58)) {
    return { kind: "date" };
  }
  return builtIn[id] ?? { kind: "plain" };
}

const currencySign = /\[\$([^\]-]+)(?:-[0-9A-Fa-f]+)?\]|"([£€$¥]|[A-Z]{3})"|\\?([£€$¥])/;

function formatOfCode(code: string): CellFormat {
  const positive = code.split(";")[0] ?? "";
  const decimals = /[0#]\.(0+)/.exec(positive)?.[1]?.length ?? 0;
  const sign = currencySign.exec(positive);
  // Words in quotes, escaped characters and [conditions] are no date letters.
  const letters = positive.replace(/"[^"]*"|\\.|\[[^\]]*\]/g, "").toLowerCase();
  const hasDay = /[dy]/.test(letters);
  const hasHour = /[hs]/.test(letters);
  if (hasDay) return { kind: hasHour ? "dateTime" : "date" };
  if (hasHour) return { kind: "time" };
  if (letters.includes("%")) return { kind: "percent", decimals };
  const money = sign?.[1] ?? sign?.[2] ?? sign?.[3];
  if (money !== undefined) return { kind: "money", sign: money.trim(), decimals };
  return { kind: "plain" };
}

/**
 * A stored number as its reader sees it: `2026-03-14`, `09:30`, `25%`, `£1,250.00`, or the number
 * itself.
 */
export function formatNumber(stored: string, format: CellFormat, from1904: boolean): string {
  const number = Number(stored);
  if (!Number.isFinite(number)) return stored;
  switch (format.kind) {
    case "plain":
      return plainNumber(number);
    case "percent":
      return `${(number * 100).toFixed(format.decimals)}%`;
    case "money": {
      const amount = Math.abs(number).toLocaleString("en", {
        minimumFractionDigits: format.decimals,
        maximumFractionDigits: format.decimals,
      });
      const space = format.sign.length > 1 ? " " : "";
      return `${number < 0 ? "-" : ""}${format.sign}${space}${amount}`;
    }
    case "date":
    case "time":
    case "dateTime": {
      if (number < 0 || number > lastDay) return plainNumber(number);
      const offset = from1904 ? daysTo1970.from1904 : daysTo1970.from1900;
      // Rounded to seconds: a time of day is a fraction that binary numbers don't hold exactly.
      const seconds = Math.round(((number - offset) * millisecondsADay) / 1000);
      const text = new Date(seconds * 1000).toISOString();
      if (format.kind === "date") return text.slice(0, 10);
      const time = text.slice(17, 19) === "00" ? text.slice(11, 16) : text.slice(11, 19);
      return format.kind === "time" ? time : `${text.slice(0, 10)} ${time}`;
    }
  }
}

/**
 * Takes the noise off sums such as 0.30000000000000004, as a spreadsheet itself shows 15 digits.
 */
function plainNumber(number: number): string {
  return String(Number(number.toPrecision(15)));
}
