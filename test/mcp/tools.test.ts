import { expect, test } from "vitest";
import * as z from "zod";
import { routes } from "#contract/index.ts";
import { secretMembers } from "#mcp/tool-schemas.ts";
import { agentTools, listedTool } from "#mcp/tools.ts";
import { toolNamed } from "./tool-named.ts";

/** Names of an object's members, or none of another schema. */
function membersOf(schema: z.ZodType, io: "input" | "output"): string[] {
  const { $ref, $defs = {}, ...rest } = z.toJSONSchema(schema, { io });
  const named = $ref === undefined ? rest : ($defs[$ref.slice("#/$defs/".length)] ?? {});
  return Object.keys(named.properties ?? {});
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
    "realtime_events",
    "resources_signedFile",
    "webhookSources_create",
    "webhookSources_receive",
    "webhookSources_rotate",
  ]);
  expect(new Set(agentTools.map(({ name }) => name)).size).toBe(agentTools.length);
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

test("a link that works without a token is not offered", () => {
  const { properties } = listedTool(toolNamed("resources_downloadFile"), true).inputSchema;
  expect(Object.keys(properties ?? {})).not.toContain("access");
});
