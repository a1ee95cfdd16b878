/** Code points as sorted ranges that do not touch: `[[48, 57], [97, 122]]` is `[0-9a-z]`. */
export type CharacterSet = readonly (readonly [first: number, last: number])[];

export const lastCodePoint = 0x10_ffff;

export const digits: CharacterSet = [[48, 57]];
export const wordCharacters: CharacterSet = [
  [48, 57],
  [65, 90],
  [95, 95],
  [97, 122],
];
/** White space and line ends of ECMA-262. */
export const spaces: CharacterSet = [
  [9, 13],
  [32, 32],
  [0xa0, 0xa0],
  [0x16_80, 0x16_80],
  [0x20_00, 0x20_0a],
  [0x20_28, 0x20_29],
  [0x20_2f, 0x20_2f],
  [0x20_5f, 0x20_5f],
  [0x30_00, 0x30_00],
  [0xfe_ff, 0xfe_ff],
];
export const lineEnds: CharacterSet = [
  [10, 10],
  [13, 13],
  [0x20_28, 0x20_29],
];
export const everything: CharacterSet = [[0, lastCodePoint]];

export function single(codePoint: number): CharacterSet {
  return [[codePoint, codePoint]];
}

/** All ranges in one set, sorted and joined. */
export function union(ranges: CharacterSet): CharacterSet {
  const sorted = ranges.toSorted((left, right) => left[0] - right[0]);
  const joined: [number, number][] = [];
  for (const [first, last] of sorted) {
    const previous = joined.at(-1);
    if (previous !== undefined && first <= previous[1] + 1) {
      previous[1] = Math.max(previous[1], last);
    } else joined.push([first, last]);
  }
  return joined;
}

/** Every code point that the set lacks. */
export function complement(set: CharacterSet): CharacterSet {
  const rest: [number, number][] = [];
  let next = 0;
  for (const [first, last] of set) {
    if (first > next) rest.push([next, first - 1]);
    next = last + 1;
  }
  if (next <= lastCodePoint) rest.push([next, lastCodePoint]);
  return rest;
}

export function contains(set: CharacterSet, codePoint: number): boolean {
  let low = 0;
  let high = set.length - 1;
  while (low <= high) {
    const middle = (low + high) >> 1;
    const range = set[middle];
    if (range === undefined) return false;
    if (codePoint < range[0]) high = middle - 1;
    else if (codePoint > range[1]) low = middle + 1;
    else return true;
  }
  return false;
}

/** The set and every character that differs from a member only in case. */
export function withBothCases(set: CharacterSet): CharacterSet {
  const added: [number, number][] = [];
  for (const group of caseGroups()) {
    if (group.some((codePoint) => contains(set, codePoint))) {
      for (const codePoint of group) added.push([codePoint, codePoint]);
    }
  }
  return union([...set, ...added]);
}

let groups: number[][] | undefined;

/** Characters that differ only in case, by their upper-case form, as ECMA-262 canonicalizes. */
function caseGroups(): number[][] {
  if (groups !== undefined) return groups;
  const byUpper = new Map<number, number[]>();
  // Characters above this have no case.
  for (let codePoint = 0; codePoint <= 0x1_e9_43; codePoint += 1) {
    if (codePoint === 0xd8_00) codePoint = 0xe0_00;
    const upper = upperCase(codePoint);
    if (upper === codePoint) continue;
    const group = byUpper.get(upper) ?? [upper];
    group.push(codePoint);
    byUpper.set(upper, group);
  }
  groups = [...byUpper.values()];
  return groups;
}

function upperCase(codePoint: number): number {
  const upper = String.fromCodePoint(codePoint).toUpperCase();
  const result = upper.codePointAt(0) ?? codePoint;
  const isOne = upper.length === (result > 0xff_ff ? 2 : 1);
  // "ß" becomes "SS", and a letter beyond ASCII never becomes one of ASCII.
  return isOne && !(codePoint >= 128 && result < 128) ? result : codePoint;
}
