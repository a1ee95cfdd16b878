import { beforeAll, describe, expect, test } from "vitest";
import { field } from "#test/support/platform.ts";
import { commandWorld, platformDown } from "../../world.ts";

const the = commandWorld();

beforeAll(async () => {
  const headers = { "x-tenant-id": the().platform.workspaces.tenant };
  for (const name of ["Tree", "Bush"]) {
    const properties = { species: { type: "string", required: true }, height: { type: "number" } };
    const type = { name, slug: name.toLowerCase(), properties };
    const admin = the().platform.as("tenant-admin");
    const made = await admin.post("/v4/data/resources/object-types", type, { headers });
    expect(made.status).toBe(201);
  }
});

const list = "resources list tree --all --sort species";
const svc = (words: string, stdin?: string) =>
  the().json(words, stdin === undefined ? {} : { stdin });

async function planted(...species: string[]): Promise<string> {
  await svc(
    "resources batch-create tree --data -",
    JSON.stringify(species.map((one) => ({ species: one }))),
  );
  const where = JSON.stringify({ species: { $in: species } });
  const { stdout } = await the().svc([...list.split(" "), "--where", where]);
  return stdout;
}

describe("the output of one command", () => {
  test("is the input of a batch update, with its version", async () => {
    const lines = await planted("ash", "elm");
    const changed = lines.replaceAll('"species":"ash"', '"species":"ash","height":9');
    expect(await svc("resources batch-update tree --data -", changed)).toMatchObject({
      exitCode: 0,
      json: { succeeded: 2 },
    });
    const listed = await svc('resources list tree --where {"height":9}');
    expect(listed.json).toMatchObject({ items: [{ version: 2, data: { species: "ash" } }] });
    // The earlier output is now stale.
    const again = await svc("resources batch-update tree --data -", changed);
    expect(again).toMatchObject({ exitCode: 1, json: { succeeded: 0, failed: 2 } });
    const page = await the().svc('resources list tree --where {"height":9} --format json');
    expect(await svc("resources batch-update tree --data -", page.stdout)).toMatchObject({
      exitCode: 0,
      json: { succeeded: 1 },
    });
  });

  test("is the input of a batch create, also for another type", async () => {
    const lines = await planted("yew", "box");
    const copied = await svc("resources batch-create bush --data -", lines);
    expect(copied).toMatchObject({ exitCode: 0, json: { succeeded: 2 } });
    const bushes = await svc("resources list bush --sort species");
    expect(bushes.json).toMatchObject({
      items: [{ data: { species: "box" }, version: 1 }, { data: { species: "yew" } }],
    });
  });

  test("is the input of a batch delete, never for another type", async () => {
    const lines = await planted("fir", "lime");
    const wrong = await svc("resources batch-delete bush --data -", lines);
    expect(wrong).toMatchObject({
      exitCode: 2,
      json: {
        error: { code: "E302", message: 'Validation failed: #/0/type is "tree", not "bush"' },
      },
    });
    const gone = await svc("resources batch-delete tree --data -", lines);
    expect(gone).toMatchObject({ exitCode: 0, json: { succeeded: 2 } });
  });

  test("is the input of an update and a create", async () => {
    const [line = ""] = (await planted("oak")).split("\n");
    const record: unknown = JSON.parse(line);
    const id = String(field(record, "id"));
    const larger = line.replace('"species":"oak"', '"species":"oak","height":30');
    const update = `resources update tree ${id} --data -`;
    expect(await svc(update, larger)).toMatchObject({
      exitCode: 0,
      json: { version: 2, data: { species: "oak", height: 30 } },
    });
    expect(await svc(update, larger)).toMatchObject({
      exitCode: 1,
      json: { error: { code: "E205" } },
    });
    expect(await svc(`${update} --version 2`, larger)).toMatchObject({ json: { version: 3 } });
    const created = await svc("resources create tree --data -", larger);
    expect(created).toMatchObject({ json: { version: 1, data: { species: "oak", height: 30 } } });
    expect(field(created.json, "id")).not.toBe(id);
  });

  test("replaces no other record", async () => {
    const [line = ""] = (await planted("ivy")).split("\n");
    const settings = { stdin: line, fetch: platformDown };
    const other = await the().json(
      `resources update tree ${crypto.randomUUID()} --data -`,
      settings,
    );
    expect(other.json).toMatchObject({ error: { code: "E302" } });
    expect(other.stdout).toContain("the ID of another record");
  });
});
