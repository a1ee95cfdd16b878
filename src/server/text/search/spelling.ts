/** A word of at most so many letters may have one edit, a longer one two. */
const lettersOfOneEdit = 5;

/** The weight of a correction next to a word that is written, by how sure it is. */
const trust = { oneEdit: 0.8, short: 0.4, twoEdits: 0.3 };

/** The edits that a word may be away from a correct one. */
function editsAtMost(word: string): number {
  return Array.from(word).length <= lettersOfOneEdit ? 1 : 2;
}

/**
 * The number of letters that are added, left out, replaced or swapped with the next one between two
 * words; a number above `most` means more than that.
 */
export function editsBetween(one: string, other: string, most: number): number {
  const [left, right] = [Array.from(one), Array.from(other)];
  if (Math.abs(left.length - right.length) > most) return most + 1;
  let beforeLast: number[] = [];
  let last = Array.from({ length: right.length + 1 }, (_, at) => at);
  for (const [row, letter] of left.entries()) {
    const next = [row + 1];
    for (const [column, wanted] of right.entries()) {
      const replaced = (last[column] ?? 0) + (letter === wanted ? 0 : 1);
      let edits = Math.min(replaced, (last[column + 1] ?? 0) + 1, (next[column] ?? 0) + 1);
      if (letter === right[column - 1] && left[row - 1] === wanted) {
        edits = Math.min(edits, (beforeLast[column - 1] ?? 0) + 1);
      }
      next.push(edits);
    }
    [beforeLast, last] = [last, next];
    if (Math.min(...next) > most) return most + 1;
  }
  return last[right.length] ?? most + 1;
}

export interface Spelling {
  readonly word: string;
  /** 0 for a longer word that begins with the asked one: it is rather a form of it. */
  readonly edits: number;
}

/** The words that a misspelt one may stand for, those with the fewest edits first. */
export function spellingsOf(term: string, words: readonly string[]): Spelling[] {
  const most = editsAtMost(term);
  return words
    .map((word) => ({ word, edits: editsBetween(term, word, most) }))
    .filter(({ edits }) => edits > 0 && edits <= most)
    .map(({ word, edits }) => ({ word, edits: word.startsWith(term) ? 0 : edits }))
    .toSorted((one, other) => one.edits - other.edits || (one.word < other.word ? -1 : 1));
}

/** How surely a word stands for a misspelt one: its weight next to a word that is written. */
export function trustIn(word: string, misspelt: string): number {
  if (word.startsWith(misspelt)) return trust.oneEdit;
  if (editsBetween(misspelt, word, 1) > 1) return trust.twoEdits;
  return Array.from(misspelt).length <= lettersOfOneEdit ? trust.short : trust.oneEdit;
}
