import { expect, test } from "vitest";
import { exitCodesOf } from "#cli/exit-codes.ts";

const facts = { path: "x", summary: "X", arguments: [], options: {} };

test.each([
  [{}, [0, 1, 2, 130]],
  [{ routes: [] }, [0, 1, 2, 4, 130]],
  [{ signsIn: true as const }, [0, 1, 2, 4, 130]],
  [{ waits: true as const }, [0, 1, 2, 8, 130]],
  [{ runsAnother: true as const }, [0, 1, 2, 4, 8, 130]],
])("a command with %j ends with %j", (more, codes) => {
  expect(exitCodesOf({ ...facts, ...more })).toEqual(codes);
});
