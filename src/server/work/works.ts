import type {
  Database,
  DatabaseView,
  MergeableUnit,
  Reader,
  Scanner,
  Writer,
} from "../database/database.ts";
import { keptPromise } from "../kit/background.ts";
import { everyWorkspace, type Scope } from "../kit/scope.ts";
import type { Principal, WorkspaceScope } from "./caller.ts";
import { insertChanges, type RowNumbers } from "./change-batches.ts";
import { isForCaches } from "./change-event.ts";
import { ChangeFeed } from "./change-feed.ts";
import { requireLiving } from "./living.ts";
import { UnitFacts, UnitTransaction } from "./unit-facts.ts";
import type { Facts, Recording, RequestRecord, Transaction, Work } from "./work.ts";

/** Writes an item of one kind together with those of other requests. */
export type MergedWrite<Item> = (work: Work, itemOf: (facts: Facts) => Item) => Promise<void>;

/** Work of no request, over the rows of all workspaces; `reason` names it. */
export type PlatformWork = (reason: string) => Work;

/** Makes the work of requests and of the platform itself, over one database. */
export class Works {
  readonly #platform: WorksPlatform;

  /** `numbers` is of the only platform that writes the file. */
  constructor(database: Database, feed: ChangeFeed, numbers?: RowNumbers) {
    this.#platform = { database, feed, numbers };
  }

  readonly forPlatform: PlatformWork = () =>
    new ScopedWork(this.#platform, everyWorkspace, undefined, undefined);

  readonly forRequest = (
    scope: Scope,
    caller: Principal | undefined,
    request: RequestRecord,
  ): Work => new ScopedWork(this.#platform, scope, caller, request);

  /** Writes of one kind, in few transactions and statements. */
  readonly merged = <Item>(unit: MergeableUnit<Item>): MergedWrite<Item> => {
    const { database } = this.#platform;
    const write = database.merged(withRecordings(unit, this.#platform));
    return (work, itemOf) => {
      if (!(work instanceof ScopedWork)) throw new TypeError("this work is of another platform");
      return work.merge(write, itemOf);
    };
  };
}

/** Returns work in one workspace that has the rights of a role there, not those of the platform. */
export function workOfRole(work: Work, workspace: WorkspaceScope): Work {
  if (!(work instanceof ScopedWork)) throw new TypeError("this work is of another platform");
  return work.asRole(workspace);
}

/** Work of a command over a database that it has opened, without caches. */
export function maintenanceWork(database: Database, reason: string): Work {
  return new Works(database, new ChangeFeed()).forPlatform(reason);
}

interface WorksPlatform {
  readonly database: Database;
  readonly feed: ChangeFeed;
  readonly numbers: RowNumbers | undefined;
}

class ScopedWork implements Work {
  #opened: DatabaseView | undefined;

  constructor(
    private readonly platform: WorksPlatform,
    readonly scope: Scope,
    readonly caller: Principal | undefined,
    private readonly request: RequestRecord | undefined,
  ) {}

  get requestId(): string | undefined {
    return this.request?.requestId;
  }

  roleIn(workspaceId: string): WorkspaceScope | "none" | "platform" {
    const { request } = this;
    if (request === undefined) return "platform";
    return request.workspace?.id === workspaceId ? request.workspace : "none";
  }

  get read(): Reader {
    return this.#view.read;
  }

  get scan(): Scanner {
    return this.#view.scan;
  }

  get #view(): DatabaseView {
    return (this.#opened ??= this.platform.database.in(this.scope));
  }

  continued(): readonly unknown[] | undefined {
    const keyed = this.request?.recordings.find(({ continued }) => continued !== undefined);
    return keyed?.continued?.();
  }

  everywhere(): Work {
    return this.scope.workspaces === undefined ? this : this.#over({ workspaces: undefined });
  }

  within(workspaceId: string): Work {
    const { request } = this;
    if (request === undefined || this.scope.workspaces !== undefined) {
      return this.#over({ workspaces: [workspaceId] });
    }
    request.enteredWorkspaceId = workspaceId;
    // The `Idempotency-Key` of a route without a workspace is a row without one.
    return this.#over({ workspaces: [workspaceId, ""] });
  }

  onBehalfOf(oid: string): Work {
    return this.#over({ caller: oid });
  }

  write<T>(unit: (tx: Transaction) => Promise<T>): Promise<T> {
    return this.#recorded((recordings, run) =>
      this.#view.write(async (writer) => {
        const facts = (run.facts = this.#newFacts());
        const living = this.#requireLiving(writer);
        const result = await unit(new UnitTransaction(writer, facts));
        await living;
        await storeAll(writer, [{ facts, recordings }], this.platform);
        return result;
      }),
    );
  }

  snapshot<T>(work: (reader: Reader) => Promise<T>): Promise<T> {
    return this.#view.snapshot(work);
  }

  merge<Item>(
    write: (item: RecordedItem<Item>, scope: Scope) => Promise<void>,
    itemOf: (facts: Facts) => Item,
  ): Promise<void> {
    return this.#recorded((recordings, run) => {
      const facts = (run.facts = this.#newFacts());
      return write({ item: itemOf(facts), facts, recordings }, this.scope);
    });
  }

  /**
   * Refuses 404 in a workspace that was deleted after the request has entered it. The statement
   * travels with the first one of the unit.
   */
  #requireLiving(writer: Writer): Promise<void> | undefined {
    const id = this.request?.livingWorkspaceId;
    return id === undefined ? undefined : keptPromise(requireLiving(writer, id));
  }

