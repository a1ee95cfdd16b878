import { beforeAll, describe, expect, test } from "vitest";
import { join } from "node:path";
import { withAppTypes } from "#test/server/domains/apps/world.ts";
import { definition, examples, trained } from "#test/server/domains/classifiers/world.ts";
import { temporaryDirectory } from "#test/support/temporary.ts";
import { commandWorld } from "../world.ts";

const the = commandWorld();
let folder = "";

beforeAll(async () => {
  await withAppTypes(the().platform, the().platform.workspaces.tenant);
  folder = await temporaryDirectory("classifiers");
  await Bun.write(join(folder, "harbour.json"), JSON.stringify({ ...definition, examples }));
  await Bun.write(join(folder, "faulty.json"), JSON.stringify({ ...definition, threshold: 2 }));
});

const at = () => ({ currentDirectory: folder });

describe("classifier", () => {
  test("put makes a classifier with its examples, which trains", async () => {
    const made = await the().json("classifier put harbour --file harbour.json", at());
    expect(made).toMatchObject({ exitCode: 0, json: { key: "harbour" } });
    await trained(the().platform, "harbour");
    const text = await the().svc("classifier get harbour", at());
    expect(text.stdout).toContain("trained");
    expect(text.stdout).toContain("mooring-permit");
    const list = await the().svc("classifier list", at());
    expect(list.stdout).toMatch(/harbour +active +3 +18 +trained +1/);
  });

  test("put refuses a faulty file before any request", async () => {
    const refused = await the().json("classifier put faulty --file faulty.json", at());
    expect(refused).toMatchObject({ exitCode: 2, json: { error: { code: "E302" } } });
    expect(JSON.stringify(refused.json)).toContain("/threshold");
  });
});
