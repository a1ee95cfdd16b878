import { describe, expect, test } from "vitest";
import { commandWorld } from "../world.ts";

const the = commandWorld();

describe("workspace select", () => {
  test("is stored for its platform", async () => {
    const config = await the().emptyConfig();
    const { stdout, exitCode } = await the().svc("workspace select tenant", { config });
    expect(exitCode).toBe(0);
    expect(stdout).toBe(`Selected tenant (${the().platform.workspaces.tenant})\n`);
    const here = await the().json("whoami", { config });
    expect(here.json).toMatchObject({ settings: { workspace: { value: { slug: "tenant" } } } });
    const there = await the().json("whoami", {
      config,
      variables: { BASE_URL_PUBLIC_API: "http://elsewhere.test" },
    });
    expect(there.json).not.toHaveProperty("settings.workspace");
  });

  test("each profile has its own selection", async () => {
    const config = await the().emptyConfig();
    await the().svc("workspace select tenant --profile work", { config });
    const slugOf = async (words: string, variables = {}): Promise<unknown> =>
      (await the().json(words, { config, variables })).json;
    const selected = { settings: { workspace: { value: { slug: "tenant" } } } };
    expect(await slugOf("whoami --profile work")).toMatchObject(selected);
    expect(await slugOf("whoami", { SVC_PROFILE: "work" })).toMatchObject(selected);
    expect(await slugOf("whoami")).not.toHaveProperty("settings.workspace");
  });

  test("asks on a terminal, and accepts a number or a slug", async () => {
    const config = await the().emptyConfig();
    const asked = { config, as: "system-admin", terminal: 80 } as const;
    const byNumber = await the().svc("workspace select", { ...asked, stdin: "1\n" });
    expect(byNumber.stdout).toMatch(/^Selected other \(/);
    expect(byNumber.stderr.split("\n").slice(0, 2)).toEqual([
      "#  SLUG    NAME    ROLE",
      "1  other   other   tenant-admin",
    ]);
    expect(byNumber.stderr).toMatch(/Which one \(number or slug\)\? $/);
    const bySlug = await the().svc("workspace select", { ...asked, stdin: "tenant\n" });
    expect(bySlug.stdout).toMatch(/^Selected tenant \(/);
    const none = await the().svc("workspace select", { ...asked, stdin: "\n" });
    expect(none).toMatchObject({ exitCode: 1, stdout: "" });
    expect(none.stderr).toContain("Error E305: Invalid input: no workspace was chosen");
  });

  test("Ctrl-C ends the question", async () => {
    const config = await the().emptyConfig();
    const aborter = new AbortController();
    const pending = the().svc("workspace select", {
      config,
      terminal: 80,
      signal: aborter.signal,
    });
    setTimeout(() => aborter.abort(), 50);
    expect(await pending).toMatchObject({
      exitCode: 130,
      stderr: expect.stringContaining("Interrupted. Help: `svc workspace select --help`"),
    });
  });

  test("never asks without a terminal or in JSON mode", async () => {
    const piped = await the().svc("workspace select");
    expect(piped.exitCode).toBe(2);
    expect(piped.stderr.split("\n")).toEqual([
      "Error E303: Required field missing: <workspace>",
      "  `svc workspace list --all` lists your workspaces",
      "→ Provide <workspace>",
      "Help: `svc workspace select --help`, `svc errors E303`",
      "",
    ]);
    const json = await the().json("workspace select", { terminal: 80 });
    expect(json).toMatchObject({ exitCode: 2, json: { error: { code: "E303", exitCode: 2 } } });
  });
});
