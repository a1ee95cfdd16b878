import { describe, expect, test } from "vitest";
import { CatalogError } from "#contract/errors.ts";
import { embeddedPlace, otherPlaces, type Place } from "#test/commands/deployments.ts";
import { everyDialect } from "#test/support/other-deployment/all-dialects.ts";
import type { Dialect } from "#test/support/other-deployment/dialects.ts";
import {
  chatCalls,
  documentCalls,
  resourceCalls,
  type Scene,
  type SpecifiedCall,
} from "./specified-calls.ts";
import { routeCalls } from "./route-calls.ts";

function named(prefix: string, calls: Readonly<Record<string, SpecifiedCall>>) {
  return Object.entries(calls).map(([name, call]) => ({ name: `${prefix}${name}`, ...call }));
}

const calls = [
  ...named("useResources.", resourceCalls),
  ...named("useDocuments.", documentCalls),
  ...named("useChat.", chatCalls),
  ...named("client.", routeCalls),
];

/** The parts of the library: the calls of each are the tests of a file. */
export const areas = ["records", "documents", "workspaces"] as const;
export type Area = (typeof areas)[number];

const namesOfAreas: Readonly<Partial<Record<Area, RegExp>>> = {
  records: /^(?:useResources|client\.(?:resources|files|objectTypes|storage|geo))\./,
  documents: /^(?:useDocuments|useChat|client\.(?:documents|chat|workflows|classifiers))\./,
};

export function callsOf(area: Area): readonly (typeof calls)[number][] {
  const areaOf = (name: string): Area =>
    areas.find((each) => namesOfAreas[each]?.test(name) === true) ?? "workspaces";
  return calls.filter(({ name }) => areaOf(name) === area);
}

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

/** A verb that this deployment lacks fails as a missing route, and names its status. */
function lacks(dialect: Dialect, { needs, isAddition }: SpecifiedCall): boolean {
  return isAddition === true || (needs !== undefined && dialect.without.includes(needs));
}

/** The tests of an area: each of its calls at a deployment of each dialect and the platform. */
export function describeDeployments(area: Area): void {
  const start = otherPlaces();
  const embedded = embeddedPlace();
  const areaCalls = callsOf(area);
  // All dialects lack the additions, each with its own status and body: each addition has one.
  const additions = areaCalls.filter(({ isAddition }) => isAddition);
  const lackedAt = new Map(
    additions.map((call, index) => [call, everyDialect[index % everyDialect.length]]),
  );

  describe.each(everyDialect)("$name:", (dialect) => {
    const isUnconfirmed = dialect.unconfirmed === true;
    const calls = areaCalls.filter(
      (call) =>
        (call.isAddition !== true || lackedAt.get(call) === dialect) &&
        (!isUnconfirmed || call.needsId !== true),
    );
    test.each(calls)("$name", async (call) => {
      const scene = sceneOf(await start(dialect, { hasProject: false }));
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
    test.each(areaCalls)("$name", async (call) => {
      await call.run(sceneOf(await embedded({ document: /documents\./i.test(call.name) })));
    });
  });
}