  #newFacts(): UnitFacts {
    const { requestId: id, scope } = this;
    const origin = { actor: scope.caller === "" ? undefined : scope.caller, request: id };
    return new UnitFacts(this.request?.note, origin, this.platform.database.tuning.keepsFeed);
  }

  #over(changed: Partial<Scope>): Work {
    const scope = { ...this.scope, ...changed };
    return new ScopedWork(this.platform, scope, this.caller, this.request);
  }

  asRole(workspace: WorkspaceScope): Work {
    const request: RequestRecord = {
      recordings: noRecordings,
      note: undefined,
      workspace,
      enteredWorkspaceId: workspace.id,
      keep: () => {},
    };
    const scope = { ...this.scope, workspaces: [workspace.id] };
    return new ScopedWork(this.platform, scope, undefined, request);
  }

  /** Runs a transaction; the facts of its last run are those of the request. */
  async #recorded<T>(
    transact: (recordings: readonly Recording[], run: LastRun) => Promise<T>,
  ): Promise<T> {
    const { request, platform } = this;
    const recordings = begun(request?.recordings);
    const run: LastRun = { facts: undefined };
    let isCommitted = false;
    try {
      const value = await transact(recordings, run);
      isCommitted = true;
      if (run.facts?.remembered !== undefined) request?.keep(run.facts.remembered);
      run.facts?.settle(platform.feed);
      return value;
    } finally {
      // The entry of a refused request has the workspace and the target that its change noted.
      if (request !== undefined && run.facts !== undefined) request.note = run.facts.noted;
      for (const recording of recordings) recording.end(isCommitted);
    }
  }
}

const noRecordings: readonly Recording[] = [];

/** Returns the recordings that this transaction stores. */
function begun(all: readonly Recording[] = noRecordings): readonly Recording[] {
  return all.length === 0 ? noRecordings : all.filter((recording) => recording.begin());
}

/** The facts of the last run of a transaction. */
interface LastRun {
  facts: UnitFacts | undefined;
}

/** An item of a merged transaction, with the rows that its request stores. */
interface RecordedItem<Item> extends RecordedFacts {
  readonly item: Item;
}

interface RecordedFacts {
  readonly facts: UnitFacts;
  readonly recordings: readonly Recording[];
}

/** Wraps a merged transaction, which then also stores the recordings of its requests. */
function withRecordings<Item>(
  unit: MergeableUnit<Item>,
  platform: WorksPlatform,
): MergeableUnit<RecordedItem<Item>> {
  const itemsOf = (all: readonly RecordedItem<Item>[]): Item[] => all.map(({ item }) => item);
  return {
    isMergeable: ({ item }) => unit.isMergeable(item),
    // The rows that a request also stores are about as large as the request.
    weight: ({ item, recordings }) => unit.weight(item) * (1 + recordings.length),
    async one(writer, recorded) {
      // The items may have been written before, in a transaction that did not commit.
      recorded.facts.restart();
      await unit.one(writer, recorded.item);
      await storeAll(writer, [recorded], platform);
    },
    async all(writer, all) {
      for (const { facts } of all) facts.restart();
      const done = await unit.all(writer, itemsOf(all));
      const written = all.filter((_recorded, at) => done[at] === true);
      await storeAll(writer, written, platform);
      return done;
    },
    isOneStatement: (all) => all.every(hasNoRows) && unit.isOneStatement(itemsOf(all)),
  };
}

/** True if a transaction with these facts stores nothing but its own rows. */
function hasNoRows({ facts, recordings }: RecordedFacts): boolean {
  return recordings.length === 0 && facts.events === undefined;
}

/**
 * Stores the recordings of each kind together, in the order in which a request has them, then the
 * changes.
 */
async function storeAll(
  writer: Writer,
  all: readonly RecordedFacts[],
  { database, numbers }: WorksPlatform,
): Promise<void> {
  if (all.every(hasNoRows)) return;
  const recorded = all.flatMap(({ facts, recordings }) =>
    recordings.map((recording) => ({
      recording,
      note: facts.noted,
      remembered: facts.remembered,
      part: facts.part,
    })),
  );
  for (const [store, same] of Map.groupBy(recorded, ({ recording }) => recording.store)) {
    await store(writer, same);
  }
  const events = all.flatMap(({ facts }) => facts.events ?? []);
  const { keepsFeed } = database.tuning;
  await insertChanges(writer, keepsFeed ? events : events.filter(isForCaches), numbers);
}
