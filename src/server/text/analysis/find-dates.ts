/** A date in a text: offsets are UTF-16 code units, `value` is ISO 8601 (`2026-12-18`). */
export type FoundDate = { start: number; end: number; value: string; confidence: number };

const months =
  "january february march april may june july august september october november december".split(
    " ",
  );
const monthNames = months.map((name) => `${name.slice(0, 3)}(?:${name.slice(3)})?`);
const monthName = `(?:${monthNames.join("|")}|sept)\\.?`;

/** Months in the order of the year, in the form that dates have, by language. */
const furtherMonths = [
  "januar februar märz april mai juni juli august september oktober november dezember",
  "janvier février mars avril mai juin juillet août septembre octobre novembre décembre",
  "enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre",
  "gennaio febbraio marzo aprile maggio giugno luglio agosto settembre ottobre novembre dicembre",
  "januari februari maart april mei juni juli augustus september oktober november december",
  "janeiro fevereiro março abril maio junho julho agosto setembro outubro novembro dezembro",
  "января февраля марта апреля мая июня июля августа сентября октября ноября декабря",
  "ocak şubat mart nisan mayıs haziran temmuz ağustos eylül ekim kasım aralık",
  "stycznia lutego marca kwietnia maja czerwca lipca sierpnia września października listopada grudnia",
].map((names) => names.split(" "));
const numbersOfMonths = new Map(
  furtherMonths.flatMap((names) => names.map((name, at) => [name, String(at + 1)] as const)),
);
/** Months with any sign for a letter with an accent, which a scan often loses: "aolt", "Marz". */
const lostMonths = [...numbersOfMonths].flatMap(([name, number]) => {
  const written = name.replaceAll(/[\u00c0-\u024f]/g, "[^\\s\\p{N}]");
  return written === name ? [] : [{ written, name: new RegExp(`^${written}$`, "u"), number }];
});

type Form = {
  pattern: RegExp;
  read(groups: readonly string[]): [string, string, string] | null;
  confidence: number;
};

/** Ways to write a date, the clearest first. `read` returns year, month and day. */
const forms: readonly Form[] = [
  {
    pattern: /\b(\d{4})-(\d{2})-(\d{2})(?![\d-])/g,
    read: ([year = "", month = "", day = ""]) => [year, month, day],
    confidence: 0.95,
  },
  {
    pattern: new RegExp(
      `\\b(\\d{1,2})(?:st|nd|rd|th)?(?: of)?([ -])(${monthName})(?:,? |\\2)(\\d{4})\\b`,
      "gi",
    ),
    read: ([day = "", , month = "", year = ""]) => [year, monthNumber(month), day],
    confidence: 0.95,
  },
  {
    pattern: new RegExp(`\\b(${monthName}) (\\d{1,2})(?:st|nd|rd|th)?,? (\\d{4})\\b`, "gi"),
    read: ([month = "", day = "", year = ""]) => [year, monthNumber(month), day],
    confidence: 0.95,
  },
  {
    pattern: withMonths([...numbersOfMonths.keys()]),
    read: ([day = "", month = "", year = ""]) => {
      const number = numbersOfMonths.get(month.toLowerCase());
      return number === undefined ? null : [year, number, day];
    },
    confidence: 0.95,
  },
  {
    pattern: /(\d{4}) ?年 ?(\d{1,2}) ?月 ?(\d{1,2}) ?日/g,
    read: ([year = "", month = "", day = ""]) => [year, month, day],
    confidence: 0.95,
  },
  {
    pattern: /(?<![\d/.-])(\d{1,2})([/.-])(\d{1,2})\2(\d{4})(?![\d/-])/g,
    // Day first, unless only the other order is a date.
    read: ([first = "", , second = "", year = ""]) =>
      Number(second) > 12 ? [year, first, second] : [year, second, first],
    confidence: 0.9,
  },
  {
    pattern: withMonths(lostMonths.map(({ written }) => written)),
    read: ([day = "", month = "", year = ""]) => {
      const found = lostMonths.find(({ name }) => name.test(month.toLowerCase()));
      return found === undefined ? null : [year, found.number, day];
    },
    confidence: 0.75,
  },
];
/** A day, a month of these names and a year. */
function withMonths(names: readonly string[]): RegExp {
  const month = names.join("|");
  return new RegExp(
    `(?<![\\p{L}\\p{N}])(\\d{1,2})(?:\\.|er|º)? (?:de )?(${month}) (?:de )?(\\d{4})(?![\\p{L}\\p{N}])`,
    "giu",
  );
}
/** Day and month may be swapped if both are twelve or less. */
const ambiguousConfidence = 0.6;

/** Hyphens that typesetters write for the one of a keyboard, each of one code unit. */
export const typesetHyphens = /[\u2010\u2011]/g;

/** Finds valid dates in order; years from 1800 to 2199. */
export function findDates(written: string): FoundDate[] {
  const text = written.replaceAll(typesetHyphens, "-");
  const found: FoundDate[] = [];
  for (const { pattern, read, confidence } of forms) {
    // Matches of one form are in order and do not overlap.
    const clearer = found.toSorted((a, b) => a.start - b.start);
    let at = 0;
    for (const match of text.matchAll(pattern)) {
      const parts = read(match.slice(1));
      const value = parts === null ? null : isoDate(...parts);
      if (value === null) continue;
      const start = match.index;
      const end = start + match[0].length;
      while ((clearer[at]?.end ?? Infinity) <= start) at += 1;
      if ((clearer[at]?.start ?? Infinity) < end) continue;
      // With points the day always comes first.
      const isAmbiguous = /^\d{1,2}[/-]/.test(match[0]) && isTwoWay(match[0]);
      found.push({ start, end, value, confidence: isAmbiguous ? ambiguousConfidence : confidence });
    }
  }
  return found.toSorted((a, b) => a.start - b.start);
}

function isTwoWay(written: string): boolean {
  const [first, second] = written.split(/[/.-]/).map(Number);
  return first !== second && (first ?? 0) <= 12 && (second ?? 0) <= 12;
}

function monthNumber(name: string): string {
  const start = name.slice(0, 3).toLowerCase();
  return String(months.findIndex((month) => month.startsWith(start)) + 1);
}

function isoDate(year: string, month: string, day: string): string | null {
  const numbers = [Number(year), Number(month), Number(day)] as const;
  if (numbers[0] < 1800 || numbers[0] > 2199) return null;
  const date = new Date(Date.UTC(numbers[0], numbers[1] - 1, numbers[2]));
  // Date would turn 31 April into 1 May.
  if (date.getUTCMonth() !== numbers[1] - 1 || date.getUTCDate() !== numbers[2]) return null;
  return date.toISOString().slice(0, 10);
}
