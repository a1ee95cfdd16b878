import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { describePlatform, field } from "#test/support/platform.ts";
import type { TestPlatform, TestUser } from "#test/support/platform.ts";
import { temporaryDirectory } from "#test/support/temporary.ts";
import { commandWorld, platformDown, runCommand, type Called } from "../world.ts";

const source = "src/eai.config/object-types.json";

async function project(definitions: readonly object[]): Promise<string> {
  const directory = await temporaryDirectory("project");
  await Bun.write(join(directory, source), JSON.stringify(definitions));
  return directory;
}

/** Runs `svc types …` in the workspace `tenant`, with these definitions in the project. */
async function types(
  the: TestPlatform,
  words: string,
  definitions: readonly object[],
  user: TestUser = "tenant-builder",
): Promise<Called> {
  return runCommand(["types", ...words.split(" "), "--tenant-id", the.workspaces.tenant], {
    currentDirectory: await project(definitions),
    fetch: (request) => the.platform.fetch(request),
    token: the.users[user].token,
  });
}

const street = { name: "Street", slug: "street", properties: { name: { type: "string" } } };
const before = {
  name: "Lamp",
  slug: "lamp",
  displayName: "Lamp",
  description: "A street lamp",
  properties: {
    code: { type: "string", required: true },
    height: { type: "number" },
    colour: { type: "string" },
    place: {
      type: "object",
      properties: { zip: { type: "string" }, town: { type: "string" } },
    },
    watts: { type: "integer", minimum: 1, required: false },
  },
  linkTypes: [{ name: "street", targetObjectType: "Street", cardinality: "one" }],
  actions: [{ name: "repair" }],
};
const after = {
  name: "StreetLamp",
  slug: "lamp",
  displayName: "Lamp",
  properties: {
    code: { type: "string", required: true, maxLength: 40 },
    tone: { type: "string", description: "Colour of the light" },
    place: { type: "object", properties: { town: { type: "string" } } },
    watts: { type: "string" },
  },
};

describePlatform("types diff", (the) => {
  test("shows the changes and the lost values, and is empty after seeding", async () => {
    const fresh = await types(the(), "diff --format json", [before, street]);
    expect(fresh).toMatchObject({ exitCode: 0, stderr: "" });
    expect(fresh.json).toMatchObject({
      inSync: false,
      losesData: false,
      types: [
        {
          slug: "street",
          action: "create",
          changes: [
            { action: "add", part: "type", name: "street", dataLoss: "none" },
            { action: "add", part: "property", name: "name", dataLoss: "none" },
          ],
        },
        { slug: "lamp", action: "create" },
      ],
      onlyStored: [],
    });
    await types(the(), "seed", [before, street]);
    const none = await types(the(), "diff --fail-on-drift", [street, before]);
    expect(none).toMatchObject({
      exitCode: 0,
      stdout: "",
      stderr: `No difference between the workspace and ${source}\n`,
    });

    const path = `/v4/data/resources/${the().workspaces.tenant}`;
    const staff = the().as("tenant-staff");
    const main = field((await staff.post(`${path}/street`, { name: "Main" })).json, "id");
    const lamps = [
      { code: "a", colour: "red", place: { zip: "1", town: "x" }, street: main },
      { code: "b", colour: "blue", place: { town: "y" } },
      { code: "c", watts: 60 },
    ];
    for (const lamp of lamps) expect((await staff.post(`${path}/lamp`, lamp)).status).toBe(201);

    const text = await types(the(), "diff", [after], "tenant-viewer");
    expect(text).toMatchObject({ exitCode: 0, stderr: "" });
    expect(text.stdout.split("\n")).toEqual([
      "lamp",
      "  rename type Lamp to StreetLamp",
      "  change type lamp (description)",
      "  change property code (maxLength)",
      "  add property tone",
      "  drop property place.zip: 1 record has a value that would be lost",
      "  change property watts (minimum, type): 1 record has a value that would be lost",
      "  drop property height",
      "  drop property colour: 2 records have values that would be lost",
      "  drop link street: 1 record has a value that would be lost",
      "  drop action repair",
      "",
    ]);
    const drift = await types(the(), "diff --fail-on-drift --format json", [after]);
    expect(drift.exitCode).toBe(1);
    expect(drift.json).toMatchObject({ inSync: false, losesData: true, onlyStored: ["street"] });
    expect(field(field(drift.json, "types"), "0")).toMatchObject({
      slug: "lamp",
      action: "update",
      changes: expect.arrayContaining([
        { action: "rename", part: "type", name: "Lamp", to: "StreetLamp", dataLoss: "none" },
        { action: "drop", part: "property", name: "height", dataLoss: "none", records: 0 },
        { action: "drop", part: "property", name: "colour", dataLoss: "certain", records: 2 },
      ]),
    });

    const seeded = await types(the(), "seed --format json", [after]);
    expect(field(field(seeded.json, "results"), "0")).toMatchObject({ state: "applied" });
    const settled = await types(the(), "diff --fail-on-drift --format json", [after]);
    expect(settled).toMatchObject({ exitCode: 0, json: { inSync: true, types: [] } });
  });

  test("a property under another name is a rename, which loses its values", async () => {
    const old = { name: "Pole", slug: "pole", properties: { size: { type: "number" } } };
    const renamed = { ...old, properties: { length: { type: "number", description: "In m" } } };
    await types(the(), "seed", [old]);
    const path = `/v4/data/resources/${the().workspaces.tenant}/pole`;
    await the().as("tenant-staff").post(path, { size: 3 });
    const { stdout } = await types(the(), "diff", [renamed]);
    expect(stdout).toBe(
      "pole\n  rename property size to length: " +
        "1 record has a value under the old name that would be lost\n",
    );
    const planned = await types(the(), "seed --dry-run --format json", [renamed]);
    expect(planned.json).toMatchObject({
      results: [
        {
          slug: "pole",
          state: "planned",
          actions: [
            "rename property size to length: 1 record has a value under the old name " +
              "that would be lost",
          ],
        },
      ],
    });
  });
});

