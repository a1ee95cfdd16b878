import { expect, test } from "vitest";
import { field } from "#test/support/platform.ts";
import { commandWorld } from "../world.ts";

const the = commandWorld();

test("key list marks a key whose maker was removed", async () => {
  const email = "tenant-maker@example.org";
  const words = ["user", "invite", "--email", email, "--role", "tenant-admin"];
  const secret = String(field((await the().json(words)).json, "secret"));
  await the().platform.platform.services.invitations.admit(secret);
  const { token } = await the().platform.platform.mintToken({ email, ttlMs: 60_000 });
  const asMaker = { as: "anonymous", variables: { SVC_TOKEN: token } } as const;
  const created = await the().json("key create Sync --role tenant-staff", asMaker);
  expect(created).toMatchObject({ exitCode: 0 });
  expect((await the().svc("key list")).stdout).toMatch(/Sync +tenant-staff +active +never/);
  await the().svc(`user remove ${email} --force`);
  const { stdout } = await the().svc("key list");
  expect(stdout).toMatch(/Sync +tenant-staff +active, maker removed/);
});
