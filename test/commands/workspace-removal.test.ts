import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { temporaryDirectory } from "#test/support/temporary.ts";
import { commandWorld } from "./world.ts";

const the = commandWorld();
let count = 0;

/** A child of `parent` that the caller is the admin of. */
async function child(parent = "tenant"): Promise<{ id: string; slug: string }> {
  const slug = `desk-${(count += 1)}`;
  const words = ["workspace", "create", "--name", slug, "--slug", slug, "--parent", parent];
  const { json } = await the().json(words);
  return { id: (json as { id: string }).id, slug };
}

const noNetwork = {
  fetch: () => Promise.reject(new Error("nothing may be sent")),
};
/** Passes only requests that look workspaces up. */
const onlyLookups = {
  fetch: (request: Request) =>
    new URL(request.url).pathname === "/v4/identity/tenants"
      ? the().platform.platform.fetch(request)
      : Promise.reject(new Error("nothing may be changed")),
};

describe("workspace delete", () => {
  test("names the deadline, and restore brings it back", async () => {
    const { id, slug } = await child();
    const deleted = await the().svc(`workspace delete ${slug} --force`);
    expect(deleted).toMatchObject({
      exitCode: 0,
      stderr: `Restore it with \`svc workspace restore ${slug}\`\n`,
    });
    expect(deleted.stdout).toMatch(/^status {12}deleted$/m);
    expect(deleted.stdout).toMatch(/^restorable until {2}\d{4}-/m);
    expect((await the().json(`workspace info ${slug}`)).json).toMatchObject({
      error: { code: "E202" },
    });
    const list = await the().svc("workspace list --deleted");
    expect(list.stdout).toContain(slug);
    expect(list.stdout).toContain("UNTIL");
    const restored = await the().json(`workspace restore ${slug}`);
    expect(restored.json).toMatchObject({ tenantId: id, slug, status: "restored" });
    expect((await the().json(`workspace info ${slug}`)).exitCode).toBe(0);
  });

  test("asks for the slug on a terminal", async () => {
    const { slug } = await child();
    const asked = { terminal: 80 } as const;
    const words = `workspace delete ${slug}`;
    const wrong = await the().svc(words, { ...asked, stdin: "yes\n", ...onlyLookups });
    expect(wrong).toMatchObject({ exitCode: 1, stdout: "" });
    expect(wrong.stderr).toContain(`Delete the workspace ${slug}? Type ${slug} to confirm: `);
    expect(wrong.stderr).toContain("Invalid input: not confirmed");
    const right = await the().svc(words, { ...asked, stdin: `${slug}\n` });
    expect(right).toMatchObject({ exitCode: 0 });
  });

  test("never waits without a terminal", async () => {
    const { slug } = await child();
    const piped = await the().json(`workspace delete ${slug}`, onlyLookups);
    expect(piped).toMatchObject({
      exitCode: 2,
      json: { error: { code: "E303", message: "Required field missing: --force" } },
    });
  });

  test("refuses a workspace with children", async () => {
    const { slug } = await child();
    await child(slug);
    const { exitCode, json } = await the().json(`workspace delete ${slug} --force`);
    expect({ exitCode, json }).toMatchObject({ exitCode: 1, json: { error: { code: "E205" } } });
  });

  test("purges a child through its parent, with a receipt", async () => {
    const { id, slug } = await child();
    const { tenant } = the().platform.workspaces;
    const words = `workspace delete ${slug} --parent tenant --force-hard-purge`;
    const { exitCode, json } = await the().json(words);
    expect(exitCode).toBe(0);
    expect(json).toMatchObject({
      childId: id,
      parentId: tenant,
      status: "hard_purged",
      removed: { workspaces: 1, members: 1, objectTypes: 5 },
    });
    // The receipt can be read again by ID.
    const again = await the().json(`workspace delete ${id} --parent tenant --force-hard-purge`);
    expect(again.json).toEqual(json);
  });

  test("purges a deleted child by its slug", async () => {
    const { slug } = await child();
    await the().svc(`workspace delete ${slug} --force`);
    const { stdout } = await the().svc(
      `workspace delete ${slug} --parent tenant --force-hard-purge`,
    );
    expect(stdout).toMatch(/^status {9}hard_purged$/m);
    expect(stdout).toMatch(/^workspaces {5}1$/m);
  });

  test("fails when the receipt does not confirm the purge", async () => {
    const { id, slug } = await child();
    const { tenant } = the().platform.workspaces;
    const receipts = [
      { childId: tenant, parentId: tenant, status: "hard_purged" },
      { childId: id, parentId: id, status: "hard_purged" },
      { status: "hard_purged" },
    ];
    for (const receipt of receipts) {
      const { exitCode, json } = await the().json(
        `workspace delete ${slug} --parent tenant --force-hard-purge`,
        {
          fetch: (request) =>
            request.method === "POST"
              ? Promise.resolve(Response.json(receipt))
              : the().platform.platform.fetch(request),
        },
      );
      expect({ exitCode, json }).toMatchObject({ exitCode: 1, json: { error: { code: "E203" } } });
    }
  });

  test("purges a tree as the system administrator only", async () => {
    const { id, slug } = await child();
    await child(slug);
    const refused = await the().json(`workspace delete ${slug} --force-hard-purge`);
    expect(refused).toMatchObject({ exitCode: 1, json: { error: { code: "E204", status: 403 } } });
    const words = `workspace delete ${id} --force-hard-purge`;
    const purged = await the().json(words, { as: "system-admin" });
    expect(purged.json).toMatchObject({
      tenantId: id,
      status: "hard_purged",
      removed: { workspaces: 2 },
    });
  });

  const id = "01890000-0000-7000-8000-000000000000";
  test.each([
    [
      "a parent without the purge",
      `workspace delete desk --parent tenant`,
      "Required field missing: --force-hard-purge",
    ],
    [
      "a parent that is the child",
      `workspace delete ${id} --parent ${id.toUpperCase()} --force-hard-purge`,
      "Invalid input: --parent must be another workspace than the one to purge",
    ],
  ])("refuses %s before any network call", async (_what, words, message) => {
    const { exitCode, json } = await the().json(words, noNetwork);
    expect(exitCode).toBe(2);
    expect(json).toMatchObject({ error: { message } });
  });

  test("refuses a parent that is the child under another name", async () => {
    const { tenant } = the().platform.workspaces;
    const words = `workspace delete tenant --parent ${tenant} --force-hard-purge`;
    const { exitCode, json } = await the().json(words, onlyLookups);
    expect({ exitCode, json }).toMatchObject({ exitCode: 2, json: { error: { code: "E305" } } });
  });

  test("another user's workspace is not found", async () => {
    const { json } = await the().json("workspace delete other --force");
    expect(json).toMatchObject({ error: { message: 'Workspace "other" not found' } });
  });
});

