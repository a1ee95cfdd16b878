/** Where a text stops being JSON, and what would have to stand there. */
export interface JsonFault {
  /** Offset into the text; its length where the text only ends too early. */
  readonly at: number;
  readonly words: string;
}

const maximumDepth = 64;
const blank = /[ \t\r\n]*/y;
const literal = /(?:true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?)(?![\w.+-])/y;
const string = /"(?:[^"\\\x00-\x1f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"/y;

class Fault extends Error {
  readonly at: number;
  constructor(at: number, words: string) {
    super(words);
    this.at = at;
  }
}

/** The platform's own parser says what is wrong, but not where: this one only looks for the place. */
class JsonWalk {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  whole(): void {
    this.#value(0);
    this.#skip(blank);
    if (this.#at < this.#text.length) this.#fail("nothing may follow the closing bracket");
  }

  #value(depth: number): void {
    if (depth > maximumDepth) this.#fail("it is nested too deeply");
    this.#skip(blank);
    const next = this.#text[this.#at];
    if (next === "{") this.#members("}", () => this.#member(depth));
    else if (next === "[") this.#members("]", () => this.#value(depth + 1));
    else if (next === '"') this.#string("a closing quote is missing");
    else if (!this.#skip(literal)) this.#fail('a value is missing: "text", number, true or null');
  }

  #member(depth: number): void {
    this.#skip(blank);
    if (this.#text[this.#at] !== '"') this.#fail('a name in quotes is missing, as in "status"');
    this.#string("the quote that closes the name is missing");
    this.#skip(blank);
    if (this.#text[this.#at] !== ":") this.#fail("a : is missing after the name");
    this.#at += 1;
    this.#value(depth + 1);
  }

  #members(end: "}" | "]", one: () => void): void {
    this.#at += 1;
    this.#skip(blank);
    if (this.#text[this.#at] === end) {
      this.#at += 1;
      return;
    }
    for (;;) {
      one();
      this.#skip(blank);
      const next = this.#text[this.#at];
      if (next !== "," && next !== end) this.#fail(`a , or ${end} is missing`);
      this.#at += 1;
      if (next === end) return;
    }
  }

  #string(words: string): void {
    if (!this.#skip(string)) this.#fail(words);
  }

  #skip(pattern: RegExp): boolean {
    pattern.lastIndex = this.#at;
    const found = pattern.exec(this.#text);
    if (found !== null) this.#at += found[0].length;
    return found !== null;
  }

  #fail(words: string): never {
    throw new Fault(this.#at, words);
  }
}

/** The first fault of a text that is meant to be JSON; `undefined` where there is none. */
export function jsonFault(text: string): JsonFault | undefined {
  try {
    new JsonWalk(text).whole();
    return undefined;
  } catch (error) {
    if (error instanceof Fault) return { at: error.at, words: error.message };
    throw error;
  }
}
