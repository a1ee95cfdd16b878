import {
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from "kysely";
import type {
  CompiledQuery,
  DatabaseConnection,
  Driver,
  QueryCompiler,
  QueryResult,
  RawNode,
} from "kysely";
import type { Promisable } from "../kit/promisable.ts";
import type { Tables } from "../schema/tables.ts";
import { bindable, statementOfNode, walk } from "./statement.ts";
import type { BoundParameter, Dialect } from "./statement.ts";

/** What a connection gives back for one statement. */
export interface Executed {
  readonly rows: Record<string, unknown>[];
  readonly changedRows: number;
}

/** Runs one statement: at once on this thread's own connection, else with a promise. */
export type Execute = (text: string, parameters: readonly BoundParameter[]) => Promisable<Executed>;

/** Kysely whose every query goes through `execute`: a reader's or one unit's connection. */
export function kyselyOver(dialect: Dialect, execute: Execute): Kysely<Tables> {
  const driver = new ExecuteDriver(execute);
  return new Kysely<Tables>({
    dialect:
      dialect === "sqlite"
        ? {
            createAdapter: () => new SqliteAdapter(),
            createDriver: () => driver,
            createIntrospector: (kysely) => new SqliteIntrospector(kysely),
            createQueryCompiler: () => new SqliteCompiler(),
          }
        : {
            createAdapter: () => new PostgresAdapter(),
            createDriver: () => driver,
            createIntrospector: (kysely) => new PostgresIntrospector(kysely),
            createQueryCompiler: (): QueryCompiler => new PostgresCompiler(),
          },
  });
}

/** Renders our fragments in the words of the engine, among Kysely's own. */
class SqliteCompiler extends SqliteQueryCompiler {
  protected override visitRaw(node: RawNode): void {
    const statement = statementOfNode(node);
    if (statement === undefined) return super.visitRaw(node);
    walk(statement, "sqlite", {
      text: (text) => this.append(text),
      value: (value) => this.visitNode(value),
    });
  }
}

class PostgresCompiler extends PostgresQueryCompiler {
  protected override visitRaw(node: RawNode): void {
    const statement = statementOfNode(node);
    if (statement === undefined) return super.visitRaw(node);
    walk(statement, "postgresql", {
      text: (text) => this.append(text),
      value: (value) => this.visitNode(value),
    });
  }
}

class ExecuteDriver implements Driver {
  readonly #connection: DatabaseConnection;

  constructor(execute: Execute) {
    this.#connection = {
      async executeQuery<Row>(compiled: CompiledQuery): Promise<QueryResult<Row>> {
        const { rows, changedRows } = await execute(
          compiled.sql,
          compiled.parameters.map(bindable),
        );
        return { rows: rows as Row[], numAffectedRows: BigInt(changedRows) };
      },
      streamQuery() {
        throw new TypeError("Cannot stream rows: ask for pages");
      },
    };
  }

  async init(): Promise<void> {}
  async acquireConnection(): Promise<DatabaseConnection> {
    return this.#connection;
  }
  async releaseConnection(): Promise<void> {}
  async destroy(): Promise<void> {}

  async beginTransaction(): Promise<void> {
    throw new TypeError("Cannot begin a transaction here: wanted one unit of database.write");
  }
  async commitTransaction(): Promise<void> {}
  async rollbackTransaction(): Promise<void> {}
}
