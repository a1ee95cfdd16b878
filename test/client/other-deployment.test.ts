import { join } from "node:path";
import { expect, test } from "vitest";
import { routes } from "#contract/index.ts";
import { embeddedPlace } from "#test/commands/deployments.ts";
import { servedRoutes } from "#test/support/other-deployment/deployment.ts";
import { areas, callsOf } from "./other-deployment.ts";
import { routeCalls } from "./route-calls.ts";
import { chatCalls, documentCalls, resourceCalls } from "./specified-calls.ts";

const embedded = embeddedPlace();

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

test("each area has calls and a file", async () => {
  for (const area of areas) {
    expect(callsOf(area).length).toBeGreaterThan(10);
    const file = Bun.file(join(import.meta.dirname, `other-deployment-${area}.test.ts`));
    expect(await file.text()).toContain(`\ndescribeDeployments("${area}");\n`);
  }
});
