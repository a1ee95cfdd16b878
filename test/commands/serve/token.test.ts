import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import * as z from "zod";
import { temporaryDirectory } from "#test/support/temporary.ts";
import { runCommand } from "../world.ts";
import { served } from "./served.ts";

describe("serve token", () => {
  test("mints a token that the platform accepts, running or not", async () => {
    const dataDir = await temporaryDirectory("platform");
    const words = ["serve", "token", "--data-dir", dataDir];
    await served(["--data-dir", dataDir], async ({ url }) => {
      const { stdout } = await runCommand(words);
      const authorization = `Bearer ${stdout.trim()}`;
      const me = await fetch(`${url}/v4/identity/me`, { headers: { authorization } });
      expect(await me.json()).toMatchObject({ email: "admin@localhost" });
    });
    const { exitCode, json } = await runCommand([...words, "--ttl", "90s", "--format", "json"]);
    expect(exitCode).toBe(0);
    const minted = z
      .object({ token: z.string().regex(/^\S+\.\S+\.\S+$/), expiresAt: z.iso.datetime() })
      .parse(json);
    const leftMs = Date.parse(minted.expiresAt) - Date.now();
    expect(leftMs).toBeGreaterThan(0);
    expect(leftMs).toBeLessThanOrEqual(90_000);
    const unknown = await runCommand([...words, "--email", "no@one.test", "--format", "json"]);
    expect(unknown).toMatchObject({ exitCode: 1, json: { error: { code: "E202" } } });
  });

  test("refuses a directory without platform data", async () => {
    const empty = await temporaryDirectory("nothing");
    const file = join(empty, "file");
    await writeFile(file, "");
    for (const dataDir of [empty, file]) {
      const never = await runCommand(["serve", "token", "--data-dir", dataDir]);
      expect(never.exitCode).toBe(1);
      expect(never.stderr).toContain(`Error E202: Platform data in ${dataDir} not found`);
      expect(never.stderr).toContain("Start it once with `svc serve`");
    }
  });

  test.each(["0s", "31d", "soon", "-1h"])("refuses the lifetime %s", async (ttl) => {
    const words = ["serve", "token", "--format", "json", "--ttl", ttl];
    const { exitCode, json } = await runCommand(words);
    expect(exitCode).toBe(2);
    expect(json).toMatchObject({
      error: {
        code: "E304",
        message: `Invalid format: --ttl "${ttl}"`,
        suggestion: "Valid formats: 1s to 30d",
      },
    });
  });
});
