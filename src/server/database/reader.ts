import { chained, type Promisable } from "../kit/promisable.ts";
import type { Reader } from "./database.ts";
import { render, type BoundParameter, type Dialect, type Statement } from "./statement.ts";

export interface Executed {
  readonly rows: Record<string, unknown>[];
  readonly changedRows: number;
}

/** Runs one statement; without a promise on this thread's own connection. */
export type Execute = (text: string, parameters: readonly BoundParameter[]) => Promisable<Executed>;

/** The reading half of every connection. */
export class ExecutingReader implements Reader {
  constructor(
    readonly dialect: Dialect,
    protected readonly execute: Execute,
  ) {}

  async all<Row>(statement: Statement): Promise<Row[]> {
    const { rows } = await this.#run(statement);
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