describePlatform("a property that becomes required", (the) => {
  test("is counted in the records that lack it, and required when they are saved", async () => {
    const text = { type: "string" } as const;
    const properties = {
      code: text,
      tone: text,
      plan: { type: "file" },
      place: { type: "object", properties: { town: text } },
    };
    const sign = { name: "Sign", slug: "sign", properties };
    await types(the(), "seed", [sign]);
    const staff = the().as("tenant-staff");
    const path = `/v4/data/resources/${the().workspaces.tenant}/sign`;
    const made = [{ code: "a", place: {} }, { place: { town: "x" }, tone: null }, { code: "c" }];
    const ids: string[] = [];
    for (const data of made) ids.push(String(field((await staff.post(path, data)).json, "id")));
    const needed = { type: "string", required: true } as const;
    const asking = {
      ...sign,
      properties: {
        code: needed,
        tone: { ...needed, default: "dim" },
        plan: { type: "file", required: true },
        place: { type: "object", properties: { town: needed } },
        size: { type: "number", required: true },
      },
    };

    const shown = await types(the(), "diff", [asking]);
    expect(shown).toMatchObject({ exitCode: 0, stderr: "" });
    expect(shown.stdout.split("\n")).toEqual([
      "sign",
      "  change property code (required): 1 record lacks it, and can't be saved without it",
      "  change property tone (default, required): 3 records lack it, and can't be saved without it",
      "  change property plan (required)",
      "  change property place.town (required): 1 record lacks it, and can't be saved without it",
      "  add property size: 3 records lack it, and can't be saved without it",
      "",
    ]);
    const drift = await types(the(), "diff --format json", [asking]);
    expect(drift.json).toMatchObject({ losesData: false });
    expect(field(field(drift.json, "types"), "0")).toMatchObject({
      changes: expect.arrayContaining([
        { action: "add", part: "property", name: "size", dataLoss: "none", recordsWithout: 3 },
      ]),
    });

    const seeded = await types(the(), "seed --format json", [asking]);
    expect(seeded.json).toMatchObject({ results: [{ slug: "sign", state: "applied" }] });
    const kept = await staff.get(`${path}/${ids[2]}`);
    expect(kept.json).toMatchObject({ data: { code: "c" } });
    const saved = await staff.put(`${path}/${ids[2]}`, { data: { code: "d" }, version: 1 });
    expect(saved.status).toBe(422);
    expect(saved.json).toMatchObject({
      errors: [
        { pointer: "#/data/tone", detail: "is required" },
        { pointer: "#/data/size", detail: "is required" },
      ],
    });
  });
});

