import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { field } from "#test/support/platform.ts";
import { temporaryDirectory } from "#test/support/temporary.ts";
import { commandWorld, platformDown } from "../../world.ts";

const the = commandWorld();
let files = "";

beforeAll(async () => {
  files = await temporaryDirectory("files");
  const { tenant } = the().platform.workspaces;
  const make = async (type: object): Promise<void> => {
    const made = await the()
      .platform.as("tenant-admin")
      .post("/v4/data/resources/object-types", type, { headers: { "x-tenant-id": tenant } });
    expect(made.status).toBe(201);
  };
  await make({ name: "Wood", slug: "wood", properties: { name: { type: "string" } } });
  const properties = {
    species: { type: "string", required: true },
    note: { type: "text" },
    height: { type: "number" },
    rings: { type: "integer" },
    grade: { type: "enum", enum: [1, 2, "unknown"] },
    felled: { type: "boolean" },
    planted: { type: "date" },
    place: { type: "geopoint" },
    tags: { type: "array", items: { type: "string" } },
    version: { type: "string" },
  };
  const linkTypes = [{ name: "wood", targetObjectType: "wood", cardinality: "one" }];
  await make({ name: "Tree", slug: "tree", properties, linkTypes });
});

const header = "species,height,rings,grade,felled,planted,place,tags,data.version";
const rows = [
  `oak,12.5,140,2,TRUE,1890-03-01,"{""type"":""Point"",""coordinates"":[-2.9,53.4]}","[""old"",""big""]",1.0`,
  `"'=elm, ""wych""",-1e1,,unknown,false,,,,`,
];
const trees = [
  {
    species: "oak",
    height: 12.5,
    rings: 140,
    grade: 2,
    felled: true,
    planted: "1890-03-01",
    place: { type: "Point", coordinates: [-2.9, 53.4] },
    tags: ["old", "big"],
    version: "1.0",
  },
  { species: '=elm, "wych"', height: -10, grade: "unknown", felled: false },
];

async function batch(verb: string, text: string, words: readonly string[] = []) {
  await Bun.write(join(files, "trees.csv"), text);
  const call = ["resources", `batch-${verb}`, "tree", "--file", "trees.csv", ...words];
  return the().json(call, { currentDirectory: files });
}

/** Data of the records that an answer names. */
async function stored(json: unknown): Promise<unknown[]> {
  const results = field(json, "results");
  const ids = (Array.isArray(results) ? results : []).map((one) => String(field(one, "id")));
  const all = await Promise.all(ids.map((id) => the().json(`resources get tree ${id}`)));
  return all.map((one) => field(one.json, "data"));
}

