import type { Kysely } from "kysely";
import type { Reader } from "../database.ts";
import type { Tables } from "../tables.ts";
import { kyselyOver } from "./kysely.ts";
import type { Execute } from "./kysely.ts";
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
    const { text, parameters } = render(statement, this.dialect);
    const executed = this.execute(text, parameters);
    const { rows } = executed instanceof Promise ? await executed : executed;
    // The caller names the row type, as with any SQL that is written by hand.
    return rows as Row[];
  }

  async first<Row>(statement: Statement): Promise<Row | undefined> {
    const { text, parameters } = render(statement, this.dialect);
    const executed = this.execute(text, parameters);
    const { rows } = executed instanceof Promise ? await executed : executed;
    return rows[0] as Row | undefined;
  }
}
