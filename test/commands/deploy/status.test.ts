import { describe, expect, test } from "vitest";
import { sourceHost } from "./source-host.ts";

describe("deploy status", () => {
  const run = { id: 1, path: ".github/workflows/deploy-demo.yml", head_branch: "main" };
  test.each([
    [{ ...run, status: "completed", conclusion: "success" }, 0],
    [{ ...run, status: "completed", conclusion: "failure" }, 1],
    [{ ...run, status: "in_progress", conclusion: null }, 8],
  ])("%o exits with %i", async (latest, exitCode) => {
    await using host = sourceHost([latest]);
    const called = await host.svc("deploy status --repo north/portal");
    expect(called.exitCode).toBe(exitCode);
    expect(called.json).toMatchObject({ runs: [{ id: 1, workflow: "deploy-demo.yml" }] });
  });
});
