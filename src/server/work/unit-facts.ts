import type { Writer } from "../database/database.ts";
import type { Dialect, Statement } from "../database/statement.ts";
import type { Promisable } from "../kit/promisable.ts";
import {
  installation,
  type ChangeDetails,
  type ChangeEvent,
  type ChangeKind,
  type ContentKind,
} from "./change-event.ts";
import type { ChangeFeed } from "./change-feed.ts";
import type { AnswerOptions, ChangeNote, Facts, Remembered, Transaction } from "./work.ts";

/** Who made the changes of a transaction; a job has no request. */
export type EventOrigin = Pick<ChangeEvent, "actor" | "request">;

/** The facts of one run of a transaction; they count only once the run has committed. */
export class UnitFacts implements Facts {
  #events: ChangeEvent[] | undefined;
  #stored: ChangeEvent[] | undefined;
  #effects: (() => void)[] | undefined;
  remembered: Remembered | undefined;
  part: readonly unknown[] | undefined;

  /** `noted` has the facts of the request's earlier transactions. */
  constructor(
    public noted: ChangeNote | undefined,
    private readonly origin: EventOrigin = {},
    private readonly keepsFeed = true,
  ) {}

  /** Forgets the changes and effects of a run that did not commit. */
  restart(): void {
    this.#events = undefined;
    this.#stored = undefined;
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
    (this.#events ??= []).push(changeOf({ kind, subject, workspaceId }, details, this.origin));
  }

  storable(
    kind: ContentKind,
    subject: string,
    workspaceId: string,
    details: ChangeDetails,
  ): ChangeEvent | undefined {
    // A row that is stored now would come before the changes of the end.
    if (!this.keepsFeed || this.#events !== undefined) return undefined;
    return changeOf({ kind, subject, workspaceId }, details, this.origin);
  }

  stored(change: ChangeEvent): void {
    (this.#stored ??= []).push(change);
  }

  /** The changes that the end of the run stores; undefined without one. */
  get events(): readonly ChangeEvent[] | undefined {
    return this.#events;
  }

  afterCommit(effect: () => void): void {
    (this.#effects ??= []).push(effect);
  }

  /** Reports the changes to this process, then runs the effects. */
  settle(feed: ChangeFeed): void {
    if (this.#events !== undefined) feed.committed(this.#events);
    if (this.#stored !== undefined) feed.committed(this.#stored);
    for (const effect of this.#effects ?? []) effect();
  }
}

/** All events have their members in one order, which makes them and their JSON in half the time. */
function changeOf(
  { kind, workspaceId, subject }: Pick<ChangeEvent, "kind" | "workspaceId" | "subject">,
  details: ChangeDetails,
  origin: EventOrigin,
): ChangeEvent {
  return {
    kind,
    workspaceId,
    subject,
    op: details.op,
    type: details.type,
    version: details.version,
    changed: details.changed,
    before: details.before,
    after: details.after,
    actor: details.actor ?? origin.actor,
    request: details.request ?? origin.request,
    participants: details.participants,
  };
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

  storable(...change: Parameters<Facts["storable"]>): ChangeEvent | undefined {
    return this.facts.storable(...change);
  }

  stored(change: ChangeEvent): void {
    this.facts.stored(change);
  }

  afterCommit(effect: () => void): void {
    this.facts.afterCommit(effect);
  }
}
