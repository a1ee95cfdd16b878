import { expect, test } from "vitest";
import { field } from "#test/support/platform.ts";
import { commandWorld } from "../world.ts";

const the = commandWorld();

/** A new admin who has created the key Sync. */
async function newMaker(email: string): Promise<void> {
  const words = ["user", "invite", "--email", email, "--role", "tenant-admin"];
  const secret = String(field((await the().json(words)).json, "secret"));
  await the().platform.platform.services.invitations.admit(secret);
  const { token } = await the().platform.platform.mintToken({ email, ttlMs: 60_000 });
  const asMaker = { as: "anonymous", variables: { SVC_TOKEN: token } } as const;
  const created = await the().json("key create Sync --role tenant-staff", asMaker);
  expect(created).toMatchObject({ exitCode: 0 });
}

test("user remove lists the keys of the member before it revokes or keeps them", async () => {
  const email = "tenant-maker@example.org";
  await newMaker(email);
  expect((await the().svc("key list")).stdout).toMatch(/Sync +tenant-staff +active +never/);
  const dry = await the().svc(`user remove ${email} --dry-run`);
  expect(dry.stdout).toBe(`Would remove ${email}\n`);
  expect(dry.stderr).toContain(`Would revoke the API keys that ${email} made: Sync (tenant-staff)`);
  const plan = await the().json(`user remove ${email} --dry-run --keys keep`);
  expect(plan.json).toMatchObject({ dryRun: true, keys: [{ name: "Sync", status: "active" }] });
  const asked = await the().svc(`user remove ${email}`, { terminal: 80, stdin: "n\n" });
  expect(asked.stderr).toContain(`Remove ${email}, and revoke 1 API key: Sync (tenant-staff)?`);
  const kept = await the().svc(`user remove ${email} --keys keep --force`);
  expect(kept.stderr).toContain(`API keys that ${email} made: Sync stays tenant-staff`);
  const { stdout } = await the().svc("key list");
  expect(stdout).toMatch(/Sync +tenant-staff +active, maker removed/);
  const other = "second-maker@example.org";
  await newMaker(other);
  const lowered = await the().svc(`user role set --email ${other} --role tenant-viewer`);
  expect(lowered.stderr).toContain(`API keys that ${other} made: Sync is now tenant-viewer`);
  const revoked = await the().svc(`user remove ${other} --force`);
  expect(revoked.stderr).toContain("Sync is revoked");
});
