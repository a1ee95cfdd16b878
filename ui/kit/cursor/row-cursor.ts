import { useLayoutEffect, useMemo } from "react";
import type { KeyHandlers } from "../keys/key-bindings.ts";
import { Listeners, Store, type Cell, type Followed } from "../state/store.ts";
import { movesThrough, settle, type ListCursor } from "./list-cursor.ts";

/** The place of a cursor, which belongs to a row and not to an index. */
export interface RowPosition {
  readonly cursor: ListCursor;
  /** Key of the selected row; absent until the row is loaded. */
  readonly id: string | undefined;
  /** Key of a row that is selected as soon as it is loaded. */
  readonly wanted?: string | undefined;
}

export const positionStart: RowPosition = { cursor: { index: 0, top: 0 }, id: undefined };

/** The rows that a cursor moves through, as they are now. */
export interface RowsNow<Row> {
  readonly count: number;
  /** `undefined` for a row that is not loaded. */
  readonly rowAt: (index: number) => Row | undefined;
  /** The selected row while it is looked for on other pages than its own. */
  readonly sought?: Row | undefined;
}

export interface RowSource<Row> extends Followed<RowsNow<Row>> {
  /** `undefined` for a row that is not loaded. */
  readonly keyAt: (index: number) => string | undefined;
  /** Index of the row with this key; -1 while it is not loaded. */
  readonly indexOf: (id: string) => number;
  /** Resolves when no page is being loaded; a whole list has none. */
  readonly loaded?: (() => Promise<void>) | undefined;
  /** Keeps the selected row known while a refresh moves it to another page. */
  readonly follow?: ((id: string) => void) | undefined;
}

const neverChanges = () => () => {};

/** The rows of a whole list. */
export function wholeRows<Row>(
  rows: readonly Row[],
  keyOf: (row: Row, index: number) => string,
): RowSource<Row> {
  const now: RowsNow<Row> = { count: rows.length, rowAt: (index) => rows[index] };
  const keys = rows.map(keyOf);
  return {
    get: () => now,
    subscribe: neverChanges,
    keyAt: (index) => keys[index],
    indexOf: (id) => keys.indexOf(id),
  };
}

/** The cursor moved to a row, with the rows around it; a list at its start stays there. */
function shifted({ index, top }: ListCursor, to: number): ListCursor {
  return to === index ? { index, top } : { index: to, top: top && Math.max(0, top + to - index) };
}

/**
 * The cursor of a list by the key of its row: it follows the row when others appear or vanish, and
 * goes to the next one when the row is gone.
 */
export class RowCursor<Row> implements Followed<ListCursor> {
  readonly #source: RowSource<Row>;
  readonly #position: Cell<RowPosition>;
  readonly #listeners = new Listeners();
  /** The first visible row, for what does not depend on the selected one. */
  readonly #top = new Store(0);
  readonly top: Followed<number> = this.#top;
  #height = 1;
  #known: { rows: RowsNow<Row>; position: RowPosition; height: number; cursor: ListCursor };
  #notified: ListCursor;
  #awaited: object | undefined;
  #followed: string | undefined;
  readonly moves: KeyHandlers;

