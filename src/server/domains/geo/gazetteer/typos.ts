/** A key that one typing error turns into the given one, with the logarithm of its likelihood. */
export interface Correction {
  readonly key: string;
  readonly likelihood: number;
}

const letters = "abcdefghijklmnopqrstuvwxyz ";
/** One error among few is likelier than one among many: any of 26 letters can be wrong. */
const likely = 0;
const unlikely = -Math.log10(25);

/** All keys at one edit from a key: letters swapped, missing, wrong or too many. */
export function* correctionsOf(key: string): Generator<Correction> {
  const alphabet = new Set([letters, key].flatMap((text) => text.split("")));
  for (let at = 0; at <= key.length; at += 1) {
    const before = key.slice(0, at);
    const after = key.slice(at);
    const rest = key.slice(at + 1);
    for (const letter of alphabet) {
      yield { key: before + letter + after, likelihood: likely };
      if (at < key.length && letter !== key[at]) {
        yield { key: before + letter + rest, likelihood: unlikely };
      }
    }
    if (at < key.length) yield { key: before + rest, likelihood: unlikely };
    const [first, second] = [key[at], key[at + 1]];
    if (first !== undefined && second !== undefined && first !== second) {
      yield { key: before + second + first + key.slice(at + 2), likelihood: likely };
    }
  }
}

/** True if one edit turns one text into the other, or none. */
export function isNearlySame(one: string, other: string): boolean {
  const [short, long] = one.length <= other.length ? [one, other] : [other, one];
  if (long.length - short.length > 1) return false;
  let at = 0;
  while (at < short.length && short[at] === long[at]) at += 1;
  if (short.length < long.length) return short.slice(at) === long.slice(at + 1);
  if (short.slice(at + 1) === long.slice(at + 1)) return true;
  const isSwapped = short[at] === long[at + 1] && short[at + 1] === long[at];
  return isSwapped && short.slice(at + 2) === long.slice(at + 2);
}
