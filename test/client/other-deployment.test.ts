import { describe, expect, test } from "vitest";
import { CatalogError } from "#contract/errors.ts";
import { routes } from "#contract/index.ts";
import { embeddedPlace, otherPlaces, type Place } from "#test/commands/deployments.ts";
import { servedRoutes } from "#test/support/other-deployment/deployment.ts";
import { dialects, type Dialect } from "#test/support/other-deployment/dialects.ts";
import {
  chatCalls,
  documentCalls,
  resourceCalls,
  type Scene,
  type SpecifiedCall,
} from "./specified-calls.ts";
import { routeCalls } from "./route-calls.ts";

const start = otherPlaces();
const embedded = embeddedPlace();

function named(prefix: string, calls: Readonly<Record<string, SpecifiedCall>>) {
  return Object.entries(calls).map(([name, call]) => ({ name: `${prefix}${name}`, ...call }));
}

const calls = [
  ...named("useResources.", resourceCalls),
  ...named("useDocuments.", documentCalls),
  ...named("useChat.", chatCalls),
  ...named("client.", routeCalls),
];

function sceneOf({ names, client, root }: Place): Scene {
  const unique = `plan-${names["unique"]}.txt`;
  return {
    client,
    root,
    names,
    trees: client.useResources("street-tree"),
    documents: client.useDocuments(),
    chat: client.useChat(names["workflow"] ?? ""),
    record: names["record"] ?? "",
    job: names["job"] ?? "",
    document: names["document"] ?? "",
    file: { name: unique, content: new Blob([`An elm, ${unique}.\n`]) },
  };
}

test("every route of the contract that the specification has is called", () => {
  const plain = (route: string): string => route.replaceAll(/\{\w+\}/g, "{}");
  const specified = new Set(servedRoutes.map(plain));
  const missing = Object.entries(routes).flatMap(([domain, ofDomain]) =>
    Object.entries(ofDomain).flatMap(([name, { method, path }]) =>
      specified.has(plain(`${method} ${path}`)) && !(`${domain}.${name}` in routeCalls)
        ? [`${domain}.${name}`]
        : [],
    ),
  );
  expect(missing).toEqual([]);
});

test("every verb is called", async () => {
  const { client } = await embedded();
  expect(Object.keys(resourceCalls)).toEqual(
    expect.arrayContaining(Object.keys(client.useResources("street-tree"))),
  );
  expect(Object.keys(documentCalls)).toEqual(
    expect.arrayContaining(Object.keys(client.useDocuments())),
  );
  expect(Object.keys(chatCalls)).toEqual(expect.arrayContaining(Object.keys(client.useChat("x"))));
});

/** A verb that this deployment lacks fails as a missing route, and names its status. */
function lacks(dialect: Dialect, { needs, isAddition }: SpecifiedCall): boolean {
  return isAddition === true || (needs !== undefined && dialect.without.includes(needs));
}

describe.each(dialects)("$name:", (dialect) => {
  test.each(calls)("$name", async (call) => {
    const scene = sceneOf(await start(dialect));
    if (!lacks(dialect, call)) return void (await call.run(scene));
    const failure: unknown = await call.run(scene).then(
      () => undefined,
      (error: unknown) => error,
    );
    if (!(failure instanceof CatalogError)) throw new Error("the call did not fail as it should");
    expect(["E202", "E203"]).toContain(failure.code);
  });
});

describe("the embedded platform:", () => {
  test.each(calls)("$name", async (call) => {
    await call.run(sceneOf(await embedded({ document: /documents\./i.test(call.name) })));
  });
});
