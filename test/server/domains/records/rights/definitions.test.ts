import { expect, test } from "vitest";
import {
  caller,
  describePlatform,
  field,
  type Answered,
  type TestUser,
} from "#test/support/platform.ts";
import { furnished, good, secretName, type Rights, type World } from "./world.ts";

const typesPath = "/v4/data/resources/object-types";

interface Definition {
  readonly id: string;
  readonly properties: Record<string, Record<string, unknown>>;
  readonly linkTypes: object[];
  readonly actions: Record<string, unknown>[];
}

/** The stored definition, as the user sees it. */
async function definitionOf(
  { the, headers, slug }: World,
  user: TestUser = "tenant-admin",
): Promise<Definition> {
  const { json } = await the.as(user).get(`${typesPath}?limit=500`, { headers });
  const types = field(json, "items");
  const found = (Array.isArray(types) ? types : []).find((type) => field(type, "slug") === slug);
  return found as Definition;
}

function change(world: World, user: TestUser, id: string, body: object): Promise<Answered> {
  return world.the.as(user).patch(`${typesPath}/${id}`, body, { headers: world.headers });
}

describePlatform("rights in definitions", (platform) => {
  const world = (ofField: Rights, ofType?: Rights) => furnished(platform(), ofField, ofType);

  test("a right is widened only by a role that has it", async () => {
    const the = await world({ readRoles: ["tenant-admin"] });
    const { id, properties } = await definitionOf(the);
    const wider = {
      ...properties,
      [secretName]: { ...properties[secretName], readRoles: undefined },
    };
    const refused = await change(the, "tenant-builder", id, { properties: wider });
    expect(refused.status).toBe(403);
    expect(refused.text).toContain(`#/properties/${secretName}`);
    const { [secretName]: _secret, ...without } = properties;
    expect((await change(the, "tenant-builder", id, { properties: without })).status).toBe(403);
    const unique = { ...properties[secretName], unique: false };
    const other = { ...properties, [secretName]: unique };
    expect((await change(the, "tenant-builder", id, { properties: other })).status).toBe(403);
    // The rest of the definition is theirs.
    const more = { ...properties, added: { type: "string" } };
    good(await change(the, "tenant-builder", id, { properties: more }));
    good(await change(the, "tenant-admin", id, { properties: { ...more, ...wider } }));
  });

  test("a role narrows a right that it has, and does not give others what it lacks", async () => {
    const the = await world({ readRoles: ["tenant-staff"], writeRoles: ["tenant-admin"] });
    const { id, properties } = await definitionOf(the);
    const with_ = (rights: Rights) => ({
      properties: { ...properties, [secretName]: { ...properties[secretName], ...rights } },
    });
    const wider = with_({ writeRoles: ["tenant-staff"] });
    expect((await change(the, "tenant-builder", id, wider)).status).toBe(403);
    good(await change(the, "tenant-builder", id, with_({ readRoles: ["tenant-builder"] })));
  });

  test("an action that writes a field needs an author who may write it", async () => {
    const the = await world({ writeRoles: ["tenant-admin"] });
    const { id, actions } = await definitionOf(the);
    const leak = { name: "leak", requires: "tenant-viewer", set: { [secretName]: "mine" } };
    const refused = await change(the, "tenant-builder", id, { actions: [...actions, leak] });
    expect(refused.status).toBe(403);
    const lowered = actions.map((action) => ({ ...action, requires: "tenant-viewer" }));
    expect((await change(the, "tenant-builder", id, { actions: lowered })).status).toBe(403);
    good(await change(the, "tenant-builder", id, { actions: [...actions, { name: "other" }] }));
    good(await change(the, "tenant-admin", id, { actions: [...actions, leak] }));
  });

  test("a type that one may not read is changed only by who reads it", async () => {
    const the = await world({}, { readRoles: ["tenant-admin"] });
    const { id } = await definitionOf(the);
    for (const body of [{ readRoles: null }, { description: "x" }]) {
      expect((await change(the, "tenant-builder", id, body)).status).toBe(403);
    }
    good(await change(the, "tenant-admin", id, { readRoles: null }));
    good(await the.the.as("tenant-viewer").get(`${the.path}/${the.id}`));
  });

  test("values of a removed field stay hidden, in records and in their histories", async () => {
    const the = await world({ readRoles: ["tenant-admin"] });
    const { id, properties } = await definitionOf(the);
    const { [secretName]: secret, ...without } = properties;
    const gone = { properties: without, actions: [] };
    good(await change(the, "tenant-admin", id, gone));
    const viewer = the.the.as("tenant-viewer");
    const staff = the.the.as("tenant-staff");
    for (const path of [the.path, `${the.path}/${the.id}`, `${the.path}/${the.id}/history`]) {
      expect((await viewer.get(path)).text).not.toContain(the.secretWord);
    }
    const patch = { data: { [secretName]: null } };
    expect((await staff.patch(`${the.path}/${the.id}`, patch)).status).toBe(422);
    const admin = await the.the.as("tenant-admin").get(`${the.path}/${the.id}`);
    expect(admin.text).toContain(secretName);
    // A new property of its name is a widening too.
    const again = { properties: { ...without, [secretName]: { ...secret, readRoles: undefined } } };
    expect((await change(the, "tenant-builder", id, again)).status).toBe(403);
  });

  test("a role of the workspace is named by its key", async () => {
    const the = await world({ readRoles: ["payroll"] });
    const { tenant } = the.the.workspaces;
    const admin = the.the.as("tenant-admin");
    const roles = `/v4/platform/tenants/${tenant}/role-definitions`;
    const permissions = ["resources.get", "resources.list"];
    const role = { key: "payroll", displayName: "Payroll", permissions };
    const made = good(await admin.post(roles, role));
    const keys = `/v4/platform/tenants/${tenant}/keys`;
    const tokenWith = async (held: object): Promise<string> => {
      const key = good(await admin.post(keys, { name: `k ${crypto.randomUUID()}`, ...held }));
      return String(field(key.json, "token"));
    };
    const payroll = await tokenWith({ roleDefinitionId: field(made.json, "id") });
    const builder = await tokenWith({ role: "tenant-builder" });
    const read = async (token: string) =>
      (await caller(the.the.answer, token).get(`${the.path}/${the.id}`)).text;
    expect(await read(payroll)).toContain(the.secretWord);
    expect(await read(builder)).not.toContain(the.secretWord);
  });

  test("definitions of lower roles name no hidden field, and keep the roles of the others", async () => {
    const the = await world({ readRoles: ["tenant-staff"], writeRoles: ["tenant-admin"] });
    const viewed = JSON.stringify(await definitionOf(the, "tenant-viewer"));
    expect(viewed).not.toContain(secretName);
    expect(viewed).not.toContain(the.secretWord);
    expect(viewed).toContain('"partial":true');
    const staff = await definitionOf(the, "tenant-staff");
    expect(staff.properties[secretName]?.["writeRoles"]).toEqual(["tenant-admin"]);
  });

  test("the doctor names no property that its caller may not read", async () => {
    const the = await world({ readRoles: ["tenant-admin"] });
    const { id, properties } = await definitionOf(the);
    const short = { ...properties, [secretName]: { ...properties[secretName], maxLength: 1 } };
    good(await change(the, "tenant-admin", id, { properties: short, actions: [] }));
    const doctor = async (user: TestUser) => {
      const path = `/v4/data/resources/${the.workspace}/storage/doctor`;
      const { json } = good(await the.the.as(user).get(path));
      const findings = field(json, "findings");
      const own = (Array.isArray(findings) ? findings : []).filter(
        (finding) => field(finding, "subject") === the.slug,
      );
      return JSON.stringify(own);
    };
    expect(await doctor("tenant-admin")).toContain(secretName);
    const shown = await doctor("tenant-builder");
    expect(shown).toContain("has it in a property that you may not read");
    expect(shown).not.toContain(secretName);
  });

  test("roles of a nested property are a fault", async () => {
    const the = await world({});
    const { id, properties } = await definitionOf(the);
    const inner = { type: "object", properties: { pay: { type: "number", readRoles: ["x"] } } };
    const refused = await change(the, "tenant-admin", id, { properties: { ...properties, inner } });
    expect(refused.status).toBe(422);
    expect(refused.text).toContain("#/properties/inner/properties/pay/readRoles");
  });
});
