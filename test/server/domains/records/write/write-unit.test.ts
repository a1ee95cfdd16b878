import { beforeAll, expect, test } from "vitest";
import { describePlatform, field, type Answered, type Caller } from "#test/support/platform.ts";

const types = "/v4/data/resources/object-types";

describePlatform("a refused keyed write", (the) => {
  let records = "";
  let inTenant: Readonly<Record<string, string>> = {};

  const keyed = (caller: Caller, key: string, body: object, path = records): Promise<Answered> =>
    caller.post(path, body, { headers: { ...inTenant, "idempotency-key": key } });
  const made = (answered: Answered): string => {
    expect(answered.status, answered.text).toBe(201);
    return String(field(answered.json, "id"));
  };

  beforeAll(async () => {
    const { tenant } = the().workspaces;
    inTenant = { "x-tenant-id": tenant };
    records = `/v4/data/resources/${tenant}/keyed-note`;
    const definition = {
      name: "KeyedNote",
      slug: "keyed-note",
      properties: {
        code: { type: "string", unique: true },
        title: { type: "string", searchable: true },
      },
    };
    made(await the().as("tenant-builder").post(types, definition, { headers: inTenant }));
  });

  test("leaves its key free, also when it has stored new words", async () => {
    const staff = the().as("tenant-staff");
    const inTheWay = made(await staff.post(records, { code: "taken" }));
    const body = { code: "taken", title: "hitherto unheard vocabulary" };
    for (const attempt of ["first", "second"]) {
      const refused = await keyed(staff, "words", body);
      expect(refused.json, attempt).toMatchObject({ status: 409, code: "already-exists" });
    }
    expect((await staff.delete(`${records}/${inTheWay}`)).status).toBe(204);
    const done = await keyed(staff, "words", body);
    expect(done.status, done.text).toBe(201);
    expect((await keyed(staff, "words", body)).text).toBe(done.text);
  });

  test("leaves its key free, also when it has filled a column", async () => {
    const builder = the().as("tenant-builder");
    const staff = the().as("tenant-staff");
    const slug = "keyed-column";
    const properties = { code: { type: "string" } };
    const definition = { name: "KeyedColumn", slug, properties };
    const id = made(await builder.post(types, definition, { headers: inTenant }));
    made(await staff.post(`/v4/data/resources/${the().workspaces.tenant}/${slug}`, { code: "a" }));
    const batch = (newSlug: string) => ({
      create: [{ name: "KeyedOther", slug: newSlug, properties }],
      update: [{ id, properties: { code: { type: "string", unique: true } } }],
    });
    const path = `${types}/batch`;
    for (const attempt of ["first", "second"]) {
      const refused = await keyed(builder, "column", batch(slug), path);
      expect(refused.json, attempt).toMatchObject({ status: 409, code: "already-exists" });
    }
    const other = await keyed(builder, "column", batch("keyed-other"), path);
    expect(other.status, other.text).toBe(200);
  });

  test("leaves its key free, also when another write came first", async () => {
    const staff = the().as("tenant-staff");
    const definition = {
      name: "KeyedCase",
      slug: "keyed-case",
      properties: { status: { type: "enum", enum: ["open", "closed"] } },
      actions: [
        { name: "close", transition: { property: "status", from: ["open"], to: "closed" } },
        { name: "reopen", transition: { property: "status", from: ["closed"], to: "open" } },
      ],
    };
    made(await the().as("tenant-builder").post(types, definition, { headers: inTenant }));
    const cases = `/v4/data/resources/${the().workspaces.tenant}/keyed-case`;
    const record = `${cases}/${made(await staff.post(cases, { status: "open" }))}`;
    const close = (key: string) => keyed(staff, key, {}, `${record}/actions/close`);
    const keys = Array.from({ length: 6 }, (_, index) => `close-${index}`);
    const answers = await Promise.all(keys.map(close));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect((await staff.post(`${record}/actions/reopen`, {})).status).toBe(200);
    const losers = keys.filter((_, index) => answers[index]?.status !== 200);
    expect((await close(losers[0] ?? "")).json).toMatchObject({ data: { status: "closed" } });
    for (const key of losers.slice(1)) {
      expect((await close(key)).json).toMatchObject({ status: 409, currentState: "closed" });
    }
  });
});
