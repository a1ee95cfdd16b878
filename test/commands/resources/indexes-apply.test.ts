import { expect, test } from "vitest";
import { sent } from "../stub-platform.ts";

test("applying a plan is refused before any request", async () => {
  expect(await sent("resources indexes-apply")).toMatchObject({ exitCode: 1, requests: [] });
});
