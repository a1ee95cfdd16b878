import { describe, expect, it } from "vitest";
import {
  positionStart,
  RowCursor,
  selectRow,
  wholeRows,
  type RowSource,
  type RowsNow,
} from "#ui/kit/cursor/row-cursor.ts";
import { Store } from "#ui/kit/state/store.ts";

const keyOf = (row: string) => row;
const rowsOf = (rows: readonly string[]): RowsNow<string> => ({
  count: rows.length,
  rowAt: (index) => rows[index],
});

/** A cursor over rows that change, and the number of times that it notified. */
function cursorOver(first: readonly string[], height = 3) {
  let keys = first;
  const rows = new Store(rowsOf(first));
  const loading = Promise.withResolvers<void>();
  const source: RowSource<string> = {
    get: rows.get,
    subscribe: rows.subscribe,
    keyAt: (index) => rows.get().rowAt(index),
    indexOf: (id) => keys.indexOf(id),
    loaded: () => loading.promise,
  };
  const position = new Store(positionStart);
  const cursor = new RowCursor(source, position);
  cursor.showIn(height);
  let notified = 0;
  cursor.subscribe(() => (notified += 1));
  const end = cursor.start();
  return {
    cursor,
    position,
    end,
    loading,
    notified: () => notified,
    change: (next: readonly string[], sought?: string) => {
      keys = next;
      rows.set({ ...rowsOf(next), ...(sought === undefined ? {} : { sought }) });
    },
  };
}

describe("the cursor of a list", () => {
  it("moves through the rows and the window", () => {
    const { cursor, notified } = cursorOver(["a", "b", "c", "d", "e"]);
    expect(cursor.selected()).toBe("a");
    cursor.moves.down?.(1);
    cursor.moves.down?.(2);
    expect(cursor.get()).toEqual({ index: 3, top: 1 });
    expect(cursor.selected()).toBe("d");
    cursor.moves.last?.(1);
    cursor.moves.down?.(1);
    expect(cursor.get()).toEqual({ index: 4, top: 2 });
    expect(notified()).toBe(3);
  });

  it("follows its row when others appear, and goes to the next one when it is gone", () => {
    const { cursor, change } = cursorOver(["a", "b", "c"]);
    cursor.moves.down?.(1);
    change(["new", "a", "b", "c"]);
    expect(cursor.selected()).toBe("b");
    change(["new", "a", "c"]);
    expect(cursor.selected()).toBe("c");
    change(["c", "new"]);
    expect(cursor.selected()).toBe("c");
  });

  it("stays where it is while its row is looked for", () => {
    const { cursor, change } = cursorOver(["a", "b", "c"]);
    cursor.moves.down?.(1);
    change(["a", "c"], "b");
    expect(cursor.selected()).toBe("b");
    change(["a", "c", "d", "b"]);
    expect(cursor.selected()).toBe("b");
    expect(cursor.get().index).toBe(3);
  });

  it("selects a wanted row once it is loaded", () => {
    const { cursor, position, change } = cursorOver(["a", "b"]);
    selectRow(position, "later");
    expect(cursor.selected()).toBe("a");
    change(["a", "b", "later"]);
    expect(cursor.selected()).toBe("later");
    cursor.moves.first?.(1);
    change(["a", "later", "b"]);
    expect(cursor.selected()).toBe("a");
  });

  it("gives a wanted row up when the loading ends without it", async () => {
    const { cursor, position, change, loading } = cursorOver(["a", "b"]);
    selectRow(position, "later");
    loading.resolve();
    await loading.promise;
    await Promise.resolve();
    change(["a", "b", "later"]);
    expect(cursor.selected()).toBe("a");
  });

  it("still wants its row when the screen was left before", async () => {
    const { position, loading, end } = cursorOver(["a", "b"]);
    selectRow(position, "later");
    end();
    loading.resolve();
    await loading.promise;
    await Promise.resolve();
    expect(position.get().wanted).toBe("later");
  });

  it("acts on the row that is selected at the time of the key", () => {
    const source = wholeRows(["a", "b"], keyOf);
    const cursor = new RowCursor(source, new Store(positionStart));
    const acted: string[] = [];
    const handler = cursor.act((row) => acted.push(row));
    handler();
    cursor.moves.down?.(1);
    handler();
    expect(acted).toEqual(["a", "b"]);
    const none = new RowCursor(wholeRows([], keyOf), new Store(positionStart));
    none.act((row) => acted.push(row))();
    expect(acted).toHaveLength(2);
  });
});
