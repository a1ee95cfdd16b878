import { expect, test } from "vitest";
import { sent } from "../stub-platform.ts";

test("a body replaces what is at a path, and is checked as JSON first", async () => {
  const { requests } = await sent('publicapi put /v4/x --data {"a":1}');
  expect(requests[0]?.[2]).toEqual({ a: 1 });
  expect((await sent("publicapi put /v4/x --data {")).requests).toEqual([]);
});
