import type { ListView, PagedList } from "../answers/paged-list.ts";
import type { RowPosition, RowSource } from "../cursor/row-cursor.ts";
import { Listeners, type Followed } from "../state/store.ts";

/** A row that leaves so soon after a key has left by what the user did, who needs no ghost. */
const ownMs = 3_000;

interface Placed<Row> {
  readonly id: string;
  readonly row: Row;
  readonly index: number;
}

type Source<Row> = { -readonly [Name in keyof RowSource<Row>]: RowSource<Row>[Name] };

/** The keys of the user, by their number and by the time of the last one. */
interface Keys {
  readonly handled: Followed<number>;
  readonly actedAtMs: Followed<number>;
}

/** A list in which the selected row stays as a ghost when it leaves, until the next key. */
export class GhostRows<Row> {
  readonly #list: PagedList<Row>;
  readonly #position: Followed<RowPosition>;
  readonly #keys: Keys;
  readonly #now: () => number;
  readonly #listeners = new Listeners();
  #endList: (() => void) | undefined;
  #endKeys: (() => void) | undefined;
  #ghost: Placed<Row> | undefined;
  #drawn: { readonly of: ListView<Row>; readonly view: ListView<Row> } | undefined;
  /** The rows for a cursor: those of the list itself while there is no ghost. */
  readonly source: Source<Row>;

  constructor(
    list: PagedList<Row>,
    position: Followed<RowPosition>,
    keys: Keys,
    now: () => number = Date.now,
  ) {
    this.#list = list;
    this.#position = position;
    this.#keys = keys;
    this.#now = now;
    const { view: get, keyAt, find: indexOf, loaded, follow } = list;
    this.source = { get, keyAt, indexOf, loaded, follow, subscribe: this.subscribe };
  }

  subscribe = (listener: () => void): (() => void) => {
    this.#endList ??= this.#list.subscribe(() => {
      this.#check();
      this.#listeners.notify();
    });
    const remove = this.#listeners.add(listener);
    return () => {
      remove();
      if (this.#listeners.count > 0) return;
      this.#endList?.();
      this.#endList = undefined;
      this.#show(undefined);
    };
  };

  view = (): ListView<Row> => {
    const of = this.#list.view();
    const ghost = this.#ghost;
    if (ghost === undefined) return of;
    if (this.#drawn?.of === of) return this.#drawn.view;
    const index = Math.min(ghost.index, of.count);
    const rowAt = (at: number) => (at === index ? ghost.row : of.rowAt(at > index ? at - 1 : at));
    const view = { ...of, count: of.count + 1, rowAt, ghost: index };
    this.#drawn = { of, view };
    return view;
  };

  #keyAt = (index: number): string | undefined => {
    const { ghost = Infinity } = this.view();
    if (index === ghost) return this.#ghost?.id;
    return this.#list.keyAt(index > ghost ? index - 1 : index);
  };

  #indexOf = (id: string): number => {
    const { ghost = Infinity } = this.view();
    if (id === this.#ghost?.id) return ghost;
    const at = this.#list.find(id);
    return at < ghost ? at : at + 1;
  };

  /** The ghost ends with the next key; without one no key is listened to. */
  #show(ghost: Placed<Row> | undefined): void {
    this.#drawn = undefined;
    if (ghost === this.#ghost) return;
    this.#ghost = ghost;
    const { view, keyAt, find } = this.#list;
    Object.assign(
      this.source,
      ghost === undefined
        ? { get: view, keyAt, indexOf: find }
        : { get: this.view, keyAt: this.#keyAt, indexOf: this.#indexOf },
    );
    this.#endKeys?.();
    this.#endKeys =
      ghost === undefined
        ? undefined
        : this.#keys.handled.subscribe(() => {
            this.#show(undefined);
            this.#listeners.notify();
          });
  }

  #check(): void {
    const { id, cursor } = this.#position.get();
    if (id === undefined || this.#list.find(id) !== -1) return this.#show(undefined);
    if (this.#ghost !== undefined) {
      this.#drawn = undefined;
      return;
    }
    const { asking, sought, count, failure } = this.#list.view();
    const row = this.#list.followed(id);
    const isOwn = this.#now() - this.#keys.actedAtMs.get() < ownMs;
    const isSettled = !asking && sought === undefined && failure === undefined;
    if (row === undefined || isOwn || !isSettled || count === 0) return;
    this.#show({ id, row, index: cursor.index });
  }
}
