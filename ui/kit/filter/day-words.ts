import { daysLater } from "#lib/time/zone-days.ts";
import { localDateWords } from "../text/words.ts";

const days: Readonly<Record<string, number>> = { yesterday: -1, today: 0, tomorrow: 1 };
const dayWord = /^(yesterday|today|tomorrow)(?:([+-]\d{1,4})d?)?$/i;

/** The date of `today`, `tomorrow`, `yesterday` or `today+7`; undefined for another text. */
export function dayOf(text: string, nowMs = Date.now()): string | undefined {
  const [, word, away] = dayWord.exec(text) ?? [];
  const start = word === undefined ? undefined : days[word.toLowerCase()];
  if (start === undefined) return undefined;
  return daysLater(localDateWords(nowMs), start + Number(away ?? 0));
}
