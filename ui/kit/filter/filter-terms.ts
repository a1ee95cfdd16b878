/** A part of what was typed: offsets into the text, the end excluded. */
export interface Place {
  readonly start: number;
  readonly end: number;
}

/** One value of a term; what was quoted is never read as a range, a list or `null`. */
export interface TermValue {
  readonly text: string;
  readonly quoted: boolean;
  readonly at: Place;
}

/** `-name:value,value`, or a word alone. */
export interface Term {
  /** A `-` stands before it. */
  readonly negated: boolean;
  readonly name: string | undefined;
  readonly nameAt: Place;
  readonly operator: ":" | "=" | "!=" | ">" | ">=" | "<" | "<=";
  readonly values: readonly TermValue[];
}

/** What is wrong with a filter, and where. */
export class FilterProblem extends Error {
  readonly at: Place;
  constructor(words: string, at: Place) {
    super(words);
    this.at = at;
  }
}

// `field:>10` is what many people type for `field>10`.
const head = /(-?)([A-Za-z_][\w.]*)(?::?(>=|<=|!=|=|>|<)|(:))/y;
const bareValue = /[^\s,]+/y;

function isOperator(text: string): text is Term["operator"] {
  return [":", "=", "!=", ">", ">=", "<", "<="].includes(text);
}

/** The quoted text at `start`; a backslash keeps a quote in it. */
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
  const [found] = bareValue.exec(text) ?? [];
  if (found === undefined) return undefined;
  return { text: found, quoted: false, at: { start, end: start + found.length } };
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

/** The terms of a typed filter, with blanks between them. Throws `FilterProblem`. */
export function termsOf(text: string): Term[] {
  const terms: Term[] = [];
  let at = 0;
  while (at < text.length) {
    if (/\s/.test(text[at] ?? "")) {
      at += 1;
      continue;
    }
    head.lastIndex = at;
    const found = head.exec(text);
    if (found === null) {
      const word = text[at] === "," ? undefined : valueAt(text, at);
      if (word === undefined) {
        throw new FilterProblem(`"${text.slice(at, at + 1)}" can't stand here`, {
          start: at,
          end: at + 1,
        });
      }
      const here = { start: at, end: at };
      terms.push({ negated: false, name: undefined, nameAt: here, operator: ":", values: [word] });
      at = word.at.end;
      // A comma within words alone means nothing.
      while (text[at] === ",") at += 1;
      continue;
    }
    const [whole, minus = "", name = "", comparison, equality = ":"] = found;
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
