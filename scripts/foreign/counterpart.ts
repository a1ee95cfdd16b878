import type { Row } from "../bench/figures.ts";
import type { Tool } from "../tools.ts";

/**
 * A program that is not ours, next to which the product is tried. A new one is a file
 * `scripts/foreign/NAME.ts` and an entry in `counterparts.ts`.
 */
export interface Counterpart {
  /** Its name on the command line. */
  readonly name: string;
  /** The promises that it tries, in one line of the usage text. */
  readonly about: string;
  /** Programs from Debian, installed on first use. */
  readonly tools: readonly Tool[];
  /** Packages of the registry with their versions (`name@1.2.3`), installed on first use. */
  readonly packages?: readonly string[];
  /** Runs every cell of its matrix; a cell that fails is a failure in the table, not an error. */
  run(place: ForeignPlace): Promise<readonly ForeignTable[]>;
}

export interface ForeignPlace {
  /** An empty folder that every account may enter, removed after the run. */
  readonly directory: string;
  /** The executable of the present sources. */
  readonly executable: string;
  /** The `node_modules` with {@link Counterpart.packages}. */
  readonly packages: string;
  /** Writes one line of progress to stderr. */
  readonly note: (line: string) => void;
}

export interface ForeignTable {
  readonly name: string;
  readonly columns: readonly string[];
  readonly rows: readonly Row[];
  /** Promises that did not hold, one sentence each; with one the run ends with exit code 1. */
  readonly failures: readonly string[];
}
