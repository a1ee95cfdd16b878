import { expect, test } from "vitest";
import { commandWorld } from "../world.ts";

const the = commandWorld();

test("a workspace has the time zone UTC until its admin changes it", async () => {
  await the().json("workspace create --name Dock --slug dock --parent tenant");
  expect((await the().svc("workspace info dock")).stdout).toMatch(/^time zone +UTC$/m);
  const changed = await the().json("workspace update dock --time-zone Asia/Kolkata");
  expect(changed).toMatchObject({ exitCode: 0, json: { slug: "dock", timeZone: "Asia/Kolkata" } });
  const info = await the().json("workspace info dock");
  expect(info).toMatchObject({ exitCode: 0, json: { timeZone: "Asia/Kolkata" } });
});

test("a time zone that does not exist is refused with its pointer", async () => {
  const refused = await the().json("workspace update tenant --time-zone Asia/Atlantis");
  expect(refused).toMatchObject({ exitCode: 1, json: { error: { code: "E302" } } });
});
