import {
  commentsOf,
  lineAt,
  wordingsInSource,
  type AvoidedWording,
  type WordingOffence,
} from "./words.ts";

/** A shorter comment says too little to be worth its line. */
const leastWords = 5;
/** Comments for programs: references to types, marks for bundlers, a script's interpreter. */
const directive = /^(?:[/#@!]|https?:)/;

/** These never begin a sentence with its subject. */
const fragmentOpeners = /^(?:Of|As|Also|From|Without|Those|That|What|Such)\b(?!-)/;
/** These may begin a sentence, which then has a verb outside its subordinate clauses. */
const openersWithVerb =
  /^(?:Only|For|In|The same|The one|With|On|At|Not|Longer|Before|After|Because|Once)\b(?!-)/;
/** A subordinate clause: from such a word to the next comma. */
const subordinate =
  /\b(?:which|that|what|who|whose|where|when|while|whatever|because|since|until|unless|so|if|than)\b[^,;:]*/gi;

const auxiliaries =
  "is|are|was|were|be|has|have|had|does|do|did|can|could|may|might|must|will|would|should|cannot|needs?";
/** Third persons of the verbs that comments use, and their plurals. */
const verbs =
  "accepts?|adds?|allows?|answers?|appears?|applies|apply|asks?|begins?|belongs?|calls?|checks?|closes?|comes?|contains?|" +
  "copies|costs?|counts?|creates?|decides?|deletes?|depends?|draws?|drops?|ends?|enters?|exists?|expects?|fails?|finds?|" +
  "follows?|gets?|gives?|goes|go|happens?|ignores?|includes?|keeps?|knows?|lasts?|leaves?|lets?|lists?|loads?|loses?|" +
  "makes?|matches|match|matters?|means?|moves?|names?|opens?|passes|pass|prints?|reaches|reach|reads?|receives?|" +
  "refuses?|remains?|removes?|replaces?|reports?|requires?|returns?|runs?|says?|sees?|sends?|serves?|sets?|shares?|" +
  "shows?|starts?|stays?|stops?|stores?|survives?|takes?|tests?|throws?|types?|uses?|waits?|wins?|works?|writes?";
const finiteVerb = new RegExp(`\\b(?:${auxiliaries}|${verbs}|\\w+n't)\\b`);

/** Wordings of the second dialect; the patterns leave out the uses that have a plain meaning. */
const secondDialect: readonly AvoidedWording[] = [
  {
    pattern: /\btells\b(?! (?:\S+ ){0,4}(?:apart|from)\b)/gi,
    write: '"returns" or "reports"',
  },
  {
    // A worker holds a lock, and a rule holds for a case.
    pattern:
      /\bholds\b(?! (?:\w+ ){0,2}(?:lock|lease|permit|slot|job|claim)s?\b| (?:at|for|on|in|when|between)\b|[.,;:]|$)/gi,
    write: '"has" or "contains"',
  },
  { pattern: /\b(?:the|of|all|many|few|more|such|two|its|these) asks\b/gi, write: '"requests"' },
  { pattern: /\bin words\b/gi, write: '"as text"' },
];

/**
 * The comments of a source that are no sentence and no noun phrase, and the wordings of the second
 * dialect in its comments and string literals.
 */
export function sentenceOffences(path: string, text: string): WordingOffence[] {
  const comments = commentsOf(path, text).flatMap(({ start, text: comment }) => {
    const write = faultOf(comment);
    if (write === undefined) return [];
    return [{ line: lineAt(text, start), words: comment.slice(0, 60), write }];
  });
  return [...comments, ...wordingsInSource(path, text, secondDialect)];
}

/** Returns what a comment must become; undefined for a plain sentence. */
function faultOf(comment: string): string | undefined {
  if (directive.test(comment)) return undefined;
  if (comment.split(/\s+/).length < leastWords) return `at least ${leastWords} words, or nothing`;
  if (fragmentOpeners.test(comment)) return "a sentence that begins with its subject";
  if (!openersWithVerb.test(comment)) return undefined;
  const [clause = ""] = comment.split(/[.:;](?:\s|$)/);
  return finiteVerb.test(clause.replaceAll(subordinate, ""))
    ? undefined
    : "a sentence with a subject and a verb, or a noun phrase";
}
