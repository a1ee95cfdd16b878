import { describe, expect, test } from "vitest";
import { routes } from "#contract/index.ts";
import { roleIncludes, roles, type Role } from "#contract/access/roles.ts";
import type { RouteDefinition } from "#contract/route.ts";
import { bodyNaming } from "#test/support/named-workspace.ts";
import { describePlatform, type Answered, type TestPlatform } from "#test/support/platform.ts";

/** The cases come from the contract, so a new route is tested without a change here. */
const scoped = Object.entries(routes).flatMap(([domain, definitions]) =>
  Object.entries<RouteDefinition>(definitions)
    .filter(([, definition]) => definition.workspace !== "none")
    .map(([name, definition]) => ({ id: `${domain}.${name}`, definition })),
);

const absentWorkspace = "01900000-0000-7000-8000-00000000dead";
const someId = "01900000-0000-7000-8000-000000000001";

/** A valid request except for its workspace; its body must not be read. */
async function ask(
  the: TestPlatform,
  user: Parameters<TestPlatform["as"]>[0],
  definition: RouteDefinition,
  workspace: string,
): Promise<Answered> {
  const path = definition.path.replaceAll(/\{(\w+)\}/g, (_whole, name: string) => {
    if (name === "tenantId" || name === "parentId") return workspace;
    return name === "page" ? "1" : someId;
  });
  const headers: Record<string, string> =
    definition.workspace === "header" ? { "x-tenant-id": workspace } : {};
  const options =
    definition.body === undefined
      ? { headers }
      : namesWorkspaceInBody(definition)
        ? { headers, body: bodyNaming(workspace, definition) }
        : { headers: { ...headers, "content-type": "text/plain" }, rawBody: "not read" };
  const isInQuery = definition.workspace === "tenant_id" && definition.body === undefined;
  const query = isInQuery ? `?tenant_id=${workspace}` : "";
  const response = await the.as(user).fetch(definition.method, path + query, options);
  const text = isEndless(response) ? await endedStream(response) : await response.text();
  return {
    status: response.status,
    headers: response.headers,
    text,
    json: text === "" ? undefined : JSON.parse(text),
  };
}

/** A stream of changes lasts until its reader ends it. */
function isEndless({ headers }: Response): boolean {
  return headers.get("content-type")?.startsWith("text/event-stream") === true;
}

async function endedStream({ body }: Response): Promise<string> {
  await body?.cancel();
  return "";
}

/** The workspace is known once the body is read, which is then valid. */
function namesWorkspaceInBody({ workspace, body }: RouteDefinition): boolean {
  return workspace === "tenant_id" && body !== undefined;
}

/** The visible response without the id, the workspace and the time of the request. */
function visible({ status, headers, text }: Answered, workspace: string): unknown {
  const requestId = headers.get("x-request-id") ?? "";
  const fields = [...headers]
    .filter(([name]) => !["x-request-id", "ratelimit", "date"].includes(name))
    .toSorted(([one], [other]) => (one < other ? -1 : 1));
  return {
    status,
    fields,
    body: text.replaceAll(requestId, "ID").replaceAll(workspace, "WORKSPACE"),
  };
}

describePlatform(
  "every route of a workspace",
  (the) => {
    describe("answers a stranger as if the workspace did not exist", () => {
      test.each(scoped)("$id", async ({ definition }) => {
        const { tenant } = the().workspaces;
        const foreign = await ask(the(), "outsider", definition, tenant);
        const absent = await ask(the(), "outsider", definition, absentWorkspace);
        expect(foreign.status).toBe(404);
        expect(foreign.json).toMatchObject({
          code: "not-found",
          detail: "The workspace does not exist, or you are not a member of it",
        });
        expect(visible(foreign, tenant)).toEqual(visible(absent, absentWorkspace));
      });
    });

    describe("answers the same to the installation's administrator without a membership", () => {
      const needsMembership = scoped.filter(({ definition }) => definition.systemAdminToo !== true);
      test.each(needsMembership)("$id", async ({ definition }) => {
        const { child } = the().workspaces;
        const answered = await ask(the(), "system-admin", definition, child);
        expect(answered.json).toMatchObject({ status: 404, code: "not-found" });
      });
    });

    describe("requires a token first", () => {
      test.each(scoped)("$id", async ({ definition }) => {
        const { tenant } = the().workspaces;
        const answered = await ask(the(), "nobody", definition, tenant);
        expect(answered.json).toMatchObject({ status: 401, code: "unauthenticated" });
      });
    });

    describe("refuses each lower role, with the required role", () => {
      const cells = scoped.flatMap(({ id, definition }) => {
        const { access } = definition;
        if (!isRole(access)) return [];
        return roles
          .filter((role) => !roleIncludes(role, access))
          .map((role) => ({ id, definition, role, access }));
      });
      test.each(cells)("$id for $role", async ({ definition, role, access }) => {
        const answered = await ask(the(), role, definition, the().workspaces.tenant);
        expect(answered.json).toMatchObject({
          status: 403,
          code: "permission-denied",
          requiredRole: access,
          currentRole: role,
        });
      });
    });

    describe("accepts its own role", () => {
      const cells = scoped.flatMap(({ id, definition }) =>
        isRole(definition.access) ? [{ id, definition, role: definition.access }] : [],
      );
      test.each(cells)("$id for $role", async ({ definition, role }) => {
        // The rest of the request is invalid on purpose: only the access is tested.
        const answered = await ask(the(), role, definition, the().workspaces.tenant);
        if (namesWorkspaceInBody(definition)) return expect([200, 201]).toContain(answered.status);
        expect([200, 202, 400, 404, 409, 415, 422]).toContain(answered.status);
        // Bytes may be of any type.
        const wantsType = definition.body !== undefined && definition.body.type !== "bytes";
        if (wantsType) expect(answered.status).toBe(415);
      });
    });

    describe("refuses a word that is not a workspace id", () => {
      test.each(scoped)("$id", async ({ definition }) => {
        const answered = await ask(the(), "tenant-admin", definition, "northwind");
        const parameter = definition.path.includes("{parentId}") ? "parentId" : "tenantId";
        const pointer = {
          path: `#/path/${parameter}`,
          header: "#/header/X-Tenant-Id",
          tenant_id: definition.body === undefined ? "#/query/tenant_id" : "#/tenant_id",
          none: "",
        }[definition.workspace];
        expect(answered.json).toMatchObject({
          status: 422,
          code: "validation-failed",
          errors: [{ pointer }],
        });
      });
    });
  },
  { alsoInThread: true },
);

function isRole(access: RouteDefinition["access"]): access is Role {
  return roles.some((role) => role === access);
}
