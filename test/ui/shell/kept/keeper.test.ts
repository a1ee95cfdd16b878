import { expect, test } from "vitest";
import { Keeper, keptRoute } from "#ui/shell/kept/keeper.ts";

function opened(write: (baseUrl: string, change: object) => Promise<void>) {
  const failures: unknown[] = [];
  return { keeper: new Keeper(write as never, (error) => failures.push(error)), failures };
}

test("changes of a moment are written together, those of another platform before", () => {
  const written: unknown[] = [];
  const { keeper } = opened((baseUrl, change) => {
    written.push([baseUrl, change]);
    return Promise.resolve();
  });
  keeper.keep("a", { views: new Map([["site", 1]]), sort: "x" } as never);
  keeper.keep("a", { views: new Map([["plan", 2]]) } as never);
  keeper.keep("b", { sort: "y" } as never);
  keeper.flush();
  keeper.flush();
  const views = new Map([
    ["site", 1],
    ["plan", 2],
  ]);
  expect(written).toEqual([
    ["a", { views, sort: "x" }],
    ["b", { views: new Map(), sort: "y" }],
  ]);
});

test("a folder that refuses each write is reported once", async () => {
  const { keeper, failures } = opened(() => Promise.reject(new Error("read-only")));
  for (const sort of ["x", "y"]) {
    keeper.keep("a", { sort } as never);
    keeper.flush();
    await Bun.sleep(0);
  }
  expect(failures).toHaveLength(1);
});

test("a place is kept, and the type of records with it", () => {
  expect(keptRoute({ place: "jobs" } as never)).toEqual({ place: "jobs" });
  expect(keptRoute({ place: "resources", objectType: "site", bars: undefined } as never)).toEqual({
    place: "resources",
    objectType: "site",
  });
  expect(keptRoute({ place: "sign-in" } as never)).toBe(undefined);
});