describe("a CSV as the items of a batch", () => {
  test("gives each cell the type that its property has", async () => {
    const { exitCode, json } = await batch("create", `${header}\r\n${rows.join("\r\n\r\n")}\r\n`);
    expect({ exitCode, json }).toMatchObject({ exitCode: 0, json: { succeeded: 2 } });
    expect(await stored(json)).toEqual(trees);
    const piped = await the().json("resources batch-create tree --data -", {
      stdin: `${header}\n${rows.join("\n")}`,
    });
    expect(await stored(piped.json)).toEqual(trees);
  });

  test("has no items in /dev/null, which is not another error", async () => {
    const words = ["resources", "batch-create", "tree", "--file", "/dev/null"];
    expect((await the().json(words)).json).toMatchObject({
      error: { code: "E305", message: "Invalid input: there are no items" },
    });
  });

  test("distinguishes an empty text from no value", async () => {
    const create = await batch("create", 'species,note,planted\noak,"",""\nelm,,\n');
    expect(await stored(create.json)).toEqual([{ species: "oak", note: "" }, { species: "elm" }]);
    const where = JSON.stringify({ note: "" });
    const listed = await the().svc(
      ["resources", "list", "tree", "--all", "--format", "csv", "--where", where],
      {},
    );
    const update = await batch("update", listed.stdout);
    expect(update.json).toMatchObject({ succeeded: 1, failed: 0 });
    expect(await stored(update.json)).toEqual([{ species: "oak", note: "" }]);
  });

  test("from `resources list` can be written back unchanged", async () => {
    const created = await batch("create", [header, ...rows].join("\n"));
    const { stdout } = await the().svc("resources list tree --all --format csv");
    const updated = await batch("update", stdout);
    expect(updated).toMatchObject({ exitCode: 0, json: { failed: 0 } });
    expect(await stored(created.json)).toEqual(trees);
    // Every record now has a new version: the same file is stale.
    expect(await batch("update", stdout)).toMatchObject({ exitCode: 1, json: { succeeded: 0 } });
  });

  test("reports the faults of each row, and sends nothing", async () => {
    const text = `species,height,tags,felled\noak,tall,x,\n\nelm,9007199254740993,[],perhaps\nash,1,[],no,,\n`;
    const { exitCode, json } = await batch("create", text);
    expect(exitCode).toBe(1);
    expect(json).toMatchObject({
      error: {
        code: "E302",
        message: "Validation failed: 5 faults in trees.csv",
        errors: [
          { pointer: "#/0/height", detail: '"tall" is not a number (row 2)' },
          { pointer: "#/0/tags", detail: '"x" is not JSON (row 2)' },
          {
            pointer: "#/1/height",
            detail:
              '"9007199254740993" has more digits than a number keeps: send it as text (row 4)',
          },
          { pointer: "#/1/felled", detail: '"perhaps" is neither true nor false (row 4)' },
          { pointer: "#/2", detail: "has 6 cells for 4 columns (row 5)" },
        ],
      },
    });
    const shown = await the().svc("resources batch-create tree --file trees.csv", {
      currentDirectory: files,
    });
    expect(shown.stderr).toContain('\n  #/0/height: "tall" is not a number (row 2)\n');
    const listed = await the().json('resources list tree --where {"species":"ash"}');
    expect(listed.json).toMatchObject({ items: [] });
  });

  test.each([
    [";", "semicolons"],
    ["\t", "tabs"],
  ])("reports the separator %j", async (separator, name) => {
    const { json } = await batch("create", `species${separator}height\noak${separator}1\n`);
    const message = `Validation failed: the CSV's first row: its names are separated by ${name}, expected commas`;
    expect(json).toMatchObject({ error: { code: "E302", message } });
  });

  test("reports the row and the index of each outcome, over all requests", async () => {
    // Only the platform checks the species; 500 items are one request.
    const lines = Array.from({ length: 1_003 }, (_, index) => (index % 500 === 2 ? ",x" : "oak,x"));
    const text = `species,note\n\n${lines.join("\n")}\n`;
    const { exitCode, json } = await batch("create", text);
    expect(exitCode).toBe(1);
    const results = field(json, "results");
    const failed = (Array.isArray(results) ? results : []).filter(
      (one) => field(one, "status") === 422,
    );
    expect(failed).toMatchObject(
      [2, 502, 1_002].map((index) => ({
        index,
        row: index + 3,
        error: {
          detail: `#/items/${index}/data/species is required`,
          errors: [{ pointer: `#/items/${index}/data/species`, detail: "is required" }],
        },
      })),
    );
    const call = (format: string) =>
      the().svc(`resources batch-create tree --file trees.csv --format ${format}`, {
        currentDirectory: files,
      });
    const shown = await call("text");
    expect(shown.stdout).toMatch(/^ *ROW +ITEM +ID +STATUS +WHY$/m);
    expect(shown.stdout).toMatch(/^ *505 +502 +422 +#\/items\/502\/data\/species is required$/m);
    const csv = await call("csv");
    expect(csv.stdout).toContain("index,row,id,status,version,error\r\n0,3,");
    expect(csv.stdout).toContain("\r\n502,505,,422,,#/items/502/data/species is required\r\n");
  });

  test("refuses JSON in a cell that parsing would change", async () => {
    const text = `species,tags\noak,[9007199254740993]\nelm,"[{""a"":1,""a"":2}]"\n`;
    const { json } = await batch("create", text);
    const [number, name] = [/: #\/0 has more digits/, /: #\/0\/a is given more than once/];
    expect(json).toMatchObject({
      error: {
        code: "E302",
        errors: [
          { pointer: "#/0/tags", detail: expect.stringMatching(number) },
          { pointer: "#/1/tags", detail: expect.stringMatching(name) },
        ],
      },
    });
  });

  test("a cell of JSON that nests too deep is a fault of its row", async () => {
    const deep = "[".repeat(100_000) + "]".repeat(100_000);
    const { exitCode, json } = await batch("create", `species,tags\noak,[]\nelm,${deep}\nash,x\n`);
    expect({ exitCode, json }).toMatchObject({
      exitCode: 1,
      json: {
        error: {
          code: "E302",
          message: "Validation failed: 2 faults in trees.csv",
          errors: [
            {
              pointer: "#/1/tags",
              detail: `"${"[".repeat(39)}…": # nests deeper than 1000 levels (row 3)`,
            },
            { pointer: "#/2/tags", detail: '"x" is not JSON (row 4)' },
          ],
        },
      },
    });
  });

  const refused: [string, string, string, string][] = [
    ["create", "species,hieght\n", "E302", 'tree has no property "hieght": did you mean "height"?'],
    ["create", "species,species\n", "E302", 'the column "species" is given twice'],
    ["update", "id,species\n", "E302", "an update needs the columns id and version"],
    ["update", "id,version,species\nx,1,oak\n", "E302", "#/items/0/id must be a UUID"],
    ["create", 'species\n"oak\n', "E304", "is not CSV: a quoted cell in row 2 does not end"],
    ["create", "species\n", "E305", "there are no items"],
  ];
  test.each(refused)("batch-%s refuses %j", async (verb, text, code, words) => {
    const { exitCode, json } = await batch(verb, text);
    expect(exitCode).toBe(1);
    expect(json).toMatchObject({ error: { code, message: expect.stringContaining(words) } });
  });

  test("is refused for an unknown type, and when the platform is down", async () => {
    await Bun.write(join(files, "trees.csv"), "species\noak\n");
    const call = { currentDirectory: files };
    const unknown = await the().json("resources batch-create bush --file trees.csv", call);
    expect(unknown.json).toMatchObject({ error: { message: "Object Type bush not found" } });
    const down = await the().json("resources batch-create tree --file trees.csv", {
      ...call,
      fetch: platformDown,
    });
    expect(down.json).toMatchObject({ error: { code: "E201" } });
  });
});
