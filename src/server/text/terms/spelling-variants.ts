/*
 * British and American spellings of one word. Both become one form before they are stemmed, so a
 * rule may change a word that has one spelling only: its texts and queries change alike.
 */

/** Endings of which many words have both spellings; each needs some letters before it. */
const rules: readonly (readonly [british: RegExp, american: string])[] = [
  [/^(.{3,})is(e|ed|es|er|ers|ing|able|ation|ations)$/, "$1iz$2"],
  [/^(.{3,})ys(e|ed|es|er|ers|ing)$/, "$1yz$2"],
  [/^(.{3,})our(s|ed|ing|er|ers|ly|able|ful|less|ite|ites|hood|hoods)?$/, "$1or$2"],
  [/^(.{2,})logue(s|d)?$/, "$1log$2"],
];

/** Further words, with each of their forms by its ending. */
const pairs: readonly (readonly [british: string, american: string])[] = [
  ["ageing", "aging"],
  ["aluminium", "aluminum"],
  ["calibre", "caliber"],
  ["centre", "center"],
  ["centred", "centered"],
  ["cheque", "check"],
  ["defence", "defense"],
  ["enrol", "enroll"],
  ["enrolment", "enrollment"],
  ["fibre", "fiber"],
  ["fulfil", "fulfill"],
  ["fulfilment", "fulfillment"],
  ["grey", "gray"],
  ["instalment", "installment"],
  ["jewellery", "jewelry"],
  ["judgement", "judgment"],
  ["licence", "license"],
  ["litre", "liter"],
  ["manoeuvre", "maneuver"],
  ["metre", "meter"],
  ["mould", "mold"],
  ["odour", "odor"],
  ["offence", "offense"],
  ["plough", "plow"],
  ["practise", "practice"],
  ["practised", "practiced"],
  ["practising", "practicing"],
  ["pretence", "pretense"],
  ["programme", "program"],
  ["sceptic", "skeptic"],
  ["sceptical", "skeptical"],
  ["skilful", "skillful"],
  ["theatre", "theater"],
];

const words: ReadonlyMap<string, string> = new Map(
  pairs.flatMap(([british, american]) => [
    [british, american] as const,
    [`${british}s`, `${american}s`] as const,
  ]),
);

/** One spelling of an English word, in lower case, that has several. */
export function oneSpelling(word: string): string {
  const listed = words.get(word);
  if (listed !== undefined) return listed;
  for (const [british, american] of rules) {
    if (british.test(word)) return word.replace(british, american);
  }
  return word;
}
