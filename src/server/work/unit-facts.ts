import type { Writer } from "../database/database.ts";
import type { Dialect, Statement } from "../database/statement.ts";
import type { Promisable } from "../kit/promisable.ts";
import {
  installation,
  type ChangeDetails,
  type ChangeEvent,
  type ChangeKind,
} from "./change-event.ts";
import type { ChangeFeed } from "./change-feed.ts";
import type { AnswerOptions, ChangeNote, Facts, Remembered, Transaction } from "./work.ts";

/** Who made the changes of a transaction; a job has no request. */
export type EventOrigin = Pick<ChangeEvent, "actor" | "request">;

/** The facts of one run of a transaction; they count only once the run has committed. */
export class UnitFacts implements Facts {
  #events: ChangeEvent[] | undefined;
  #effects: (() => void)[] | undefined;
  remembered: Remembered | undefined;
  part: readonly unknown[] | undefined;

  /** `noted` has the facts of the request's earlier transactions. */
  constructor(
    public noted: ChangeNote | undefined,
    private readonly origin: EventOrigin = {},
  ) {}

  /** Forgets the changes and effects of a run that did not commit. */
  restart(): void {
    this.#events = undefined;
    this.#effects = undefined;
  }

  note(change: ChangeNote): void {
    this.noted = { ...this.noted, ...change };
  }

  remember(body: unknown, options: AnswerOptions = {}): void {
    this.remembered = { body, options };
  }

  rememberPart(outcomes: readonly unknown[]): void {
    this.part = outcomes;
  }

  event(
    kind: ChangeKind,
    subject: string,
    workspaceId = installation,
    details: ChangeDetails = {},
  ): void {
    (this.#events ??= []).push({ kind, workspaceId, subject, ...this.origin, ...details });
  }

  /** The changes of the run; undefined without one. */
  get events(): readonly ChangeEvent[] | undefined {
    return this.#events;
  }

  afterCommit(effect: () => void): void {
    (this.#effects ??= []).push(effect);
  }

  /** Reports the changes to this process, then runs the effects. */
  settle(feed: ChangeFeed): void {
    if (this.#events !== undefined) feed.committed(this.#events);
    for (const effect of this.#effects ?? []) effect();
  }
}

/** A writer whose unit has facts. */
export class UnitTransaction implements Transaction {
  constructor(
    private readonly writer: Writer,
    private readonly facts: UnitFacts,
  ) {}

  get dialect(): Dialect {
    return this.writer.dialect;
  }

  all<Row>(statement: Statement): Promise<Row[]> {
    return this.writer.all(statement);
  }

  first<Row>(statement: Statement): Promisable<Row | undefined> {
    return this.writer.first(statement);
  }

  run(statement: Statement): Promise<{ changedRows: number }> {
    return this.writer.run(statement);
  }

  runLast(statement: Statement): void {
    this.writer.runLast(statement);
  }

  note(change: ChangeNote): void {
    this.facts.note(change);
  }

  remember(body: unknown, options?: AnswerOptions): void {
    this.facts.remember(body, options);
  }

  rememberPart(outcomes: readonly unknown[]): void {
    this.facts.rememberPart(outcomes);
  }

  event(kind: ChangeKind, subject: string, workspaceId?: string, details?: ChangeDetails): void {
    this.facts.event(kind, subject, workspaceId, details);
  }

  afterCommit(effect: () => void): void {
    this.facts.afterCommit(effect);
  }
}
