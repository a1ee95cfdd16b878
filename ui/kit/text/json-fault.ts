/** The first place where a text is not JSON. */
interface JsonFault {
  /** Offset into the text; its length if the text ends too early. */
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

// JSON.parse does not report the place of a fault; this walk only finds it.
class JsonWalk {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  whole(): void {
    this.#value(0);
    this.#skip(blank);
    if (this.#at < this.#text.length) this.#fail("unexpected text after the closing bracket");
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
    const match = pattern.exec(this.#text);
    this.#at += match?.[0].length ?? 0;
    return match !== null;
  }

  #fail(words: string): never {
    throw new Fault(this.#at, words);
  }
}

/** The first fault of a text as JSON; `undefined` for valid JSON. */
export function jsonFault(text: string): JsonFault | undefined {
  try {
    new JsonWalk(text).whole();
    return undefined;
  } catch (error) {
    if (error instanceof Fault) return { at: error.at, words: error.message };
    throw error;
  }
}
