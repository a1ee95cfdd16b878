import { describe, expect, it } from "vitest";
import { PagedList } from "#ui/kit/answers/paged-list.ts";
import type { RowPosition } from "#ui/kit/cursor/row-cursor.ts";
import { GhostRows } from "#ui/kit/lists/ghost-rows.ts";
import { Store } from "#ui/kit/state/store.ts";
import { eventually } from "../../../support/eventually.ts";

/** A list of letters, of which one is selected; the last key was pressed long ago. */
async function opened(letters: string, selected: string) {
  const platform = { letters };
  const list = new PagedList<string>();
  list.readFrom(
    () => Promise.resolve({ items: platform.letters.split(""), hasNextPage: false }),
    (letter) => letter,
  );
  const index = letters.indexOf(selected);
  const position = new Store<RowPosition>({ cursor: { index, top: 0 }, id: selected });
  const handled = new Store(0);
  const actedAtMs = new Store(0);
  let nowMs = 10_000;
  const rows = new GhostRows(list, position, { handled, actedAtMs }, () => nowMs);
  const end = rows.subscribe(() => {});
  list.setVisible(0, 10);
  await eventually(() => expect(list.view().count).toBe(letters.length));
  list.follow(selected);
  const shown = () => {
    const { count, rowAt } = rows.view();
    return Array.from({ length: count }, (_, index) => rowAt(index)).join("");
  };
  return {
    rows,
    shown,
    end,
    leave: async (left: string) => {
      platform.letters = left;
      list.refresh();
      await list.loaded();
    },
    press: () => {
      handled.set((now) => now + 1);
      nowMs += 1;
    },
    acted: () => actedAtMs.set(nowMs),
  };
}

describe("the selected row that leaves its list", () => {
  it("stays as a ghost at its place until the next key", async () => {
    const list = await opened("abcd", "b");
    await list.leave("acd");
    expect(list.shown()).toBe("abcd");
    expect(list.rows.view().ghost).toBe(1);
    expect(["a", "b", "c"].map((id) => list.rows.source.indexOf(id))).toEqual([0, 1, 2]);
    expect([0, 1, 2, 3].map((at) => list.rows.source.keyAt(at))).toEqual(["a", "b", "c", "d"]);
    list.press();
    expect(list.shown()).toBe("acd");
    expect(list.rows.source.indexOf("b")).toBe(-1);
    list.end();
  });

  it("is no ghost once it is back, and stays one while others leave", async () => {
    const list = await opened("abcd", "d");
    await list.leave("abc");
    await list.leave("a");
    expect(list.shown()).toBe("ad");
    await list.leave("abd");
    expect(list.shown()).toBe("abd");
    expect(list.rows.view().ghost).toBeUndefined();
    list.end();
  });

  it("leaves at once where the user has just pressed a key, or nothing is left", async () => {
    const own = await opened("abc", "b");
    own.acted();
    await own.leave("ac");
    expect(own.shown()).toBe("ac");
    own.end();
    const empty = await opened("a", "a");
    await empty.leave("");
    expect(empty.shown()).toBe("");
    empty.end();
  });
});
