import { expect } from "vitest";
import { field, type TestPlatform } from "#test/support/platform.ts";
import { newMember } from "../members/world.ts";
import type { RouteTable } from "./route-case.ts";

let count = 0;

async function named() {
  count += 1;
  return { email: `case-${count}@example.org`, slug: `case-${count}` };
}

/** A member of `tenant` and one of another workspace. */
async function twoMembers(the: TestPlatform) {
  const { tenant, other } = the.workspaces;
  const [own, foreign] = [await newMember(the, tenant), await newMember(the, other)];
  return { memberId: own.memberId, oid: own.oid, foreignId: foreign.memberId };
}

/** A role that `tenant` defines, and one of another workspace. */
async function twoRoles(the: TestPlatform) {
  const { slug } = await named();
  const make = async (user: "tenant-admin" | "outsider", workspace: string) => {
    const path = `/v4/platform/tenants/${workspace}/role-definitions`;
    const body = { key: slug, displayName: slug, permissions: ["resources.list"] };
    const made = await the.as(user).post(path, body);
    expect(made.status, made.text).toBe(201);
    return String(field(made.json, "id"));
  };
  const { tenant, other } = the.workspaces;
  const roleDefinitionId = await make("tenant-admin", tenant);
  return { roleDefinitionId, foreignId: await make("outsider", other) };
}

const unknownQuery = { name: "an unknown name", query: "?deep=1", pointers: ["#/query/deep"] };
const both = { role: "tenant-viewer", roleDefinitionId: "tenant-viewer" };
const role = { key: "{slug}", displayName: "Readers", permissions: ["resources.list"] };

/** Spec 4.4: users, members and roles. */
export const memberCases: RouteTable = {
  "members.byEmail": {
    good: [
      {
        name: "finds a member",
        query: "?email=tenant-staff@example.org",
        answers: { oid: "{tenant-staff}", role: "tenant-staff", status: "active" },
      },
    ],
    bad: [
      { name: "no address", query: "", pointers: ["#/query/email"] },
      { name: "no e-mail address", query: "?email=staff", pointers: ["#/query/email"] },
      { name: "an invisible sign", query: "?email=a%E2%80%8B@b.org", pointers: ["#/query/email"] },
      {
        name: "a member of another workspace",
        query: "?email=outsider@example.org",
        status: 404,
        code: "not-found",
        pointers: [],
      },
    ],
  },
  "members.memberships": {
    foreign: { oid: null },
    good: [
      {
        name: "has the workspace and the role",
        params: { oid: "{tenant-staff}" },
        answers: { items: [{ slug: "tenant", role: "tenant-staff" }] },
      },
      { name: "has none of a stranger", params: { oid: "{outsider}" }, answers: { items: [] } },
    ],
    bad: [unknownQuery],
  },
  "members.provisionUser": {
    foreign: { oid: "{outsider}" },
    good: [
      {
        name: "confirms a member",
        params: { oid: "{tenant-staff}" },
        body: {},
        answers: { member: { oid: "{tenant-staff}", role: "tenant-staff", status: "active" } },
      },
    ],
    bad: [
      { name: "an unknown role", body: { role: "owner" }, pointers: ["#/role"] },
      { name: "an unknown member", body: { email: "a@b.org" }, pointers: ["#/email"] },
    ],
  },
  "members.list": {
    good: [
      {
        name: "is sorted and counted",
        query: "?search=TENANT-S&sort=email&count=true&limit=25",
        answers: { items: [{ email: "tenant-staff@example.org" }], total: 1, limit: 25 },
      },
    ],
    bad: [
      { name: "page 0", query: "?page=0", pointers: ["#/query/page"] },
      { name: "a limit of 501", query: "?limit=501", pointers: ["#/query/limit"] },
      { name: "an unknown field", query: "?sort=password_hash", pointers: ["#/query/sort"] },
      { name: "a made-up cursor", query: "?cursor=5.AAAA", pointers: ["#/query/cursor"] },
      { name: "a filter that is not JSON", query: "?where={", pointers: ["#/query/where"] },
    ],
  },
  "members.invite": {
    before: named,
    good: [
      {
        name: "is pending until it is accepted",
        status: 201,
        body: { email: "{email}", role: "tenant-staff", redirectUri: "https://example.org/in" },
        answers: {
          member: { email: "{email}", role: "tenant-staff", status: "invited" },
          invitation: { status: "pending", delivery: "link" },
        },
      },
    ],
    bad: [
      { name: "no address", body: {}, pointers: ["#/email"] },
      { name: "no e-mail address", body: { email: "a" }, pointers: ["#/email"] },
      { name: "an invisible sign", body: { email: "a\u200b@b.org" }, pointers: ["#/email"] },
      {
        name: "a letter of another script",
        body: { email: "\u0430da@b.org" },
        pointers: ["#/email"],
      },
      { name: "a sign that becomes @", body: { email: "a\uff20b@c.org" }, pointers: ["#/email"] },
      {
        name: "an unknown role",
        body: { email: "{email}", role: "tenant-owner" },
        pointers: ["#/role"],
      },
      {
        name: "a role and a definition",
        body: { email: "{email}", ...both },
        pointers: ["#/roleDefinitionId"],
      },
      {
        name: "an address to return to that is relative",
        body: { email: "{email}", redirectUri: "/in" },
        pointers: ["#/redirectUri"],
      },
      {
        name: "a password",
        body: { email: "{email}", password: "secret" },
        pointers: ["#/password"],
      },
    ],
  },
  "members.setRole": {
    before: twoMembers,
    good: [
      {
        name: "gives another role",
        body: { role: "tenant-staff" },
        answers: { memberId: "{memberId}", role: "tenant-staff" },
      },
    ],
    bad: [
      { name: "no role", body: {}, pointers: ["#"] },
      { name: "an unknown role", body: { role: "owner" }, pointers: ["#/role"] },
      { name: "two roles", body: both, pointers: ["#"] },
    ],
  },
  "members.roleDefinitions": {
    good: [
      {
        name: "has the base roles",
        answers: {
          items: expect.arrayContaining(
            ["tenant-viewer", "tenant-staff", "tenant-builder", "tenant-admin"].map((key) =>
              expect.objectContaining({ key, kind: "base" }),
            ),
          ),
        },
      },
    ],
    bad: [unknownQuery],
  },
  "members.createRole": {
    before: named,
    good: [
      {
        name: "defines a role",
        status: 201,
        body: role,
        answers: { key: "{slug}", kind: "custom", permissions: ["resources.list"] },
      },
    ],
    bad: [
      { name: "no permissions", body: { ...role, permissions: [] }, pointers: ["#/permissions"] },
      {
        name: "an unknown permission",
        body: { ...role, permissions: ["resources.fly"] },
        pointers: ["#/permissions/0"],
      },
      { name: "a key in capitals", body: { ...role, key: "Role" }, pointers: ["#/key"] },
    ],
  },
  "members.updateRole": {
    before: twoRoles,
    good: [
      {
        name: "changes the permissions",
        body: { permissions: ["resources.get"] },
        answers: { id: "{roleDefinitionId}", permissions: ["resources.get"] },
      },
    ],
    bad: [
      { name: "another key", body: { key: "other" }, pointers: ["#/key"] },
      {
        name: "an unknown permission",
        body: { permissions: ["resources.fly"] },
        pointers: ["#/permissions/0"],
      },
    ],
  },
  "members.deleteRole": {
    before: twoRoles,
    good: [{ name: "ends with the role", answers: { id: "{roleDefinitionId}" } }],
    bad: [{ name: "an unknown name", query: "?force=1", pointers: ["#/query/force"] }],
  },
};
