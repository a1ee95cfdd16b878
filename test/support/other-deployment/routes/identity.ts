import { Refused, wholeList, type Answer, type Json, type Page } from "../answers.ts";
import { addWorkspace, type StoredMember, type StoredWorkspace } from "../state.ts";
import {
  knownWorkspace,
  objectBody,
  oneOf,
  optional,
  pageOf,
  param,
  pathWorkspace,
  textOf,
  timesOf,
  type Call,
  type OtherRoute,
} from "./call.ts";

function workspaceBody(call: Call, workspace: StoredWorkspace): Json {
  const { id, slug, displayName, parent } = workspace;
  const more = optional(call.dialect, { homeRegion: "eu", usecase: "council", industry: "public" });
  const times = timesOf(call.dialect, Date.UTC(2026, 0, 1));
  switch (call.dialect.names) {
    case "camel":
      return { id, slug, displayName, parentId: parent ?? null, ...more, ...times };
    case "snake":
      return {
        tenant_id: id,
        slug,
        display_name: displayName,
        parent_id: parent,
        ...more,
        ...times,
      };
    case "short":
      return { tenantId: id, slug, name: displayName };
  }
}

function membershipBody(call: Call, workspace: StoredWorkspace, role: string): Json {
  const body = workspaceBody(call, workspace);
  return call.dialect.names === "camel" ? { ...body, role } : { ...body, roles: [role] };
}

function membershipsOf(call: Call, oid: string): Json[] {
  return [...call.state.workspaces.values()].flatMap((workspace) => {
    const member = workspace.members.find((one) => one.oid === oid);
    return member === undefined ? [] : [membershipBody(call, workspace, member.role)];
  });
}

function memberBody({ dialect }: Call, { id, oid, email, role }: StoredMember): Json {
  const more = optional(dialect, { firstName: "Ada", lastName: "Byron", status: "Active" });
  if (dialect.names === "camel") return { memberId: id, oid, email, role, ...more };
  if (dialect.names === "snake") return { member_id: id, oid, email, roles: [role], ...more };
  return { id, email, role };
}

function identityBody({ state, dialect }: Call): Json {
  const more = optional(dialect, { displayName: "Ada Byron", firstName: "Ada" });
  if (dialect.names === "short") return { id: state.oid };
  return { oid: state.oid, email: "ada@example.org", ...more };
}

const roles = ["tenant-viewer", "tenant-staff", "tenant-builder", "tenant-admin"];

function create(call: Call, parent: string | undefined): Answer {
  const body = objectBody(call);
  const named = body["displayName"] ?? body["display_name"] ?? body["name"];
  if (typeof named !== "string") throw new Refused(400, "the display name is missing");
  const region = body["homeRegion"] ?? body["home_region"];
  if (parent === undefined && !["au", "ca", "eu"].includes(String(region))) {
    throw new Refused(400, "the home region is au, ca or eu");
  }
  if (parent !== undefined && region !== undefined) {
    throw new Refused(400, "a child inherits its home region");
  }
  const slug = textOf(body, "slug");
  if ([...call.state.workspaces.values()].some((one) => one.slug === slug)) {
    throw new Refused(409, `${slug} exists already`);
  }
  const made = { slug, displayName: named, ...(parent === undefined ? {} : { parent }) };
  const workspace = addWorkspace(call.state, made);
  // The creator of a child may have no role in it before bootstrap-admin (spec 4.4, 5.5).
  if (parent !== undefined && call.dialect.joinsChildren !== true) workspace.members.splice(0);
  return { kind: "created", value: workspaceBody(call, workspace) };
}

function childOf(call: Call): StoredWorkspace {
  knownWorkspace(call, param(call, "parentId"));
  const child = knownWorkspace(call, param(call, "childId"));
  if (child.parent !== param(call, "parentId").toLowerCase())
    throw new Refused(404, "not a child of it");
  return child;
}

function remove(call: Call, workspace: StoredWorkspace, purged: boolean): Answer {
  const all = [...call.state.workspaces.values()];
  if (all.some(({ parent }) => parent === workspace.id)) {
    throw new Refused(409, "the workspace has children");
  }
  call.state.workspaces.delete(workspace.id);
  if (!purged) return { kind: "done", value: { status: "deleted" } };
  const receipt = { childId: workspace.id, parentId: workspace.parent, status: "hard_purged" };
  return { kind: "value", value: receipt };
}

function invite(call: Call): Answer {
  const workspace = pathWorkspace(call);
  const body = objectBody(call);
  const email = textOf(body, "email");
  const role = oneOf(roles, body["role"] ?? "tenant-viewer");
  const known = workspace.members.find((member) => member.email === email);
  if (known !== undefined) {
    known.role = role;
    return { kind: "created", value: memberBody(call, known) };
  }
  const { ids } = call.state;
  const member = { id: ids.next(), oid: ids.next(), email, role };
  workspace.members.push(member);
  return { kind: "created", value: memberBody(call, member), id: member.id };
}

