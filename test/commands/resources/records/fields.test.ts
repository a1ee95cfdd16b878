import { beforeAll, describe, expect, test } from "vitest";
import { commandWorld, platformDown } from "../../world.ts";

const the = commandWorld();
const list = ["resources", "list", "boat"];

beforeAll(async () => {
  const { tenant } = the().platform.workspaces;
  const admin = the().platform.as("tenant-admin");
  const berth = {
    type: "object",
    properties: { harbour: { type: "string" }, place: { type: "integer" } },
  };
  const boat = {
    name: "Boat",
    slug: "boat",
    properties: {
      name: { type: "string", required: true },
      length: { type: "number" },
      berth,
      tags: { type: "array", items: { type: "string" } },
      version: { type: "string" },
    },
  };
  const headers = { "x-tenant-id": tenant };
  await admin.post("/v4/data/resources/object-types", boat, { headers });
  const records = [
    { name: "Ada", length: 7.5, berth: { harbour: "East", place: 3 }, tags: ["a", "b"] },
    { name: '=HYPERLINK("x")', length: -2, version: "mk 2" },
    { name: '+44 20 79, "quoted"\nnext', berth: { harbour: "-west" } },
  ];
  for (const record of records) await admin.post(`/v4/data/resources/${tenant}/boat`, record);
});

const byAge = [...list, "--sort", "created_at"];

describe("--format csv", () => {
  test("has a header, CRLF, quotes, and no formula that a spreadsheet would run", async () => {
    const words = [...byAge, "--columns", "name,length,berth.harbour,tags"];
    const { exitCode, stdout, stderr } = await the().svc([...words, "--format", "csv"]);
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: "" });
    expect(stdout).toBe(
      [
        "name,length,berth.harbour,tags",
        'Ada,7.5,East,"[""a"",""b""]"',
        `"'=HYPERLINK(""x"")",-2,,`,
        `"'+44 20 79, ""quoted""\nnext",,"'-west",`,
        "",
      ].join("\r\n"),
    );
  });

  test("without --columns has system fields, then the properties of the type", async () => {
    const { stdout } = await the().svc([...byAge, "--format", "csv", "--limit", "1"]);
    const [heading, row] = stdout.split("\r\n");
    expect(heading).toBe(
      "id,version,created_at,updated_at,created_by,updated_by,name,length,berth,tags,data.version",
    );
    expect(row).toMatch(/^[0-9a-f-]{36},1,2.*,Ada,7.5,"\{""harbour"":""East"",""place"":3\}",/);
  });

  test.each(["", "--all"])("data of a dropped property have no column: %s", async (all) => {
    const withoutTags = async (request: Request): Promise<Response> => {
      const response = await the().platform.platform.fetch(request);
      if (!request.url.includes("/schema/")) return response;
      return new Response((await response.text()).replace('"tags"', '"badges"'), response);
    };
    const words = [...byAge, ...(all === "" ? [] : [all]), "--format", "csv"];
    const { exitCode, stdout, stderr } = await the().svc(words, { fetch: withoutTags });
    expect(exitCode).toBe(0);
    expect(stdout.split("\r\n")[0]).toMatch(/,badges,/);
    expect(stderr).toContain("No column for: tags; --format ndjson includes them\n");
  });

  test("is harmless on a terminal", async () => {
    const { tenant } = the().platform.workspaces;
    const admin = the().platform.as("tenant-admin");
    await admin.post(`/v4/data/resources/${tenant}/boat`, { name: "\u001b]0;title\u0007red" });
    const where = ["--where", '{"name":{"$contains":"red"}}', "--columns", "name"];
    for (const format of ["csv", "ndjson"]) {
      const drawn = await the().svc([...list, ...where, "--format", format], { terminal: 80 });
      expect(drawn.stdout).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f]/);
    }
  });
});

