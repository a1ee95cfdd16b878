import { describe, expect, test } from "vitest";
import { runCommand, type CallSettings } from "./world.ts";

/** A source host on this machine with one repository, and the requests that it received. */
function sourceHost(runs: readonly object[] = [], hasVariable = false) {
  const received: { method: string; path: string; body: unknown }[] = [];
  const server = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    async fetch(request) {
      const { pathname, search } = new URL(request.url);
      const text = await request.text();
      const path = pathname + search;
      received.push({
        method: request.method,
        path,
        body: text === "" ? undefined : JSON.parse(text),
      });
      if (request.headers.get("authorization") !== "Bearer host-token-1") {
        return Response.json({ message: "Bad credentials" }, { status: 401 });
      }
      if (path === "/repos/north/portal") return Response.json({ default_branch: "main" });
      if (path === "/repos/north/moved") {
        return new Response(null, { status: 302, headers: { location: "http://127.0.0.1:9/" } });
      }
      if (pathname.endsWith("/actions/variables")) {
        return new Response(null, { status: hasVariable ? 409 : 201 });
      }
      if (pathname.endsWith("/actions/variables/BASE_URL_PUBLIC_API")) {
        return new Response(null, { status: 204 });
      }
      if (pathname.endsWith("/actions/workflows")) {
        return Response.json({ workflows: [{ path: ".github/workflows/deploy-demo.yml" }] });
      }
      if (pathname.endsWith("/dispatches")) return new Response(null, { status: 204 });
      if (pathname.endsWith("/actions/runs")) return Response.json({ workflow_runs: runs });
      return Response.json({ message: "Not Found" }, { status: 404 });
    },
  });
  const svc = (words: string, token = "host-token-1") => {
    const settings: CallSettings = {
      variables: {
        SVC_SOURCE_HOST_URL: `http://127.0.0.1:${server.port}`,
        SVC_SOURCE_HOST_TOKEN: token,
        SVC_CONFIG_DIR: "/nowhere/config",
      },
      fetch: (request) => fetch(request),
    };
    return runCommand(`${words} --format json`, settings);
  };
  return { received, svc, [Symbol.asyncDispose]: () => server.stop(true) };
}

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

describe("failures", () => {
  test("a refused token is E103, and is not shown", async () => {
    await using host = sourceHost();
    const { json, stdout, stderr } = await host.svc(
      "deploy status --repo north/portal",
      "wrong-token-99",
    );
    expect(json).toMatchObject({ error: { code: "E103", status: 401 } });
    expect(stdout + stderr).not.toContain("wrong-token-99");
  });

  test("an unknown repository is E202; a redirect is not followed", async () => {
    await using host = sourceHost();
    expect((await host.svc("deploy setup --repo north/none")).json).toMatchObject({
      error: { code: "E202" },
    });
    expect((await host.svc("deploy setup --repo north/moved")).json).toMatchObject({
      error: { code: "E203", status: 302 },
    });
  });

  test("no token is E002; plain HTTP to another host is E006", async () => {
    const words = "deploy status --repo a/b --format json";
    expect((await runCommand(words)).json).toMatchObject({ error: { code: "E002" } });
    const variables = { GITHUB_TOKEN: "abcdefgh", SVC_SOURCE_HOST_URL: "http://example.org" };
    expect((await runCommand(words, { variables })).json).toMatchObject({
      error: { code: "E006" },
    });
  });
});
