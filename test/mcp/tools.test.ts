import { expect, test } from "vitest";
import * as z from "zod";
import { routes } from "#contract/index.ts";
import { toolRequest } from "#mcp/tool-request.ts";
import { secretMembers } from "#mcp/tool-schemas.ts";
import { agentTools, listedTool, selectedTools, toolDomains } from "#mcp/tools.ts";

const id = "01890000-0000-7000-8000-000000000000";

/** Names of an object's members, or none of another schema. */
function membersOf(schema: z.ZodType, io: "input" | "output"): string[] {
  const { $ref, $defs = {}, ...rest } = z.toJSONSchema(schema, { io });
  const named = $ref === undefined ? rest : ($defs[$ref.slice("#/$defs/".length)] ?? {});
  return Object.keys(named.properties ?? {});
}

function toolNamed(name: string) {
  const tool = agentTools.find((known) => known.name === name);
  if (tool === undefined) throw new Error(`no tool ${name}`);
  return tool;
}

test("every route that needs a token and no stream is a tool, except those that take a secret", () => {
  const names = new Set(agentTools.map(({ name }) => name));
  const left = Object.entries(routes).flatMap(([domain, definitions]) =>
    Object.keys(definitions).flatMap((name) => {
      const tool = `${domain}_${name}`;
      return names.has(tool) ? [] : [tool];
    }),
  );
  expect(left.toSorted()).toEqual([
    "chat_resume",
    "chat_stream",
    "factors_add",
    "factors_confirm",
    "factors_remove",
    "factors_renewCodes",
    "health_openapi",
    "health_resources",
    "identity_acceptInvitation",
    "identity_changePassword",
    "identity_declineInvitation",
    "idpApps_provision",
    "resources_signedFile",
  ]);
  expect(new Set(agentTools.map(({ name }) => name)).size).toBe(agentTools.length);
});

test("names, schemas and hints follow from the contract", () => {
  for (const tool of agentTools) {
    const listed = listedTool(tool, false);
    expect(listed.name).toMatch(/^[A-Za-z0-9_-]{1,64}$/);
    expect(listed.inputSchema.type).toBe("object");
    const text = JSON.stringify(listed.inputSchema);
    for (const [, name = ""] of text.matchAll(/"#\/\$defs\/([^"]+)"/g)) {
      expect(listed.inputSchema["$defs"], tool.name).toHaveProperty([name]);
    }
    if (tool.route.method === "GET") expect(listed.annotations?.readOnlyHint).toBe(true);
    if (tool.route.method === "DELETE") expect(listed.annotations?.destructiveHint).toBe(true);
    // A tool that reads is not destructive.
    expect(listed.annotations?.readOnlyHint === true && listed.annotations.destructiveHint).toBe(
      false,
    );
  }
  const hints = (name: string) => listedTool(toolNamed(name), false).annotations;
  expect(hints("resources_query")).toMatchObject({ readOnlyHint: true });
  expect(hints("resources_create")).toMatchObject({ readOnlyHint: false, destructiveHint: false });
  expect(hints("resources_batchDelete")).toMatchObject({ destructiveHint: true });
  expect(hints("chat_send")).toMatchObject({ readOnlyHint: false, destructiveHint: false });
});

test("a member with the name of a secret is marked as one in the contract", () => {
  const secretName = /(?:secret|password)$|^(?:access)?token$|^link$/i;
  const reply = agentTools.flatMap(({ name, route }) =>
    route.reply.type === "json"
      ? membersOf(route.reply.schema, "output").map((member) => ({ name, member, route }))
      : [],
  );
  const named = reply.filter(({ member }) => secretName.test(member));
  expect(named.map(({ name, member }) => `${name} ${member}`)).toContain("members_invite secret");
  for (const { member, route } of named) {
    const schema = route.reply.type === "json" ? route.reply.schema : undefined;
    expect(schema === undefined ? [] : secretMembers(schema, "output")).toContain(member);
  }
  for (const { name, route } of agentTools) {
    if (route.body?.type !== "json") continue;
    const asked = membersOf(route.body.schema, "input");
    expect(
      asked.filter((member) => secretName.test(member)),
      name,
    ).toEqual([]);
  }
});

test("a default workspace makes its argument optional, but not the parent of a new workspace", () => {
  const required = (name: string, hasWorkspace: boolean) =>
    listedTool(toolNamed(name), hasWorkspace).inputSchema.required;
  expect(required("resources_list", false)).toEqual(["tenantId", "objectType"]);
  expect(required("resources_list", true)).toEqual(["objectType"]);
  expect(required("documents_upload", true)).toEqual(["body", "files"]);
  const upload = listedTool(toolNamed("documents_upload"), true).inputSchema;
  expect(JSON.stringify(upload)).not.toMatch(/"tenant_id"|"storage_target"/);
});

test("arguments become a request", () => {
  const list = toolRequest(
    toolNamed("resources_list"),
    { objectType: "a tree", limit: 5, where: { species: "oak" } },
    id,
  );
  expect(list).toMatchObject({
    method: "GET",
    path: `/v4/data/resources/${id}/a%20tree`,
    query: [
      ["limit", "5"],
      ["where", '{"species":"oak"}'],
    ],
  });
  const update = toolRequest(
    toolNamed("resources_update"),
    { objectType: "tree", id, body: { data: {}, version: 2 }, ifMatch: 2 },
    id,
  );
  expect(update.headers).toEqual({ "if-match": '"2"' });
  expect(new TextDecoder().decode(update.body)).toBe('{"data":{},"version":2}');
});

test.each([
  ["resources_list", { objectType: "tree", limitt: 5 }, /"limitt" is not an argument/],
  ["resources_list", {}, /objectType is required/],
  ["resources_list", { objectType: "../secret" }, /objectType must be one segment/],
  ["resources_list", { objectType: ".." }, /objectType must be one segment/],
  ["resources_list", { objectType: { a: 1 } }, /objectType must be a text/],
  ["resources_create", { objectType: "tree" }, /body is required/],
  ["resources_update", { objectType: "tree", id, body: {}, ifMatch: "x" }, /ifMatch must be/],
  ["documents_upload", { body: {}, files: [] }, /files must be a list of 1 to 20 files/],
  ["documents_upload", { body: {}, files: [{ filename: "a" }] }, /either text or base64/],
  ["documents_upload", { body: {}, files: [{ base64: "%" }] }, /base64 is not base64/],
  ["documents_upload", { body: {}, files: [{ text: "", contentType: "a\r\nb: c" }] }, /media type/],
])("%s refuses %j", (name, given, message) => {
  expect(() => toolRequest(toolNamed(name), given, id)).toThrow(message);
});

test("a file name cannot end its header field", () => {
  const file = { filename: 'a"\r\nx: y.txt', text: "hello" };
  const { body } = toolRequest(
    toolNamed("documents_upload"),
    { body: { processing_mode: "rag" }, files: [file] },
    id,
  );
  expect(new TextDecoder().decode(body)).toContain('filename="a%22%0D%0Ax: y.txt"');
});

test("a link that works without a token is not offered", () => {
  const { properties } = listedTool(toolNamed("resources_downloadFile"), true).inputSchema;
  expect(Object.keys(properties ?? {})).not.toContain("access");
});

test("a selection limits the tools", () => {
  expect(selectedTools({ readOnly: true }).every(({ isReadOnly }) => isReadOnly)).toBe(true);
  const chat = selectedTools({ domains: ["chat"] });
  expect(new Set(chat.map(({ domain }) => domain))).toEqual(new Set(["chat"]));
  expect(toolDomains).toContain("documents");
});
