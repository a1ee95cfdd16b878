import { beforeAll, describe, expect, test } from "vitest";
import { publishTrees } from "../trees.ts";
import { commandWorld } from "../../world.ts";

const the = commandWorld();

beforeAll(async () => {
  await publishTrees(the());
});

describe("a command that is interrupted", () => {
  const id = "01890000-0000-7000-8000-000000000000";
  test.each([
    [`resources create tree --data {"species":"oak"}`, "The outcome is unknown: look before"],
    [`resources delete tree ${id} --force`, "The outcome is unknown: look before"],
    [`resources get tree ${id}`, undefined],
    ["resources search oak", undefined],
  ])("during `%s` reports an unknown outcome", async (words, outcome) => {
    const stop = new AbortController();
    const settings = {
      signal: stop.signal,
      fetch: () => {
        stop.abort();
        return Promise.reject(new Error("the connection was given up"));
      },
    };
    const { exitCode, stderr } = await the().svc(words, settings);
    expect(exitCode).toBe(130);
    expect(stderr).toMatch(
      outcome === undefined ? /^Interrupted\. Help: / : new RegExp(`^Interrupted\\. ${outcome}`),
    );
  });
});
