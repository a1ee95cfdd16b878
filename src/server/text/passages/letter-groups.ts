import { rarity } from "../search/ranking.ts";
import { findWords } from "../terms/find-words.ts";
import { unaccented } from "../terms/terms.ts";

/** Letters of a group: enough for a stem, and few enough for the part of a compound. */
const size = 3;

/**
 * The share of a question's groups of three letters that each text has, between 0 and 1, weighed by
 * their rarity among the texts. Compounds, inflected forms and words with a prefix or an article
 * share groups without being forms of one word that a stemmer knows.
 */
export function sharedGroups(question: string, texts: readonly string[]): number[] {
  const asked = groupsOf(question);
  const found = texts.map((text) => {
    const groups = groupsOf(text);
    return [...asked].filter((group) => groups.has(group));
  });
  const having = new Map<string, number>();
  for (const group of found.flat()) having.set(group, (having.get(group) ?? 0) + 1);
  const weights = new Map(
    [...having].map(([group, count]) => [group, rarity(count, texts.length)]),
  );
  const weightOf = (groups: Iterable<string>): number => {
    let sum = 0;
    for (const group of groups) sum += weights.get(group) ?? 0;
    return sum;
  };
  const all = weightOf(weights.keys());
  return found.map((groups) => (all === 0 ? 0 : weightOf(groups) / all));
}

/** The groups of each word with a mark at its beginning and its end. */
function groupsOf(text: string): Set<string> {
  const groups = new Set<string>();
  for (const { text: word } of findWords(text.toLowerCase())) {
    const marked = `_${unaccented(word)}_`;
    for (let at = 0; at === 0 || at + size <= marked.length; at += 1) {
      groups.add(marked.slice(at, at + size));
    }
  }
  return groups;
}
