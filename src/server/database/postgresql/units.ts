import type { Writer } from "../database.ts";
import type { Scope } from "../../kit/scope.ts";
import {
  DuplicateError,
  ForeignKeyError,
  OverloadedError,
  UnitTimeoutError,
} from "../../kit/storage-errors.ts";
import { render } from "../statement.ts";
import { UnitWriter } from "../unit-writer.ts";
import { sqlState } from "./driver-errors.ts";
import type { PostgresqlPool, TransactionSession } from "./pool.ts";

/** A serialization failure or a deadlock: a retry may succeed. */
const retriedStates = new Set(["40001", "40P01"]);
/** One of several conflicting units always succeeds; a busy server needs the time. */
const retryLimitMs = 10_000;
const longestPauseMs = 128;

/** Runs a unit in a transaction, and again after a serialization failure. */
export function runUnit<T>(
  pool: PostgresqlPool,
  scope: Scope,
  work: (writer: Writer) => Promise<T>,
  timeoutMs: number,
): Promise<T> {
  return retried((onStatement) =>
    pool.transaction(scope, (session) => runUnitIn(session, work, timeoutMs, onStatement)),
  );
}

const ofOneStatement = "Cannot run a second statement of a unit of one";

/** Runs a unit of one statement, which is its own transaction: one round trip instead of three. */
export function runStatement<T>(
  pool: PostgresqlPool,
  scope: Scope,
  work: (writer: Writer) => Promise<T>,
): Promise<T> {
  return retried(async (onStatement) => {
    let statements = 0;
    const writer = new UnitWriter("postgresql", (text, parameters) => {
      statements += 1;
      if (statements > 1) throw new TypeError(ofOneStatement);
      onStatement();
      return pool.execute(scope, text, parameters);
    });
    try {
      const value = await work(writer);
      if (writer.failure !== undefined) throw writer.failure;
      if (writer.last.length > 0) throw new TypeError(ofOneStatement);
      return value;
    } finally {
      writer.end();
    }
  });
}

/**
 * Retries a transaction. Transactions are SERIALIZABLE, so that units behave as on SQLite, where
 * they run one after the other: a unit whose reads do not hold at its commit runs again.
 */
async function retried<T>(run: (onStatement: () => void) => Promise<T>): Promise<T> {
  let violation: string | undefined;
  const beganMs = performance.now();
  for (let attempt = 1; ; attempt += 1) {
    let statements = 0;
    const counted = (): void => void (statements += 1);
    try {
      return await run(counted);
    } catch (error) {
      const before = violation;
      violation = statements > 1 ? constraintViolation(error) : undefined;
      const isNew = violation !== undefined && violation !== before;
      if (!isNew && !retriedStates.has(sqlState(error) ?? "")) throw error;
      if (performance.now() - beganMs >= retryLimitMs) {
        throw new OverloadedError("Cannot write: too many others write the same rows", {
          cause: error,
        });
      }
      if (!isNew) await Bun.sleep(Math.random() * Math.min(2 ** attempt, longestPauseMs));
    }
  }
}

/**
 * A violated unique or foreign key, as text. PostgreSQL checks keys against rows that the unit's
 * reads do not see yet: the violation counts only when the unit runs again and has the same one, or
 * when it comes from the first statement.
 */
function constraintViolation(error: unknown): string | undefined {
  if (!(error instanceof DuplicateError || error instanceof ForeignKeyError)) return undefined;
  const { cause } = error;
  const detail = cause instanceof Error && "detail" in cause ? String(cause.detail) : "";
  return `${error.message} ${detail}`;
}

async function runUnitIn<T>(
  session: TransactionSession,
  work: (writer: Writer) => Promise<T>,
  timeoutMs: number,
  onStatement: () => void,
): Promise<T> {
  const writer = new UnitWriter("postgresql", (text, parameters) => {
    onStatement();
    return session.execute(text, parameters);
  });
  let timer: ReturnType<typeof setTimeout> | undefined;
  try {
    const value = await Promise.race([
      work(writer),
      new Promise<never>((_resolve, reject) => {
        timer = setTimeout(() => {
          const error = new UnitTimeoutError(timeoutMs);
          writer.end(error);
          reject(error);
        }, timeoutMs);
      }),
    ]);
    if (writer.failure !== undefined) throw writer.failure;
    writer.end();
    for (const statement of writer.last) {
      const { text, parameters } = render(statement, "postgresql");
      onStatement();
      session.atEnd(text, parameters);
    }
    return value;
  } finally {
    writer.end();
    clearTimeout(timer);
  }
}
