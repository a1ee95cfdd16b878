import type { Gazetteer } from "../../../src/server/domains/geo/gazetteer/gazetteer.ts";
import { nameKey } from "../../../src/server/domains/geo/gazetteer/name-key.ts";

/** Random numbers from 0 to 1 that are the same in each run. */
export function seededRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

/** Places whose name has six letters: those that share it with no other, and the others. */
export function placesByName(gazetteer: Gazetteer): {
  readonly unique: readonly number[];
  readonly shared: readonly number[];
} {
  const unique: number[] = [];
  const shared: number[] = [];
  for (let entity = 0; entity < gazetteer.size; entity += 1) {
    if (gazetteer.kind(entity) !== "place") continue;
    const name = gazetteer.name(entity);
    if ((name.match(/\p{L}/gu) ?? []).length < 6) continue;
    const rows = gazetteer.names.find(nameKey(name));
    if (rows !== undefined) (rows.to - rows.from === 1 ? unique : shared).push(entity);
  }
  return { unique, shared };
}

const letters = "abcdefghijklmnopqrstuvwxyz";

/** The name with one letter missing, too many, wrong, or swapped with the next. */
export function withTypingError(name: string, random: () => number): string {
  const parts = Array.from(name);
  const at = Math.floor(random() * parts.length);
  const letter = letters[Math.floor(random() * letters.length)] ?? "a";
  const kind = Math.floor(random() * 4);
  if (kind === 0) parts.splice(at, 1);
  else if (kind === 1) parts.splice(at, 0, letter);
  else if (kind === 2) parts[at] = parts[at]?.toLowerCase() === letter ? "q" : letter;
  else parts.splice(at, 2, ...parts.slice(at, at + 2).toReversed());
  return parts.join("");
}
