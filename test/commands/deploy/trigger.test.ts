import { describe, expect, test } from "vitest";
import { sourceHost } from "./source-host.ts";

describe("deploy trigger", () => {
  test("starts deploy-demo.yml on main by default", async () => {
    await using host = sourceHost();
    expect((await host.svc("deploy trigger --repo north/portal")).exitCode).toBe(0);
    await host.svc("deploy trigger --repo north/portal --branch test --workflow other.yaml");
    expect(host.received).toEqual([
      {
        method: "POST",
        path: "/repos/north/portal/actions/workflows/deploy-demo.yml/dispatches",
        body: { ref: "main" },
      },
      {
        method: "POST",
        path: "/repos/north/portal/actions/workflows/other.yaml/dispatches",
        body: { ref: "test" },
      },
    ]);
  });

  test("refuses names that lead to other routes, before the network", async () => {
    await using host = sourceHost();
    for (const words of ["--repo ../x", "--repo a/..", "--repo a/b/c", "--repo a"]) {
      expect((await host.svc(`deploy trigger ${words}`)).exitCode).toBe(2);
    }
    const workflow = await host.svc("deploy trigger --repo a/b --workflow ../../x.yml");
    expect(workflow.exitCode).toBe(2);
    expect(host.received).toEqual([]);
  });
});
