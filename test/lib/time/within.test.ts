import { expect, test } from "vitest";
import { within } from "#lib/time/within.ts";

const never = new Promise<string>(() => {});

test("work that ends in time gives what it gives, and its failure", async () => {
  expect(await within(60_000, Promise.resolve("done"), "late")).toBe("done");
  await expect(within(60_000, Promise.reject(new Error("broken")), "late")).rejects.toThrow(
    "broken",
  );
});

test("work that takes too long continues, and its failure is ignored", async () => {
  const { promise, reject } = Promise.withResolvers<string>();
  expect(await within(5, promise, "late")).toBe("late");
  reject(new Error("this is ignored"));
  expect(await within(-1, never, "late")).toBe("late");
});
