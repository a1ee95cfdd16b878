import type { RouteTable } from "./route-case.ts";

const unknownQuery = { name: "an unknown name", query: "?deep=1", pointers: ["#/query/deep"] };
const everyUser = {
  nobody: 401,
  "tenant-viewer": 200,
  "tenant-staff": 200,
  "tenant-builder": 200,
  "tenant-admin": 200,
  "system-admin": 200,
  outsider: 200,
};
const everyMember = { ...everyUser, outsider: 404 };

/** Spec 4.4: the caller's own identity, and capabilities. */
export const identityCases: RouteTable = {
  "identity.me": {
    as: "tenant-viewer",
    callers: everyUser,
    good: [{ name: "is the caller", answers: { oid: "{tenant-viewer}", systemAdmin: false } }],
    bad: [unknownQuery],
  },
  "identity.tenants": {
    as: "tenant-viewer",
    callers: everyUser,
    good: [
      {
        name: "are the caller's",
        answers: { items: [{ id: "{tenant}", slug: "tenant", role: "tenant-viewer" }] },
      },
    ],
    bad: [
      { name: "a limit of 1,001", query: "?limit=1001", pointers: ["#/query/limit"] },
      { name: "page 0", query: "?page=0", pointers: ["#/query/page"] },
      { name: "a word for a flag", query: "?deleted=yes", pointers: ["#/query/deleted"] },
    ],
  },
  "identity.provision": {
    as: "tenant-viewer",
    callers: everyMember,
    good: [
      {
        name: "confirms the membership",
        body: { tenantId: "{tenant}" },
        answers: { oid: "{tenant-viewer}", membership: { slug: "tenant", role: "tenant-viewer" } },
      },
    ],
    bad: [
      { name: "no id", body: { tenantId: "tenant" }, pointers: ["#/tenantId"] },
      { name: "a role", body: { role: "tenant-admin" }, pointers: ["#/role"] },
    ],
  },
  "identity.updateProfile": {
    as: "tenant-viewer",
    callers: everyUser,
    good: [
      {
        name: "changes the name",
        body: { displayName: "A name" },
        answers: { oid: "{tenant-viewer}", displayName: "A name" },
      },
    ],
    bad: [
      { name: "an empty name", body: { displayName: " " }, pointers: ["#/displayName"] },
      { name: "another address", body: { email: "a@b.org" }, pointers: ["#/email"] },
      { name: "a right", body: { systemAdmin: true }, pointers: ["#/systemAdmin"] },
    ],
  },
  "marks.list": {
    good: [
      { name: "is empty before a look", query: "?tenant_id={tenant}&place=jobs", answers: {} },
    ],
    bad: [
      {
        name: "an unknown place",
        query: "?tenant_id={tenant}&place=roles",
        pointers: ["#/query/place"],
      },
    ],
  },
  "marks.set": {
    good: [
      {
        name: "marks a list as seen",
        body: { tenant_id: "{tenant}", place: "documents" },
        answers: { place: "documents" },
      },
    ],
    bad: [
      { name: "no place", body: { tenant_id: "{tenant}" }, pointers: ["#/place"] },
      {
        name: "a type that is no slug",
        body: { tenant_id: "{tenant}", place: "records/A b" },
        pointers: ["#/place"],
      },
      {
        name: "a foreign cursor",
        body: { tenant_id: "{tenant}", place: "jobs", cursor: "x" },
        pointers: ["#/cursor"],
      },
    ],
  },
  "capabilities.catalog": {
    as: "tenant-viewer",
    callers: everyUser,
    good: [
      {
        name: "has the base roles",
        answers: { roles: ["tenant-viewer", "tenant-staff", "tenant-builder", "tenant-admin"] },
      },
    ],
    bad: [unknownQuery],
  },
  "capabilities.evaluate": {
    as: "tenant-viewer",
    callers: everyMember,
    good: [
      {
        name: "names the role that would do",
        body: { capability: "resources.create", tenantId: "{tenant}" },
        answers: { allowed: false, requiredRole: "tenant-staff", currentRole: "tenant-viewer" },
      },
    ],
    bad: [
      { name: "an unknown one", body: { capability: "a.b" }, pointers: ["#/capability"] },
      { name: "no workspace", body: { capability: "resources.list" }, pointers: ["#/tenantId"] },
      { name: "neither one nor several", body: {}, pointers: ["#"] },
    ],
  },
};
