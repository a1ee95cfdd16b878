/** A part of the typed text: offsets, the end excluded. */
export interface Place {
  readonly start: number;
  readonly end: number;
}

/** One value of a term. A quoted value is never a range, a list or `null`. */
export interface TermValue {
  readonly text: string;
  readonly quoted: boolean;
  readonly at: Place;
}

/** `-name:value,value`, or a word alone without a name. */
export interface Term {
  readonly negated: boolean;
  readonly name: string | undefined;
  readonly nameAt: Place;
  readonly operator: ":" | "=" | "!=" | ">" | ">=" | "<" | "<=";
  readonly values: readonly TermValue[];
}

/** Why a typed filter can't be parsed, and at which place. */
export class FilterProblem extends Error {
  readonly at: Place;
  constructor(words: string, at: Place) {
    super(words);
    this.at = at;
  }
}

// Many users type `field:>10` for `field>10`.
const head = /(-?)([A-Za-z_][\w.]*)(?::?(>=|<=|!=|=|>|<)|(:))/y;
const bareValue = /[^\s,]+/y;

function isOperator(text: string): text is Term["operator"] {
  return [":", "=", "!=", ">", ">=", "<", "<="].includes(text);
}

/** The quoted text at `start`; a backslash escapes a quote. */
function quotedAt(text: string, start: number): TermValue {
  const quote = text[start];
  let value = "";
  let at = start + 1;
  while (at < text.length && text[at] !== quote) {
    const escaped = text[at] === "\\" && at + 1 < text.length;
    value += text[escaped ? at + 1 : at] ?? "";
    at += escaped ? 2 : 1;
  }
  if (at >= text.length) {
    throw new FilterProblem("the closing quote is missing", { start, end: text.length });
  }
  return { text: value, quoted: true, at: { start, end: at + 1 } };
}

function bareAt(text: string, start: number): TermValue | undefined {
  bareValue.lastIndex = start;
  const [value] = bareValue.exec(text) ?? [];
  if (value === undefined) return undefined;
  return { text: value, quoted: false, at: { start, end: start + value.length } };
}

function valueAt(text: string, start: number): TermValue | undefined {
  return text[start] === '"' || text[start] === "'" ? quotedAt(text, start) : bareAt(text, start);
}

function valuesAt(text: string, start: number, term: Place): TermValue[] {
  const values: TermValue[] = [];
  let at = start;
  for (;;) {
    const value = valueAt(text, at);
    if (value === undefined) {
      throw new FilterProblem("a value is missing", { start: term.start, end: Math.max(at, 1) });
    }
    values.push(value);
    at = value.at.end;
    if (text[at] !== ",") return values;
    at += 1;
  }
}

/** The terms of a typed filter, separated by blanks. Throws `FilterProblem`. */
export function termsOf(text: string): Term[] {
  const terms: Term[] = [];
  let at = 0;
  while (at < text.length) {
    if (/\s/.test(text[at] ?? "")) {
      at += 1;
      continue;
    }
    head.lastIndex = at;
    const match = head.exec(text);
    if (match === null) {
      const word = text[at] === "," ? undefined : valueAt(text, at);
      if (word === undefined) {
        const place = { start: at, end: at + 1 };
        throw new FilterProblem(`unexpected "${text.slice(at, at + 1)}"`, place);
      }
      const here = { start: at, end: at };
      terms.push({ negated: false, name: undefined, nameAt: here, operator: ":", values: [word] });
      at = word.at.end;
      // A comma between words has no meaning.
      while (text[at] === ",") at += 1;
      continue;
    }
    const [whole, minus = "", name = "", comparison, equality = ":"] = match;
    const start = at + minus.length;
    const nameAt = { start, end: start + name.length };
    const operator = comparison ?? equality;
    const values = valuesAt(text, at + whole.length, nameAt);
    if (isOperator(operator)) {
      terms.push({ negated: minus !== "", name, nameAt, operator, values });
    }
    at = values.at(-1)?.at.end ?? text.length;
  }
  return terms;
}
