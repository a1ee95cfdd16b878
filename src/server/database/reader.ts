import { chained, type Promisable } from "../kit/promisable.ts";
import type { Reader } from "./database.ts";
import { render } from "./statement.ts";
import type { BoundParameter, Dialect, Statement } from "./statement.ts";

/** What a connection gives back for one statement. */
export interface Executed {
  readonly rows: Record<string, unknown>[];
  readonly changedRows: number;
}

/** Runs one statement: at once on this thread's own connection, else with a promise. */
export type Execute = (text: string, parameters: readonly BoundParameter[]) => Promisable<Executed>;

/** The reading half of every connection: statements over one `execute`. */
export class ExecutingReader implements Reader {
  constructor(
    readonly dialect: Dialect,
    protected readonly execute: Execute,
  ) {}

  async all<Row>(statement: Statement): Promise<Row[]> {
    const { rows } = await this.#run(statement);
    // The caller names the row type, as with any SQL that is written by hand.
    return rows as Row[];
  }

  first<Row>(statement: Statement): Promisable<Row | undefined> {
    return chained(this.#run(statement), ({ rows }) => rows[0] as Row | undefined);
  }

  #run(statement: Statement): Promisable<Executed> {
    const { text, parameters } = render(statement, this.dialect);
    return this.execute(text, parameters);
  }
}
