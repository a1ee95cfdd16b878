import { describe, expect, test } from "vitest";
import { runCommand } from "../world.ts";
import { sourceHost } from "./source-host.ts";

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
