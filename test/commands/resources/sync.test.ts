import { beforeAll, describe, expect, test } from "vitest";
import { field } from "#test/support/platform.ts";
import { commandWorld } from "../world.ts";

const the = commandWorld();
const types = "/v4/data/resources/object-types";
let other = "";

const officer = {
  name: "Officer",
  slug: "officer",
  properties: { email: { type: "string", unique: true } },
};
const permit = (code: object) => ({
  name: "Permit",
  slug: "permit",
  properties: {
    code: { type: "string", unique: true, required: true },
    title: { type: "string" },
    fee: { type: "number", ...code },
    internal: { type: "string", writeRoles: ["tenant-admin"] },
    officer: { type: "reference", targetObjectType: "officer" },
    plan: { type: "file" },
  },
});

async function post(workspace: string, path: string, body: object): Promise<string> {
  const headers = { "x-tenant-id": workspace };
  const made = await the().platform.as("system-admin").post(path, body, { headers });
  expect(made.status, made.text).toBe(201);
  return String(field(made.json, "id"));
}

const records = (workspace: string, type: string): string =>
  `/v4/data/resources/${workspace}/${type}`;

beforeAll(async () => {
  const { tenant } = the().platform.workspaces;
  const body = { displayName: "Mirror", slug: "mirror", homeRegion: "eu" };
  other = await post(tenant, "/v4/platform/tenants", body);
  for (const workspace of [tenant, other]) {
    await post(workspace, types, officer);
    await post(workspace, types, permit(workspace === other ? { minimum: 0 } : {}));
    await post(workspace, records(workspace, "officer"), { data: { email: "ada@example.org" } });
  }
  const ada = await the().platform.as("system-admin").get(records(tenant, "officer"));
  const items = field(ada.json, "items");
  const id = String(field(Array.isArray(items) ? items[0] : undefined, "id"));
  for (let number = 1; number <= 230; number += 1) {
    const data = { code: `P-${number}`, title: `Permit ${number}`, fee: number, officer: id };
    await post(tenant, records(tenant, "permit"), { data });
  }
  const own = { code: "P-1", title: "Old", fee: 1, internal: "stays" };
  await post(other, records(other, "permit"), { data: own });
  await post(other, records(other, "permit"), { data: { code: "X-1", title: "Only here" } });
});

async function sync(...flags: string[]) {
  const words = ["resources", "sync", "permit", "--key", "code", "--to", other, ...flags];
  return the().json(words, { as: "system-admin" });
}

async function stored(): Promise<readonly unknown[]> {
  const path = `${records(other, "permit")}?limit=500&sort=code`;
  const answer = await the().platform.as("system-admin").get(path);
  const items = field(answer.json, "items");
  return Array.isArray(items) ? items.map((item) => field(item, "data")) : [];
}

describe("resources sync", () => {
  const reference = ["--reference", "officer=email", "--fields", "title,fee,officer"];

  test("shows a plan first, and changes nothing", async () => {
    const plan = await sync(...reference, "--delete");
    expect(plan.exitCode, plan.stderr).toBe(0);
    expect(plan.json).toMatchObject({
      dryRun: true,
      created: 229,
      updated: 1,
      unchanged: 0,
      missing: 1,
      deleted: 0,
      changes: expect.arrayContaining([
        { key: "P-1", action: "update", properties: ["title", "officer"] },
      ]),
    });
    expect(await stored()).toHaveLength(2);
  });

  test("copies in one direction, and has nothing to do afterwards", async () => {
    const done = await sync(...reference, "--delete", "--yes");
    expect(done.json).toMatchObject({ created: 229, updated: 1, missing: 1, deleted: 1 });
    const all = await stored();
    expect(all).toHaveLength(230);
    expect(all[0]).toMatchObject({ code: "P-1", title: "Permit 1", internal: "stays" });
    const theirs = await the().platform.as("system-admin").get(records(other, "officer"));
    expect(theirs.text).toContain(String(field(all[0], "officer")));
    const again = await sync(...reference, "--delete", "--yes");
    expect(again.json).toMatchObject({ created: 0, updated: 0, unchanged: 230, missing: 0 });
  });

  test("names refused records, deletes nothing then, and goes on with the others", async () => {
    const { tenant } = the().platform.workspaces;
    await post(tenant, records(tenant, "permit"), { data: { code: "N-1", fee: -1 } });
    await post(tenant, records(tenant, "permit"), { data: { code: "N-2", fee: 2 } });
    const called = await sync("--fields", "fee", "--delete", "--yes");
    expect(called.exitCode).toBe(1);
    expect(called.json).toMatchObject({
      created: 1,
      refused: 1,
      missing: null,
      faults: [{ key: "N-1", reason: "fee must be at least 0" }],
    });
  });

  test("leaves out and names what the caller may not copy", async () => {
    const words = ["resources", "sync", "permit", "--key", "code", "--to", other];
    const text = await the().svc(words, { as: "system-admin" });
    expect(text.stdout).toContain("plan is left out: files are not copied");
    expect(text.stdout).toContain("officer is left out: is a reference");
    const noKey = await the().svc([...words.slice(0, 4), "title", "--to", other], {
      as: "system-admin",
    });
    const same = await the().svc(["resources", "sync", "permit", "--key", "code"]);
    expect(same.stderr).toContain("The source and the target are the same workspace");
    expect(same.exitCode).toBe(2);
    expect(noKey.stderr).toContain("--key title is not a unique property of permit");
    const both = await sync("--delete", "--where", "{}");
    expect(both.stdout).toContain("leave --where out");
  });
});
