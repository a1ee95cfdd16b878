import { expect, test } from "vitest";
import type { MappedEffect } from "#contract/events/webhook-sources.ts";
import { sendEffect } from "#server/domains/webhook-sources/effects.ts";

const upsert = { type: "case", property: "code", value: "a", data: {} };
const action = { type: "case", id: "1", name: "close" };

async function pathOf(effect: MappedEffect): Promise<string> {
  const paths: string[] = [];
  const answer = async (request: Request) => {
    paths.push(new URL(request.url).pathname);
    return Response.json({ id: "1" });
  };
  const { signal } = new AbortController();
  await sendEffect(answer, { workspaceId: "w", token: "t", key: "k", signal }, effect);
  return paths.join(" ");
}

test("an effect is a request to the route of its type", async () => {
  const records = "/v4/data/resources/w/case";
  expect(await pathOf({ upsert: { ...upsert, value: "a/b?c" } })).toBe(
    `${records}/by/code/a%2Fb%3Fc`,
  );
  expect(await pathOf({ action })).toBe(`${records}/1/actions/close`);
});

// A sender chooses them: `..` as an id would let an action be the batch of another type.
test.each<MappedEffect>([
  { upsert: { ...upsert, value: ".." } },
  { upsert: { ...upsert, value: "." } },
  { upsert: { ...upsert, type: ".." } },
  { upsert: { ...upsert, property: "." } },
  { action: { ...action, id: "..", name: "batch" } },
  { action: { ...action, name: ".." } },
])("%j is refused before any request", async (effect) => {
  await expect(pathOf(effect)).rejects.toThrow("which no path can have");
});
