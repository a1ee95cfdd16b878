import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { describePlatform, field } from "#test/support/platform.ts";
import { temporaryDirectory } from "#test/support/temporary.ts";
import { commandWorld, runCommand } from "./world.ts";

const the = commandWorld();

describe("audit", () => {
  test("list shows who did what, and who was refused", async () => {
    await the().svc("user role create feller --name Feller --permissions documents.*");
    await the().svc("key create Import --role tenant-staff", { as: "tenant-staff" });
    const done = await the().svc("audit list --action members.createRole");
    expect(done.stdout).toMatch(/tenant-admin@example.org +members.createRole +done/);
    const refused = await the().svc("audit list --outcome refused --since 1h");
    expect(refused.stdout).toMatch(/tenant-staff@.* +keys.create +refused: permission-denied/);
    const none = await the().svc("audit list --until 2020-01-01T00:00:00Z");
    expect(none.stderr).toContain("No entries match");
    const wrong = await the().json("audit list --since later");
    expect(wrong).toMatchObject({ exitCode: 2, json: { error: { code: "E304" } } });
    const notAdmin = await the().json("audit list", { as: "tenant-builder" });
    expect(notAdmin).toMatchObject({ exitCode: 1, json: { error: { code: "E204" } } });
    const ofPlatform = await the().json("audit list --platform", { as: "system-admin" });
    expect(ofPlatform.exitCode).toBe(0);
  });

  test("verify checks the platform or an export, and an earlier head", async () => {
    const verified = await the().json("audit verify");
    expect(verified).toMatchObject({ exitCode: 0, json: { ok: true, fault: null } });
    const head = String(field(verified.json, "head"));
    await the().svc("user invite --email late@example.org --role tenant-viewer");
    expect(await the().json(`audit verify --head ${head}`)).toMatchObject({ exitCode: 0 });
    const [sequence] = head.split(":");
    const other = await the().json(`audit verify --head ${sequence}:${"A".repeat(43)}`);
    expect(other).toMatchObject({
      exitCode: 1,
      json: { ok: false, fault: `entry ${sequence} is not the one of --head` },
    });
    const path = join(await temporaryDirectory("audit"), "audit.ndjson");
    const exported = await the().json(`audit export --output ${path}`);
    expect(exported.exitCode).toBe(0);
    const text = await readFile(path, "utf8");
    const lines = text.trimEnd().split("\n");
    expect(field(exported.json, "entries")).toBe(lines.length);
    const check = async (content: string) => {
      await writeFile(path, content);
      return the().json(`audit verify --input ${path}`);
    };
    expect(await check(text)).toMatchObject({
      exitCode: 0,
      json: { entries: lines.length, head: field(exported.json, "head") },
    });
    const changed = text.replace('"done"', '"refused"');
    expect(await check(changed)).toMatchObject({ exitCode: 1, json: { ok: false, head: null } });
    expect(await check(lines.toSpliced(1, 1).join("\n"))).toMatchObject({
      exitCode: 1,
      json: { fault: "entry 2 is missing" },
    });
    expect(await check("nothing")).toMatchObject({
      exitCode: 2,
      json: { error: { code: "E305" } },
    });
  });
});

describePlatform(
  "the retention of the audit log",
  (the) => {
    test("leaves a log that verify accepts, also as an export", async () => {
      const workspace = the().workspaces.tenant;
      const invite = async (name: string) =>
        the()
          .as("tenant-admin")
          .post(`/v4/platform/tenants/${workspace}/members/invite`, {
            email: `${name}@example.org`,
            role: "tenant-viewer",
          });
      await invite("early");
      const directory = await temporaryDirectory("retention");
      const svc = async (words: string) =>
        runCommand([...words.split(" "), "--workspace", workspace, "--format", "json"], {
          fetch: (request) => the().platform.fetch(request),
          token: the().users["tenant-admin"].token,
        });
      const whole = (await svc("audit verify")).json;
      expect(whole).toMatchObject({ ok: true, entries: expect.any(Number) });
      the().advance(3_600_000 * 7);
      for (const name of ["a", "b", "c"]) await invite(name);
      await the().platform.services.audit.clean();
      const kept = (await svc("audit verify")).json;
      expect(kept).toMatchObject({
        ok: true,
        entries: 3,
        since: expect.any(String),
        removed: { entries: field(whole, "entries"), until: expect.any(String), keptDays: 0.25 },
      });
      expect(String(field(field(kept, "removed"), "until")) < String(field(kept, "since"))).toBe(
        true,
      );
      const output = join(directory, "audit.ndjson");
      await svc(`audit export --output ${output}`);
      expect(await runCommand(["audit", "verify", "--input", output])).toMatchObject({
        exitCode: 0,
      });
      // An earlier head is of a removed entry, and cannot be compared.
      const head = String(field(whole, "head"));
      expect((await svc(`audit verify --head ${head}`)).json).toMatchObject({ ok: true });

      the().advance(3_600_000 * 7);
      await the().platform.services.audit.clean();
      const empty = await svc("audit verify");
      expect(empty.json).toMatchObject({ ok: true, entries: 0 });
      expect(empty.exitCode).toBe(0);
    });
  },
  { limits: { auditDays: 0.25 } },
);