describe("types diff where the platform does not count", () => {
  const the = commandWorld();

  test("reports that values may be lost", async () => {
    const tall = { name: "Mast", slug: "mast", properties: { tall: { type: "boolean" } } };
    const settings = { as: "tenant-builder" } as const;
    await the().svc("types seed", { ...settings, currentDirectory: await project([tall]) });
    const currentDirectory = await project([{ ...tall, properties: {} }]);
    const refusing = async (request: Request): Promise<Response> =>
      new URL(request.url).pathname.endsWith("/mast")
        ? new Response("{}", { status: 400 })
        : the().platform.platform.fetch(request);
    const { stdout, exitCode } = await the().svc("types diff", {
      ...settings,
      currentDirectory,
      fetch: refusing,
    });
    expect(stdout).toBe("mast\n  drop property tall: records may have values that would be lost\n");
    expect(exitCode).toBe(0);
  });

  test("names the target of a stored link without a name, unless the file has such a link", async () => {
    const linked = {
      name: "Pole",
      slug: "pole",
      properties: {},
      linkTypes: [{ name: "lines", targetObjectType: "line", cardinality: "many" }],
    };
    const line = { name: "Line", slug: "line", properties: {} };
    const settings = { as: "tenant-builder" } as const;
    await the().svc("types seed", { ...settings, currentDirectory: await project([line, linked]) });
    const nameless = async (request: Request): Promise<Response> => {
      const response = await the().platform.platform.fetch(request);
      if (!new URL(request.url).pathname.endsWith("/object-types")) return response;
      const text = (await response.text()).replaceAll('"name":"lines",', "");
      return new Response(text, { status: response.status, headers: response.headers });
    };
    const diff = async (pole: object) =>
      the().svc("types diff", {
        ...settings,
        currentDirectory: await project([line, pole]),
        fetch: nameless,
      });
    expect((await diff({ ...linked, linkTypes: [] })).stdout).toBe(
      "pole\n  drop unnamed link to line: records may have values that would be lost\n",
    );
    expect((await diff(linked)).stderr).toMatch(/^No difference/);
  });

  test("refuses both names of a workspace, and a broken file before any network call", async () => {
    const both = await the().svc("types diff --tenant-key a --tenant-id b");
    expect(both.exitCode).toBe(2);
    expect(both.stderr).toContain("--tenant-key and --tenant-id exclude each other");
    const broken = await the().json("types diff", {
      currentDirectory: await project([{ name: "low", slug: "low", properties: {} }]),
      fetch: platformDown,
    });
    expect(broken).toMatchObject({ exitCode: 1, json: { error: { code: "E301" } } });
  });
});

describe("commands that are refused before sign-in and network", () => {
  test.each([
    ["types define Lamp --slug lamp --property height:number", "TYPES_DEFINE_UNSUPPORTED"],
    ["types define", "TYPES_DEFINE_UNSUPPORTED"],
    [
      "resources indexes-apply --tenant-id x --object-type lamp --yes",
      "RESOURCE_INDEX_APPLY_UNSUPPORTED",
    ],
  ])("svc %s", async (words, code) => {
    let calls = 0;
    const settings = {
      variables: { BASE_URL_PUBLIC_API: undefined, SVC_CONFIG_DIR: undefined },
      fetch: () => {
        calls += 1;
        return Promise.reject(new Error("no request expected"));
      },
    };
    const json = await runCommand([...words.split(" "), "--format", "json"], settings);
    expect(json).toMatchObject({ exitCode: 1, json: { error: { code, exitCode: 1 } } });
    const text = await runCommand(words, settings);
    expect(text).toMatchObject({ exitCode: 1, stdout: "" });
    expect(text.stderr).toContain(`Error ${code}: `);
    expect(calls).toBe(0);
  });
});
