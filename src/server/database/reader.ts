import type { Kysely } from "kysely";
import { chained, type Promisable } from "../kit/promisable.ts";
import type { Reader } from "./database.ts";
import type { Tables } from "../schema/tables.ts";
import { kyselyOver } from "./kysely.ts";
import type { Execute, Executed } from "./kysely.ts";
import { render } from "./statement.ts";
import type { Dialect, Statement } from "./statement.ts";

/** The reading half of every connection: our statements and Kysely over one `execute`. */
export class ExecutingReader implements Reader {
  #query: Kysely<Tables> | undefined;

  constructor(
    readonly dialect: Dialect,
    protected readonly execute: Execute,
  ) {}

  get query(): Kysely<Tables> {
    this.#query ??= kyselyOver(this.dialect, this.execute);
    return this.#query;
  }

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
