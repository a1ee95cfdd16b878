const month = "jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec";
const numberWords =
  "no|none|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|\\w+teen|\\w+ty|hundred";
const kinds: readonly [question: RegExp, answer: RegExp][] = [
  [
    /\b(?:when|what (?:date|day|time)|by what date|how long|deadline|due)\b/i,
    new RegExp(
      `\\d{4}-\\d\\d-\\d\\d|\\d{1,2}[:/.]\\d\\d|\\b(?:${month})[a-z]*\\b|` +
        "\\b\\d+ (?:day|week|month|year)",
      "i",
    ),
  ],
  [
    /\b(?:how much|cost|fee|price|amount|charge)\b/i,
    /[£€$]\s?\d|\d\s?(?:GBP|EUR|USD|pounds|euros)/,
  ],
  [
    /\b(?:how many|how (?:high|tall|large|big|far|wide|deep)|number of)\b/i,
    new RegExp(`\\d|\\b(?:${numberWords})\\b`, "i"),
  ],
  [/\b(?:who|whom|whose)\b/i, /\p{Lu}\p{Ll}+\s+\p{Lu}\p{Ll}+/u],
  [/\b(?:where|address)\b/i, /\b\d+\s+\p{Lu}|\b(?:street|road|lane|square|avenue|yard)\b/iu],
];

/** The pattern of an answer to this kind of question, or null. */
export function answerKind(question: string): RegExp | null {
  return kinds.find(([asks]) => asks.test(question))?.[1] ?? null;
}
