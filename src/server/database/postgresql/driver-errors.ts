import {
  ConnectionLostError,
  DatabaseFaultError,
  DuplicateError,
  ForeignKeyError,
  ReadOnlyError,
  readOnlyMark,
  ScanStoppedError,
  StorageError,
  StorageFullError,
} from "../../kit/storage-errors.ts";
import { sessionMark } from "./row-security.ts";

/** A lost connection, also one that the server ended (idle, or its database was dropped). */
const lostStates = /^(08|25P03|57P0[1-5])/;
const lostCodes =
  /^(ERR_POSTGRES_(CONNECTION|IDLE_TIMEOUT|LIFETIME_TIMEOUT)|ECONN|ENOTFOUND|EPIPE)/;

/** TLS or authentication that failed, or that the server does not offer. */
const distrustCodes =
  /^ERR_POSTGRES_(TLS|SASL|AUTHENTICATION|UNKNOWN_AUTH|UNSUPPORTED_AUTH|PASSWORD|INVALID_SERVER)|^ERR_TLS|CERT|^UNABLE_TO_/;

/** A table, column, function or schema is not there, or not in the `search_path`. */
const missingStates = /^(42P01|42703|42883|3F000)/;

/** The server cannot read its files (58), or they are damaged (XX). */
const brokenStates = /^(58|XX)/;

/** The fault by its SQLSTATE, with the operator's next step. */
const conducts: readonly (readonly [state: RegExp, conduct: string])[] = [
  [missingStates, "has lost a part of its schema: check its search_path, or restore a backup"],
  [/^58/, "cannot read or write its files: check the disk and the log of PostgreSQL"],
  [/^XX/, "has damaged data: check the log of PostgreSQL, and restore a backup"],
  [
    /^25006$/,
    "takes no writes, because it is a standby or read-only: promote it, or name the primary",
  ],
  [/^42501$/, "refuses its role: check the role's rights, and that row_security is on"],
  [/^(28|3D)/, "refuses the user, the password or the name in --database-url"],
  [/^53200$/, "has no memory left: check the log of PostgreSQL"],
  [/^53300$/, "has no free connection: raise max_connections, or end other clients"],
];

/**
 * A session has no mark of ours, or lacks a prepared statement: a pooler shares it among clients,
 * which was not there at the start.
 */
const sharedStates = /^(26000|42P05)$/;
const sharedSessions =
  "The sessions of PostgreSQL are shared by a connection pooler: restart the platform";

export function sqlState(error: unknown): string | undefined {
  const source = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  if (!(source instanceof Error) || !("errno" in source)) return undefined;
  return typeof source.errno === "string" ? source.errno : undefined;
}

/** The failure of a new connection: no statement has run, so the storage itself has refused. */
export function connectingFailure(error: unknown): unknown {
  const failure = postgresqlFailure(error);
  if (!(failure instanceof Error) || failure instanceof StorageError) return failure;
  return new ConnectionLostError(`Cannot connect to PostgreSQL: ${failure.message}`, {
    cause: error,
  });
}

export function postgresqlFailure(error: unknown): unknown {
  if (!(error instanceof Error) || error instanceof StorageError) return error;
  const cause = { cause: error };
  const code = "code" in error ? String(error.code) : "";
  const state = sqlState(error) ?? "";
  if (error.message === readOnlyMark) return new ReadOnlyError(cause);
  if (lostStates.test(state) || lostCodes.test(code)) {
    return new ConnectionLostError("The connection to PostgreSQL was lost or refused", cause);
  }
  if (brokenStates.test(state) || missingStates.test(state)) return faultOf(error, state);
  if (sharedStates.test(state) || error.message.includes(sessionMark)) {
    return new StorageError(`${sharedSessions} (${error.message}, ${state})`, cause);
  }
  if (distrustCodes.test(code)) return new StorageError(`${error.message} (${code})`, cause);
  switch (state) {
    case "23505":
      return new DuplicateError(error.message, cause);
    case "23503":
      return new ForeignKeyError(error.message, cause);
    case "57014":
      return new ScanStoppedError("The statement was stopped: it took too long", "time-limit");
    case "53100":
    case "53400":
      return new StorageFullError(error.message, cause);
    case "53200":
    case "53300":
    // A standby that is not promoted, also for the isolation of writes.
    case "25006":
    case "0A000":
    // A wrong user, password or database.
    case "28000":
    case "28P01":
    case "3D000":
    case "42501":
      return faultOf(error, state);
    default:
      return error;
  }
}

function faultOf(error: Error, state: string): StorageError {
  const text = `${error.message} (${state})`;
  // A standby also refuses the isolation of writes, with the state of what is not supported.
  const known = state === "0A000" && /hot standby/.test(error.message) ? "25006" : state;
  const conduct = conducts.find(([each]) => each.test(known))?.[1];
  if (conduct === undefined) return new StorageError(text, { cause: error });
  return new DatabaseFaultError(text, conduct, { cause: error });
}
