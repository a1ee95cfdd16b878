import { findTerms, type Term } from "../../../text/terms/terms.ts";

/** Words that deny what follows, of the languages whose function words are known. */
const negations =
  "not no never neither nor none cannot without n't n’t nicht kein keine keinen keinem keiner nie " +
  "niemals ohne pas jamais aucun aucune sans nunca jamás sin ningún ninguna ninguno non senza " +
  "nessun nessuna niet geen nooit zonder não nem sem nenhum nenhuma не нет ни никогда без inte " +
  "ingen inget aldrig utan nie bez nigdy değil yok asla لا لم لن ليس ليست غير دون";
const alternatives = negations.split(" ").join("|");
const negation = new RegExp(
  `(?<![\\p{L}\\p{N}])(?:${alternatives})(?![\\p{L}\\p{N}])|n['’]t(?!\\p{L})|[不没沒無无]`,
  "giu",
);
/** A clause ends here, and with it what a negation denies. */
const clauseEnd = /[.,;:!?()،。，；]/;
const deniedWords = 2;

const name = /\p{Lu}[\p{L}\p{M}'’-]+(?: \p{Lu}[\p{L}\p{M}'’-]+)*/gu;
/** A passive names the one who acts last. */
const passive =
  /(?<!\p{L})(?:by|von|durch|par|por|pelo|pela|dal?|door|av|przez|tarafından)(?!\p{L})/iu;
const joined = /^[\s,&]*(?:and|or|und|oder|et|ou|y|o|e|en|of|och|eller|i|lub|и|или|ve|veya)?\s*$/iu;
/** Above this share of capital words, nouns have capitals too, as in German. */
const capitalsAtMost = 0.4;

/**
 * True when a sentence has the words of a claim but says something else: it denies what the claim
 * does not deny, or the other way round, or it has the claim's names in another order.
 */
export function contradicts(claim: string, sentence: string): boolean {
  return hasOtherDenial(claim, sentence) || hasSwappedNames(claim, sentence);
}

function hasOtherDenial(claim: string, sentence: string): boolean {
  const [ofClaim, ofSentence] = [findTerms(claim), findTerms(sentence)];
  const known = new Set(ofSentence.map(({ term }) => term));
  const common = new Set(ofClaim.map(({ term }) => term).filter((term) => known.has(term)));
  const [denied, others] = [deniedTerms(claim, ofClaim), deniedTerms(sentence, ofSentence)];
  return [...common].some((term) => denied.has(term) !== others.has(term));
}

/** The nearest words after a negation in its clause, or before it where none follows. */
function deniedTerms(text: string, terms: readonly Term[]): ReadonlySet<string> {
  const denied = new Set<string>();
  for (const { index, 0: found } of text.matchAll(negation)) {
    const end = index + found.length;
    const after = terms.filter(
      ({ start }) => start >= end && !clauseEnd.test(text.slice(end, start)),
    );
    const before = terms.filter(
      (term) => term.end <= index && !clauseEnd.test(text.slice(term.end, index)),
    );
    const near = after.length > 0 ? after.slice(0, deniedWords) : before.slice(-deniedWords);
    for (const { term } of near) denied.add(term);
  }
  return denied;
}

function hasSwappedNames(claim: string, sentence: string): boolean {
  if (passive.test(claim) !== passive.test(sentence) || hasManyCapitals(claim)) return false;
  const found = Array.from(claim.matchAll(name), ({ 0: text, index }) => ({ text, index }));
  const shared = found.filter(({ text }) => sentence.includes(text) && findTerms(text).length > 0);
  return shared.some((one, at) => {
    const next = shared[at + 1];
    if (next === undefined || next.text === one.text) return false;
    const between = claim.slice(one.index + one.text.length, next.index);
    return !joined.test(between) && sentence.indexOf(one.text) > sentence.indexOf(next.text);
  });
}

function hasManyCapitals(text: string): boolean {
  const words = findTerms(text).slice(1);
  const capitals = words.filter(({ start }) => /\p{Lu}/u.test(text.charAt(start))).length;
  const names = Array.from(text.matchAll(name)).length;
  return names > 3 && capitals > capitalsAtMost * words.length;
}
