import { field, type TestPlatform } from "#test/support/platform.ts";
import { newSlug, ownChild } from "../workspaces/own-child.ts";
import type { RouteTable } from "./route-case.ts";

const named = async () => ({ slug: newSlug() });
const own = async (the: TestPlatform) => ({ own: await ownChild(the) });

/** Creates a child without members. */
async function bareChild(the: TestPlatform): Promise<{ bare: string }> {
  const path = `/v4/platform/tenants/${the.workspaces.tenant}/children`;
  const slug = newSlug();
  const made = await the.as("tenant-admin").post(path, { slug, displayName: slug });
  return { bare: String(field(made.json, "id")) };
}

/** A low role of `tenant`, asking for `tenant` itself. */
const low = { status: 403, params: { tenantId: "{tenant}" } };
const ofAdmins = {
  nobody: 401,
  "tenant-viewer": low,
  "tenant-staff": low,
  "tenant-builder": low,
  "tenant-admin": 200,
  "system-admin": 200,
  outsider: 404,
};
const body = { slug: "{slug}", displayName: "A workspace" };
const root = { ...body, homeRegion: "eu", starterTemplate: "empty-template" };

/** Spec 4.4: workspaces, their first admin and their removal. */
export const workspaceCases: RouteTable = {
  "workspaces.createRoot": {
    before: named,
    as: "system-admin",
    callers: {
      nobody: 401,
      "tenant-viewer": 403,
      "tenant-staff": 403,
      "tenant-builder": 403,
      "tenant-admin": 403,
      outsider: 403,
      "system-admin": 201,
    },
    good: [
      {
        name: "makes a root",
        status: 201,
        body: root,
        answers: { slug: "{slug}", parentId: null, homeRegion: "eu", usecase: "generic" },
      },
    ],
    bad: [
      { name: "no home region", body, pointers: ["#/homeRegion"] },
      { name: "another region", body: { ...root, homeRegion: "us" }, pointers: ["#/homeRegion"] },
      { name: "another use", body: { ...root, usecase: "bakery" }, pointers: ["#/usecase"] },
      { name: "two domains", body: { ...root, domain: "a.org,b.org" }, pointers: ["#/domain"] },
      { name: "a slug in capitals", body: { ...root, slug: "Root" }, pointers: ["#/slug"] },
      {
        name: "an unknown template",
        body: { ...root, starterTemplate: "nope" },
        pointers: ["#/starterTemplate"],
      },
      { name: "an unknown member", body: { ...root, parentId: null }, pointers: ["#/parentId"] },
    ],
  },
  "workspaces.createChild": {
    before: named,
    foreign: { parentId: "{other}" },
    good: [
      {
        name: "makes a child in its parent's region",
        status: 201,
        params: { parentId: "{tenant}" },
        body,
        answers: { slug: "{slug}", parentId: "{tenant}", homeRegion: "eu" },
      },
    ],
    bad: [
      { name: "a home region", body: { ...body, homeRegion: "eu" }, pointers: ["#/homeRegion"] },
      { name: "no name", body: { slug: "{slug}" }, pointers: ["#/displayName"] },
      { name: "an id for a slug", body: { ...body, slug: "{tenant}" }, pointers: ["#/slug"] },
    ],
  },
  "workspaces.update": {
    before: own,
    callers: { ...ofAdmins, "system-admin": 404 },
    good: [
      {
        name: "changes the time zone",
        params: { tenantId: "{own}" },
        body: { timeZone: "Europe/London" },
        answers: { id: "{own}", timeZone: "Europe/London" },
      },
    ],
    bad: [
      { name: "no time zone", body: {}, pointers: ["#/timeZone"] },
      { name: "no zone of IANA", body: { timeZone: "Mars/Dome" }, pointers: ["#/timeZone"] },
      { name: "an offset", body: { timeZone: "+01:00" }, pointers: ["#/timeZone"] },
      { name: "another case", body: { timeZone: "Europe/london" }, pointers: ["#/timeZone"] },
      {
        name: "an unknown member",
        body: { timeZone: "UTC", slug: "other" },
        pointers: ["#/slug"],
      },
    ],
  },
  "workspaces.bootstrapAdmin": {
    before: bareChild,
    foreign: { parentId: "{other}", childId: "{other}" },
    as: "tenant-admin",
    callers: {
      nobody: 401,
      "tenant-viewer": 403,
      "tenant-staff": 403,
      "tenant-builder": 403,
      "tenant-admin": 200,
      outsider: 404,
    },
    good: [
      {
        name: "makes the caller the first admin",
        params: { parentId: "{tenant}", childId: "{bare}" },
        answers: { oid: "{tenant-admin}", role: "tenant-admin" },
      },
    ],
    bad: [{ name: "an unknown name", query: "?force=1", pointers: ["#/query/force"] }],
  },
  "workspaceRemoval.delete": {
    before: own,
    as: "tenant-admin",
    callers: ofAdmins,
    good: [
      {
        name: "deletes with a deadline",
        params: { tenantId: "{own}" },
        answers: { tenantId: "{own}", status: "deleted" },
      },
    ],
    bad: [
      { name: "a word for a flag", body: { hardPurge: "yes" }, pointers: ["#/hardPurge"] },
      { name: "an unknown member", body: { force: true }, pointers: ["#/force"] },
    ],
  },
  "workspaceRemoval.restore": {
    before: async (the) => {
      const made = await own(the);
      await the.as("tenant-admin").post(`/v4/platform/tenants/${made.own}/delete`);
      return made;
    },
    as: "tenant-admin",
    callers: ofAdmins,
    good: [
      {
        name: "brings a deleted workspace back",
        params: { tenantId: "{own}" },
        answers: { tenantId: "{own}", status: "restored" },
      },
    ],
    bad: [{ name: "an unknown name", query: "?force=1", pointers: ["#/query/force"] }],
  },
  "workspaceRemoval.purgeChild": {
    before: own,
    foreign: { parentId: "{other}", childId: "{other}" },
    good: [
      {
        name: "gives the receipt",
        params: { parentId: "{tenant}", childId: "{own}" },
        answers: { childId: "{own}", parentId: "{tenant}", status: "hard_purged" },
      },
      {
        name: "takes the parent in the header too",
        params: { parentId: "{tenant}", childId: "{own}" },
        headers: { "x-tenant-id": "{tenant}" },
        answers: { status: "hard_purged" },
      },
    ],
    bad: [
      {
        name: "another workspace in the header",
        headers: { "x-tenant-id": "{own}" },
        pointers: ["#/header/X-Tenant-Id"],
      },
    ],
  },
};