  constructor(source: RowSource<Row>, position: Cell<RowPosition>) {
    this.#source = source;
    this.#position = position;
    this.#known = this.#compute();
    this.#notified = this.#known.cursor;
    this.#top.set(this.#notified.top);
    this.moves = movesThrough(
      (change) => this.#move(change(this.get())),
      () => ({ count: source.get().count, rows: this.#height }),
    );
  }

  get = (): ListCursor => {
    const { rows, position, height } = this.#known;
    const isKnown =
      rows === this.#source.get() && position === this.#position.get() && height === this.#height;
    if (!isKnown) {
      const { cursor: before } = this.#known;
      this.#known = this.#compute();
      const { index, top } = this.#known.cursor;
      if (index === before.index && top === before.top) this.#known.cursor = before;
    }
    return this.#known.cursor;
  };

  subscribe = this.#listeners.add;

  /** The row under the cursor; while it is looked for, no other row takes its place. */
  selected = (): Row | undefined => {
    const { rowAt, sought } = this.#source.get();
    return sought ?? rowAt(this.get().index);
  };

  /** Returns a handler that does something to the selected row, where there is one. */
  readonly act = actOn(() => this.selected());

  /** The rows of the screen that the list has. */
  showIn(height: number): void {
    this.#height = height;
  }

  /** Follows the rows until the returned function is called. */
  start(): () => void {
    const changed = () => {
      this.#follow();
      this.#bind();
      const cursor = this.get();
      if (cursor === this.#notified) return;
      this.#notified = cursor;
      this.#top.set(cursor.top);
      this.#listeners.notify();
    };
    const ends = [this.#source.subscribe(changed), this.#position.subscribe(changed)];
    changed();
    return () => {
      this.#awaited = undefined;
      for (const end of ends) end();
    };
  }

  #follow(): void {
    const { id } = this.#position.get();
    if (id === undefined || id === this.#followed) return;
    this.#followed = id;
    this.#source.follow?.(id);
  }

  #move(next: ListCursor): void {
    this.#position.set({ cursor: next, id: this.#source.keyAt(next.index) });
  }

  #placeOf({ cursor, id, wanted }: RowPosition): ListCursor {
    const wantedAt = wanted === undefined ? -1 : this.#source.indexOf(wanted);
    if (wantedAt !== -1) return { ...cursor, index: wantedAt };
    if (id === undefined || this.#source.keyAt(cursor.index) === id) return cursor;
    const at = this.#source.indexOf(id);
    return at === -1 ? cursor : shifted(cursor, at);
  }

  #compute() {
    const [rows, position, height] = [this.#source.get(), this.#position.get(), this.#height];
    const cursor = settle(this.#placeOf(position), rows.count, height);
    return { rows, position, height, cursor };
  }

  /** Takes the row under the cursor as the selected one. */
  #bind(): void {
    const { index } = this.get();
    const key = this.#source.keyAt(index);
    const { cursor, id, wanted } = this.#position.get();
    this.#giveUpLater(wanted);
    const isBound =
      id === key && cursor.index === index && (wanted === undefined || wanted !== key);
    if (key === undefined || isBound || this.#source.get().sought !== undefined) return;
    const left = wanted === key ? undefined : wanted;
    this.#position.set({ cursor: this.get(), id: key, wanted: left });
  }

  /** A wanted row that appears after the loading must not take the cursor away. */
  #giveUpLater(wanted: string | undefined): void {
    const { loaded, indexOf } = this.#source;
    if (wanted === undefined || loaded === undefined || indexOf(wanted) !== -1) return;
    if (this.#awaited !== undefined) return;
    const waiting = {};
    this.#awaited = waiting;
    void loaded().then(() => {
      if (this.#awaited !== waiting) return;
      this.#awaited = undefined;
      if (this.#position.get().wanted === wanted && indexOf(wanted) === -1) {
        this.#position.set((now) => ({ ...now, wanted: undefined }));
      } else this.#giveUpLater(this.#position.get().wanted);
    });
  }
}

/** Returns a function that makes handlers, which act on the row at the time of the key. */
export function actOn<Row>(rowNow: () => Row | undefined) {
  return (run: (row: Row) => void) => (): void => {
    const row = rowNow();
    if (row !== undefined) run(row);
  };
}

/** Selects the row with this key as soon as it is loaded, unless loading ends without it. */
export function selectRow(position: Cell<RowPosition>, id: string): void {
  position.set((now) => ({ ...now, wanted: id }));
}

/** The cursor of rows in `height` rows of the screen; components follow it by themselves. */
export function useRowCursor<Row>(
  source: RowSource<Row>,
  position: Cell<RowPosition>,
  height: number,
): RowCursor<Row> {
  const cursor = useMemo(() => new RowCursor(source, position), [source, position]);
  cursor.showIn(height);
  useLayoutEffect(() => cursor.start(), [cursor, height]);
  return cursor;
}
