import { Refusal } from "#contract/problems.ts";

const slash = "/";

/** The decoded segments of a path. Comparison makes no strings; only parameters are cut out. */
export class PathSegments {
  readonly count: number;
  /** Start of each segment, and of the one after the last. */
  readonly #starts: readonly number[];
  /** Set for a percent-encoded path. */
  readonly #decoded: readonly string[] | undefined;

  /** Refuses 400 for a path that is not percent-encoded UTF-8. */
  constructor(private readonly path: string) {
    this.#decoded = path.includes("%") ? decoded(path) : undefined;
    this.#starts = this.#decoded === undefined ? startsOf(path) : [];
    this.count = this.#decoded?.length ?? this.#starts.length - 1;
  }

  is(index: number, text: string): boolean {
    if (this.#decoded !== undefined) return this.#decoded[index] === text;
    const start = this.#starts[index] ?? 0;
    const length = (this.#starts[index + 1] ?? 0) - 1 - start;
    return length === text.length && this.path.startsWith(text, start);
  }

  /** The segments from an index on, joined by slashes. */
  from(index: number): string {
    if (this.#decoded !== undefined) return this.#decoded.slice(index).join(slash);
    return this.path.slice(this.#starts[index]);
  }

  at(index: number): string {
    if (this.#decoded !== undefined) return this.#decoded[index] ?? "";
    return this.path.slice(this.#starts[index], (this.#starts[index + 1] ?? 0) - 1);
  }
}

function startsOf(path: string): number[] {
  const starts: number[] = [];
  for (let at = path.indexOf(slash); at >= 0; at = path.indexOf(slash, at + 1)) starts.push(at + 1);
  starts.push(path.length + 1);
  return starts;
}

function decoded(path: string): string[] {
  try {
    return path.split(slash).slice(1).map(decodeURIComponent);
  } catch {
    throw new Refusal("malformed-request", {
      detail: "Cannot read this URL: its path is not percent-encoded UTF-8",
    });
  }
}
