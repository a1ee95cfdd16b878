import { useState } from "react";

/** Names that one answer tells, by the id of whom or what they name. */
export type NamesById = readonly (readonly [id: string, name: string])[];

const nothing: NamesById = [];
const nothingKnown: ReadonlyMap<string, string> = new Map();
/** Names that are held at once; beyond that they are asked for anew. */
const maximumNames = 2_000;

/** All names of the answers so far: one that was learnt stands while the next ones are asked for. */
export function useGatheredNames(answer: NamesById = nothing): ReadonlyMap<string, string> {
  const [names, setNames] = useState({ known: nothingKnown, last: nothing });
  if (answer !== names.last && answer !== nothing) {
    const kept = names.known.size + answer.length > maximumNames ? nothingKnown : names.known;
    setNames({ known: new Map([...kept, ...answer]), last: answer });
  }
  return names.known;
}