/** One workspace each, where the dialect says that a list goes on. */
function workspacesPage(call: Call): Page {
  const { lists, more } = call.dialect;
  const isPaged = lists !== "bare" && (more === "cursor" || more === "flag");
  return isPaged ? { ...pageOf(call), limit: 1 } : wholeList;
}

/** Identity, workspaces, their members and roles (spec 4.4). */
export const identityRoutes: readonly OtherRoute[] = [
  {
    method: "GET",
    path: "/v4/identity/tenants",
    answer: (call) => ({
      kind: "list",
      items: membershipsOf(call, call.state.oid),
      page: workspacesPage(call),
    }),
  },
  {
    method: "GET",
    path: "/v4/identity/me",
    answer: (call) => ({ kind: "value", value: identityBody(call) }),
  },
  {
    method: "POST",
    path: "/v4/identity/me/provision",
    answer: (call) => ({ kind: "done", value: identityBody(call) }),
  },
  {
    method: "PATCH",
    path: "/v4/identity/me/profile",
    answer: (call) => {
      objectBody(call);
      return { kind: "done", value: identityBody(call) };
    },
  },
  { method: "POST", path: "/v4/platform/tenants", answer: (call) => create(call, undefined) },
  {
    method: "POST",
    path: "/v4/platform/tenants/{parentId}/children",
    answer: (call) => create(call, pathWorkspace(call, "parentId").id),
  },
  {
    method: "POST",
    path: "/v4/platform/tenants/{parentId}/children/{childId}/bootstrap-admin",
    answer: (call) => {
      const child = childOf(call);
      const { ids, oid } = call.state;
      const member = { id: ids.next(), oid, email: "ada@example.org", role: "tenant-admin" };
      child.members.push(member);
      return { kind: "done", value: memberBody(call, member) };
    },
  },
  {
    method: "POST",
    path: "/v4/platform/tenants/{tenantId}/delete",
    answer: (call) => remove(call, pathWorkspace(call), false),
  },
  {
    method: "POST",
    path: "/v4/platform/tenants/{parentId}/children/{childId}/delete",
    answer: (call) => {
      if (
        call.headers.get("x-tenant-id")?.toLowerCase() !== param(call, "parentId").toLowerCase()
      ) {
        throw new Refused(400, "X-Tenant-Id must name the parent");
      }
      return remove(call, childOf(call), true);
    },
  },
  {
    method: "GET",
    path: "/v4/platform/tenants/{tenantId}/users/by-email",
    answer: (call) => {
      const email = call.url.searchParams.get("email");
      const member = pathWorkspace(call).members.find((one) => one.email === email);
      if (member === undefined) throw new Refused(404, `no user ${email}`);
      return { kind: "value", value: memberBody(call, member) };
    },
  },
  {
    method: "GET",
    path: "/v4/platform/tenants/{tenantId}/users/{oid}/memberships",
    answer: (call) => {
      pathWorkspace(call);
      const items = membershipsOf(call, param(call, "oid"));
      return { kind: "list", items, page: wholeList };
    },
  },
  {
    method: "POST",
    path: "/v4/platform/tenants/{tenantId}/users/{oid}/provision",
    answer: (call) => {
      pathWorkspace(call);
      return { kind: "done", value: { oid: param(call, "oid") } };
    },
  },
  { method: "POST", path: "/v4/platform/tenants/{tenantId}/members/invite", answer: invite },
  {
    method: "GET",
    path: "/v4/platform/tenants/{tenantId}/members",
    answer: (call) => ({
      kind: "list",
      items: pathWorkspace(call).members.map((member) => memberBody(call, member)),
      page: pageOf(call),
    }),
  },
  {
    method: "GET",
    path: "/v4/platform/tenants/{tenantId}/role-definitions",
    answer: (call) => {
      pathWorkspace(call);
      const items = roles.map((role, index) => ({
        ...(call.dialect.names === "short" ? { name: role } : { id: String(index), role }),
        ...optional(call.dialect, { displayName: role, description: `Base role ${role}` }),
      }));
      return { kind: "list", items, page: pageOf(call) };
    },
  },
  {
    method: "PATCH",
    path: "/v4/platform/tenants/{tenantId}/members/{memberId}/roles",
    answer: (call) => {
      const { members } = pathWorkspace(call);
      const member = members.find(({ id }) => id === param(call, "memberId"));
      if (member === undefined) throw new Refused(404, "no such member");
      const body = objectBody(call);
      const given = body["roles"] ?? body["role"];
      member.role = oneOf(roles, Array.isArray(given) ? given[0] : given);
      return { kind: "done", value: memberBody(call, member) };
    },
  },
];
