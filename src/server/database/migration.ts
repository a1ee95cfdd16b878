import { byDialect, raw, type Dialect, type Statement } from "./statement.ts";

/** The interface of a migration to the database, in one transaction on both engines. */
export interface MigrationContext {
  readonly dialect: Dialect;
  /** Runs one statement, data definition or not. */
  run(statement: Statement): Promise<void>;
  /** Reads rows, for migrations that move data. */
  all<Row>(statement: Statement): Promise<Row[]>;
}

/**
 * One step forward. Tables use {@link columnType}, so that both engines order, compare and return
 * the same:
 *
 *     await context.run(statement`create table jobs (
 *       workspace_id ${columnType.text} not null,
 *       id ${columnType.text} not null,
 *       payload ${columnType.json} not null,
 *       attempt ${columnType.integer} not null,
 *       primary key (workspace_id, id)
 *     )`);
 */
export interface Migration {
  /** `nnnn-noun`, the name of its file; never renamed once released. */
  readonly name: string;
  /**
   * The newest migration that a build must have to write next to this one: the last of the release
   * before, if this one only adds. Without it older builds are refused at their start.
   */
  readonly needs?: string;
  up(context: MigrationContext): Promise<void>;
}

export const columnType = {
  /** Ids, names, times; ordered by code point. */
  text: byDialect({ sqlite: raw("text"), postgresql: raw('text collate "C"') }),
  /** 64 bits: counts, sizes, versions, and flags as 0 or 1. */
  integer: byDialect({ sqlite: raw("integer"), postgresql: raw("bigint") }),
  /** A floating-point number of 64 bits. */
  number: byDialect({ sqlite: raw("real"), postgresql: raw("double precision") }),
  /** Written with `jsonValue` and read with `jsonText`. */
  json: byDialect({ sqlite: raw("blob"), postgresql: raw("jsonb") }),
  bytes: byDialect({ sqlite: raw("blob"), postgresql: raw("bytea") }),
} as const;
