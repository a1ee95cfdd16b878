import { expect, test } from "vitest";
import { sent } from "../stub-platform.ts";

test("defining types is refused before any request", async () => {
  expect(await sent("types define x")).toMatchObject({ exitCode: 1, requests: [] });
});
