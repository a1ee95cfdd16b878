import type { Reader, Scanner, Writer } from "../database/database.ts";
import type { Scope } from "../kit/scope.ts";
import type { Principal, WorkspaceScope } from "./caller.ts";
import type { ChangeDetails, ChangeEvent, ChangeKind, ContentKind } from "./change-event.ts";

/** The facts of a change, for the audit log; none of them is a secret. */
export interface ChangeNote {
  /** The name of the change in the log, where a page made it instead of a route. */
  readonly action?: string;
  /** The workspace whose log has the entry, where the request names none. */
  readonly workspaceId?: string;
  /** The thing that changes, e.g. `{ memberId }`. */
  readonly target?: object;
  readonly before?: object;
  readonly after?: object;
}

/** The status and the header fields of an answer, where they are not those of the route. */
export interface AnswerOptions {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
}

/**
 * The facts of one transaction. A transaction that runs again starts with none, and one that is
 * rolled back leaves only its note, for the entry of the refused request.
 */
export interface Facts {
  /** Adds to the audit entry of the request; work without a request has no entry. */
  note(change: ChangeNote): void;
  /**
   * Keeps the answer to the request under its `Idempotency-Key`, in the same transaction. Without
   * this call, a retry after a crash between effect and response is 409.
   */
  remember(body: unknown, options?: AnswerOptions): void;
  /**
   * Keeps the outcomes so far of a request that several transactions do, under its key;
   * {@link Work.continued} of a repeat returns them.
   */
  rememberPart(outcomes: readonly unknown[]): void;
  /**
   * Stores a change with the transaction, in the feed of its workspace or of the installation (the
   * default). Caches of this process forget the subject before the answer, those of other platforms
   * within a second.
   */
  event(kind: ChangeKind, subject: string, workspaceId?: string, details?: ChangeDetails): void;
  /**
   * Returns the change of contents for a statement that stores it itself, which {@link stored} then
   * reports. Undefined where the platform keeps no feed, and after other changes of the unit.
   */
  storable(
    kind: ContentKind,
    subject: string,
    workspaceId: string,
    details: ChangeDetails,
  ): ChangeEvent | undefined;
  /** Reports a change that a statement of the unit has stored. */
  stored(change: ChangeEvent): void;
  /** Runs after the commit and before {@link Work.write} resolves; it does not throw. */
  afterCommit(effect: () => void): void;
}

/** Reads and writes of one atomic unit, and its facts. */
export interface Transaction extends Writer, Facts {}

/**
 * The world of one request or of one job: the rows that it may see, who asked for it, and what its
 * transactions also store. It is passed on from function to function; nothing else carries it.
 */
export interface Work {
  readonly scope: Scope;
  /** The id of the request; undefined for a job. */
  readonly requestId: string | undefined;
  /** The user or key whose request it is; undefined for a job, and before the sign-in. */
  readonly caller: Principal | undefined;
  /**
   * The role by whose rights it reads and writes in a workspace: the caller's role there, `none`
   * for a request that has not entered it, and `platform` for work of no request.
   */
  roleIn(workspaceId: string): WorkspaceScope | "none" | "platform";
  /** Point reads and pages; sees only committed rows. */
  readonly read: Reader;
  /** Long reads, apart from the short ones. */
  readonly scan: Scanner;
  /**
   * One atomic unit: all of it is durable when the promise resolves, none of it when it rejects.
   * - It awaits nothing but its transaction (no network, no timer), since all writes wait for it.
   *   After 5 s it is rolled back and refused (`UnitTimeoutError`).
   * - It may run again from its start: it changes nothing but the database, and starts its counts
   *   and lists inside.
   * - The first failed statement fails it, even if it is caught.
   *
   * The first committed unit of a request also stores its audit entry and the record of its key.
   */
  write<T>(unit: (tx: Transaction) => Promise<T>): Promise<T>;
  /** Reads one state of the rows with many short statements, while writes continue. */
  snapshot<T>(work: (reader: Reader) => Promise<T>): Promise<T>;
  /**
   * Does the request in several transactions, each of which keeps its outcomes. Returns those
   * that an earlier request with its key has kept; undefined without a key.
   */
  continued(): readonly unknown[] | undefined;
  /**
   * Returns this request's work over the rows of all workspaces: for accounts, memberships and
   * trees of workspaces, which decide who may enter one. `reason` names the rows that it needs.
   */
  everywhere(reason: string): Work;
  /** The same work over the rows of one workspace, which its handler has checked. */
  within(workspaceId: string): Work;
  /** The same work in the name of a user: what a job writes has the user who started it. */
  onBehalfOf(oid: string): Work;
}

/** A row that a request stores once, in its first transaction that commits. */
export interface Recording {
  /** True if this transaction stores it: no other one does, or has done so. */
  begin(): boolean;
  /** Stores the rows of all recordings of this kind whose effects share the transaction. */
  readonly store: (writer: Writer, all: readonly Recorded[]) => Promise<void>;
  /** Ends the transaction that {@link begin} has begun. */
  end(isCommitted: boolean): void;
  /** Has a row for each transaction from now on; returns the outcomes of an earlier request. */
  continued?(): readonly unknown[];
}

/** A recording, with the facts of its transaction. */
export interface Recorded {
  readonly recording: Recording;
  readonly note: ChangeNote | undefined;
  readonly remembered: Remembered | undefined;
  /** The outcomes of this transaction and of those before it. */
  readonly part: readonly unknown[] | undefined;
}

export interface Remembered {
  readonly body: unknown;
  readonly options: AnswerOptions;
}

/** The part of a request that its transactions share. */
export interface RequestRecord {
  /** The id of the request, which its changes have in the feed. */
  readonly requestId?: string | undefined;
  /** The rows that its first transaction stores. */
  readonly recordings: readonly Recording[];
  /** The facts of its transactions. */
  note: ChangeNote | undefined;
  /** The workspace of a route that answers 404 once the workspace is deleted. */
  readonly livingWorkspaceId?: string | undefined;
  /** The workspace that the request has entered, with the caller's role. */
  readonly workspace?: WorkspaceScope | undefined;
  /** The workspace that its handler has entered, where the route names none. */
  enteredWorkspaceId: string | undefined;
  /** Keeps the answer that a committed transaction has remembered. */
  keep(answer: Remembered): void;
}
