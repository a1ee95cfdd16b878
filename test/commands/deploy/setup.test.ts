import { expect, test } from "vitest";
import { sourceHost } from "./source-host.ts";

test.each([
  [false, 3],
  [true, 4],
])("deploy setup sets the platform's address, where it exists: %s", async (exists, calls) => {
  await using host = sourceHost([], exists);
  const { exitCode, json } = await host.svc("deploy setup --repo north/portal");
  expect(exitCode).toBe(0);
  expect(json).toMatchObject({
    defaultBranch: "main",
    variable: { name: "BASE_URL_PUBLIC_API", value: "http://platform.test", created: !exists },
    workflows: [".github/workflows/deploy-demo.yml"],
  });
  expect(host.received).toHaveLength(calls);
});
