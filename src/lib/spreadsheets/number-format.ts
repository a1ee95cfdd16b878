/* Number formats of spreadsheets (ECMA-376 part 1, 18.8.30 and 18.8.31). */

/** How a cell's number is shown, if that changes its meaning. */
export type CellFormat =
  | { kind: "plain" }
  | { kind: "date" | "time" | "dateTime" }
  /** Hours beyond a day, such as `26:30`. */
  | { kind: "elapsed"; hasSeconds: boolean }
  | { kind: "digits"; length: number }
  | { kind: "percent"; decimals: number }
  | { kind: "money"; sign: string; decimals: number };

const millisecondsPerDay = 86_400_000;
/** Days from 1900's day zero, and from 1904's, to 1 January 1970. */
const daysTo1970 = { from1900: 25_569, from1904: 24_107 };
/** 31 December 9999, the last day in a spreadsheet. */
const lastDay = 2_958_465;
/** 1900 has a 29 February in spreadsheets, so that days before it count one less. */
const leapDay = 60;

/** Number formats without a definition (ECMA-376 part 1, 18.8.30). */
export function builtInFormat(id: number): CellFormat {
  const isAmong = (first: number, last: number): boolean => id >= first && id <= last;
  if (isAmong(14, 17) || isAmong(27, 36) || isAmong(50, 58)) return { kind: "date" };
  if (id === 46) return { kind: "elapsed", hasSeconds: true };
  if (isAmong(18, 21) || isAmong(45, 47)) return { kind: "time" };
  if (id === 22) return { kind: "dateTime" };
  return id === 9 || id === 10
    ? { kind: "percent", decimals: id === 9 ? 0 : 2 }
    : { kind: "plain" };
}

const currencySign = /\[\$([^\]-]+)(?:-[0-9A-Fa-f]+)?\]|"([£€$¥]|[A-Z]{3})"|\\?([£€$¥])/;

export function formatOfCode(code: string): CellFormat {
  const positive = code.split(";")[0] ?? "";
  const decimals = /[0#]\.(0+)/.exec(positive)?.[1]?.length ?? 0;
  const sign = currencySign.exec(positive);
  // Quoted words, escaped characters and [conditions] hold no date letters.
  const letters = positive.replace(/"[^"]*"|\\.|\[[^\]]*\]/g, "").toLowerCase();
  // Codes such as postal codes keep their leading zeros.
  if (/^0{2,}$/.test(code)) return { kind: "digits", length: code.length };
  if (/\[h+\]/i.test(positive)) return { kind: "elapsed", hasSeconds: letters.includes("s") };
  const hasDay = /[dy]/.test(letters);
  const hasHour = /[hs]/.test(letters);
  if (hasDay) return { kind: hasHour ? "dateTime" : "date" };
  if (hasHour) return { kind: "time" };
  if (letters.includes("%")) return { kind: "percent", decimals };
  const money = sign?.[1] ?? sign?.[2] ?? sign?.[3];
  if (money !== undefined) return { kind: "money", sign: money.trim(), decimals };
  return { kind: "plain" };
}

/** A number as a spreadsheet shows it: `2026-03-14`, `09:30`, `25%`, `£1,250.00`, or itself. */
export function formatNumber(stored: string, format: CellFormat, from1904: boolean): string {
  const number = Number(stored);
  if (!Number.isFinite(number)) return stored;
  switch (format.kind) {
    case "plain":
      return plainNumber(number);
    case "digits":
      return Number.isInteger(number) && number >= 0
        ? String(number).padStart(format.length, "0")
        : plainNumber(number);
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
    case "elapsed":
      return elapsed(number, format.hasSeconds);
    case "date":
    case "time":
    case "dateTime":
      return timeText(number, format.kind, from1904);
  }
}

function timeText(number: number, kind: "date" | "time" | "dateTime", from1904: boolean): string {
  if (number < 0 || number > lastDay) return plainNumber(number);
  const offset = from1904 ? daysTo1970.from1904 : daysTo1970.from1900;
  const isEarly = !from1904 && number < leapDay;
  const days = number - offset + (isEarly ? 1 : 0);
  // Rounded to seconds, because a binary number has a time of day inexactly.
  const text = new Date(Math.round((days * millisecondsPerDay) / 1000) * 1000).toISOString();
  const time = text.slice(17, 19) === "00" ? text.slice(11, 16) : text.slice(11, 19);
  if (kind === "time") return time;
  // These two days are those that a spreadsheet shows, and no others have.
  const isLeapDay = !from1904 && Math.floor(number) === leapDay;
  const first = !from1904 && number < 1 ? "1900-01-00" : text.slice(0, 10);
  const day = isLeapDay ? "1900-02-29" : first;
  return kind === "date" ? day : `${day} ${time}`;
}

function elapsed(number: number, hasSeconds: boolean): string {
  const seconds = Math.round((Math.abs(number) * millisecondsPerDay) / 1000);
  const parts = [Math.floor(seconds / 60) % 60, ...(hasSeconds ? [seconds % 60] : [])];
  const rest = parts.map((part) => String(part).padStart(2, "0")).join(":");
  return `${number < 0 ? "-" : ""}${Math.floor(seconds / 3600)}:${rest}`;
}

/** 15 digits, as spreadsheets show, remove the noise of sums such as 0.30000000000000004. */
export function plainNumber(number: number): string {
  return String(Number(number.toPrecision(15)));
}