describe("workspace restore", () => {
  test("finds only deleted workspaces", async () => {
    const { json } = await the().json("workspace restore tenant");
    expect(json).toMatchObject({
      error: { code: "E202", message: 'Deleted workspace "tenant" not found' },
    });
    const { tenant } = the().platform.workspaces;
    const living = await the().json(`workspace restore ${tenant}`);
    expect(living.json).toMatchObject({ error: { code: "E205", status: 409 } });
  });
});

describe("workspace templates", () => {
  test("are listed", async () => {
    const { stdout } = await the().svc("workspace templates list");
    expect(stdout).toContain("blank-vertical-template");
    expect(stdout).toContain("shared-workflow-config");
  });

  test("are exported as definitions that a project can seed", async () => {
    const project = await temporaryDirectory("project");
    const path = join(project, "src/eai.config/object-types.json");
    await Bun.write(path, "[]");
    const words = ["workspace", "templates", "export", "blank-vertical-template"];
    const saved = await the().svc([...words, "--output", path]);
    expect(saved).toMatchObject({ exitCode: 0, stdout: expect.stringContaining("5 Object Types") });
    const { json } = await the().json(words);
    expect(JSON.parse(await readFile(path, "utf8"))).toEqual(json);
    const valid = await the().json("types validate", { currentDirectory: project });
    expect(valid).toMatchObject({ exitCode: 0 });
  });

  test("that do not exist are E202", async () => {
    const { exitCode, json } = await the().json("workspace templates export nothing");
    expect({ exitCode, json }).toMatchObject({ exitCode: 1, json: { error: { code: "E202" } } });
    const create = "workspace create --name X --slug x --parent tenant --starter-template nothing";
    const refused = await the().json(create);
    expect(refused.json).toMatchObject({ error: { code: "E302" } });
  });
});
