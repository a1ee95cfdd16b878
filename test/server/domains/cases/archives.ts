import { eventually } from "#test/support/eventually.ts";
import { field, type TestPlatform, type TestUser } from "#test/support/platform.ts";
import type { RouteTable } from "./route-case.ts";

const sent = { "content-type": "application/octet-stream" };

/** An archive of the workspace, and one of another workspace. */
async function archived(the: TestPlatform): Promise<Record<string, string>> {
  const { tenant, other } = the.workspaces;
  const made = async (user: TestUser, workspace: string): Promise<string> => {
    const path = `/v4/platform/tenants/${workspace}/archives`;
    const started = await the.as(user).post(path, { groups: ["types"] });
    const id = String(field(started.json, "id"));
    await eventually(async () => {
      const { json } = await the.as(user).get(`${path}/${id}`);
      if (field(json, "status") !== "succeeded") throw new Error("the archive is not complete");
    });
    return id;
  };
  return {
    archiveId: await made("tenant-admin", tenant),
    foreignId: await made("outsider", other),
  };
}

/** An import of bytes that are no archive, and one into another workspace. */
async function imported(the: TestPlatform): Promise<Record<string, string>> {
  const { tenant, other } = the.workspaces;
  const made = async (user: TestUser, workspace: string): Promise<string> => {
    const path = `/v4/platform/tenants/${workspace}/archive-imports`;
    const options = { headers: sent, rawBody: "no archive" };
    const started = await the.as(user).post(path, undefined, options);
    return String(field(started.json, "id"));
  };
  return {
    importId: await made("tenant-admin", tenant),
    foreignId: await made("outsider", other),
  };
}

const own = { archiveId: "{archiveId}" };

export const archiveCases: RouteTable = {
  "archives.list": {
    before: archived,
    good: [{ name: "lists own archives", query: "?limit=1", answers: { page: 1, limit: 1 } }],
    bad: [{ name: "no limit", query: "?limit=0", pointers: ["#/query/limit"] }],
  },
  "archives.create": {
    good: [
      {
        name: "starts an archive of some groups",
        status: 202,
        body: { groups: ["types", "members"] },
        answers: { status: "queued", groups: ["types", "members"] },
      },
      { name: "starts an archive of all groups", status: 202, body: {} },
    ],
    bad: [
      { name: "an unknown group", body: { groups: ["secrets"] }, pointers: ["#/groups/0"] },
      { name: "no group", body: { groups: [] }, pointers: ["#/groups"] },
    ],
  },
  "archives.get": {
    before: archived,
    good: [
      {
        name: "has the manifest",
        params: own,
        answers: { status: "succeeded", manifest: { parts: [{ name: "object-types" }] } },
      },
    ],
    bad: [],
  },
  "archives.content": {
    before: archived,
    good: [{ name: "has the bytes", params: own }],
    bad: [],
  },
  "archives.remove": {
    before: archived,
    good: [{ name: "removes it", params: own, status: 204 }],
    bad: [],
  },
  "archives.import": {
    good: [
      {
        name: "takes a file",
        status: 202,
        headers: sent,
        rawBody: "no archive",
        answers: { status: "queued" },
      },
    ],
    bad: [
      {
        name: "a workspace that is none",
        params: { tenantId: "nothing" },
        headers: sent,
        rawBody: "no archive",
        pointers: ["#/path/tenantId"],
      },
    ],
  },
  "archives.importJob": {
    before: imported,
    good: [{ name: "shows it", params: { importId: "{importId}" } }],
    bad: [],
  },
};