describe("--format ndjson and --columns", () => {
  test("one record per line, whole or with the requested columns", async () => {
    const whole = await the().svc([...byAge, "--limit", "2", "--format", "ndjson"]);
    const lines = whole.stdout.trimEnd().split("\n");
    expect(lines.map((line): unknown => JSON.parse(line))).toMatchObject([
      { type: "boat", version: 1, data: { name: "Ada" } },
      { type: "boat", version: 1, data: { length: -2 } },
    ]);
    expect(whole.stderr).toBe("More: --page 2\n");
    const words = [...byAge, "--limit", "2", "--columns", "version,data.version,tags.0"];
    const chosen = await the().svc([...words, "--format", "ndjson"]);
    expect(chosen.stdout).toBe(
      '{"version":1,"data.version":null,"tags.0":"a"}\n' +
        '{"version":1,"data.version":"mk 2","tags.0":null}\n',
    );
    const json = await the().json(words);
    expect(json.json).toMatchObject({
      items: [{ version: 1, "tags.0": "a" }, { "data.version": "mk 2" }],
      page: 1,
      hasNextPage: true,
    });
    const text = await the().svc(words);
    expect(text.stdout).toBe(
      "VERSION  DATA.VERSION  TAGS.0\n1                      a\n1        mk 2\n",
    );
  });

  test.each([
    ["nmae", 'there is no column "nmae"', "Did you mean `name`?"],
    ["berth.harbor", 'there is no column "berth.harbor"', "Did you mean `berth.harbour`?"],
    ["name.first", 'there is no column "name.first"', "The columns are id, type, version"],
    ["id,,name", "--columns has an empty name", "Check the input"],
  ])("--columns %s is wrong usage", async (columns, message, hint) => {
    const { exitCode, stdout, stderr } = await the().svc([...list, "--columns", columns]);
    expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: "" });
    expect(stderr).toContain(message);
    expect(stderr).toContain(hint);
  });

  test("columns that do not fit on a terminal are named", async () => {
    const words = [...byAge, "--limit", "1", "--columns", "name,id,created_at,length,berth"];
    const { stdout, stderr } = await the().svc(words, { terminal: 60 });
    const lines = stdout.trimEnd().split("\n");
    expect(lines[0]).toBe("NAME  ID                                    CREATED_AT");
    expect(lines.every((line) => Bun.stringWidth(line) <= 60)).toBe(true);
    expect(stderr).toBe("No room for: length, berth\nMore: --page 2\n");
    const piped = await the().svc(words);
    expect(piped.stdout).toMatch(/^NAME +ID +CREATED_AT +LENGTH +BERTH$/m);
    expect(piped.stderr).toBe("More: --page 2\n");
  });

  test("other lists accept the same options", async () => {
    const where = '{"name":"Ada"}';
    const query = ["resources", "query", "--types", "boat", "--where", where];
    const found = await the().svc([...query, "--columns", "type,name", "--format", "csv"]);
    expect(found.stdout).toBe("type,name\r\nboat,Ada\r\n");
    const metrics = '{"n":{"op":"count"}}';
    const grouped = ["resources", "aggregate", "boat", "--group-by", "name", "--metrics", metrics];
    const sums = await the().svc([...grouped, "--where", where, "--format", "csv"]);
    expect(sums.stdout).toBe("name,n\r\nAda,1\r\n");
    const types = await the().svc("resources schema --columns slug,version --format ndjson");
    expect(types.stdout).toContain('{"slug":"boat","version":1}\n');
    const ids = await the().svc([...list, "--where", where, "--columns", "id", "--format", "csv"]);
    const id = ids.stdout.split("\r\n")[1] ?? "";
    const words = ["resources", "history", "boat", id, "--columns", "version,operation"];
    const history = await the().svc([...words, "--format", "csv"]);
    expect(history.stdout).toBe("version,operation\r\n1,create\r\n");
    const slip = await the().svc(["resources", "history", "boat", id, "--columns", "verison"], {
      fetch: platformDown,
    });
    expect(slip).toMatchObject({ exitCode: 2, stdout: "" });
    const search = ["resources", "search", "harbour", "--columns", "id,score"];
    const hits = await the().svc([...search, "--format", "csv"]);
    expect(hits).toMatchObject({ exitCode: 0, stdout: "id,score\r\n" });
  });
});

test("a deployment without the schema route has the whole data in one column", async () => {
  const withoutSchema = async (request: Request): Promise<Response> =>
    request.url.includes("/schema/")
      ? new Response("{}", { status: 404 })
      : the().platform.platform.fetch(request);
  const words = [...byAge, "--limit", "1", "--format", "csv"];
  const { exitCode, stdout } = await the().svc(words, { fetch: withoutSchema });
  expect(exitCode).toBe(0);
  expect(stdout.split("\r\n")[0]).toBe(
    "id,version,created_at,updated_at,created_by,updated_by,data",
  );
});
