import { expect, it } from "vitest";
import { Store } from "#ui/kit/state/store.ts";

it("notifies of changes, not of equal values", () => {
  const store = new Store(1);
  const seen: number[] = [];
  const end = store.subscribe(() => seen.push(store.get()));
  store.set(2);
  store.set((now) => now + 1);
  store.set(3);
  end();
  store.set(4);
  expect(seen).toEqual([2, 3]);
  expect(store.get()).toBe(4);
});
