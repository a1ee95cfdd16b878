import { useState } from "react";

export type NamesById = readonly (readonly [id: string, name: string])[];

const noAnswer: NamesById = [];
const noNames: ReadonlyMap<string, string> = new Map();
/** Beyond this many names, earlier ones are dropped and requested again. */
const maximumNames = 2_000;

/** The names of all answers so far, so that known names stay while the next ones load. */
export function useGatheredNames(answer: NamesById = noAnswer): ReadonlyMap<string, string> {
  const [names, setNames] = useState({ known: noNames, last: noAnswer });
  if (answer !== names.last && answer !== noAnswer) {
    const earlier = names.known.size + answer.length > maximumNames ? noNames : names.known;
    // An id without a name in this answer may have had one before.
    const named = answer.filter(([id, name]) => name !== id || !earlier.has(id));
    setNames({ known: new Map([...earlier, ...named]), last: answer });
  }
  return names.known;
}
