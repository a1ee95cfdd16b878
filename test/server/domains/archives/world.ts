import { expect } from "vitest";
import * as z from "zod";
import {
  archiveManifest,
  type ArchiveImport,
  type ArchiveManifest,
} from "#contract/workspaces/archives.ts";
import { archiveEntries, partOf, verifiedManifest } from "#lib/archive/read-archive.ts";
import {
  archiveBytes,
  manifestName,
  markName,
  type ArchivedItem,
} from "#lib/archive/write-archive.ts";
import { uploaded, makeContext } from "#test/support/document-forms.ts";
import { eventually } from "#test/support/eventually.ts";
import { field, type Caller, type TestPlatform, type TestUser } from "#test/support/platform.ts";

import { collection, feature, imported, newDataset, point } from "../geo/datasets/world.ts";

export const archivesPath = (workspace: string): string =>
  `/v4/platform/tenants/${workspace}/archives`;

export const textOfDocument = [
  "The fence at Mill Lane is two metres high. It needs a permission.",
  "",
  "| Part | Metres |",
  "| --- | --- |",
  "| Post | 2.1 |",
  "| Gate | 1.2 |",
].join("\n");

/** Fills the first workspace with something of each kind that an archive has. */
export async function fillWorkspace(the: TestPlatform): Promise<void> {
  const { tenant } = the.workspaces;
  const headers = { "x-tenant-id": tenant };
  const builder = the.as("tenant-builder");
  const types = "/v4/data/resources/object-types";
  const officer = { name: "Officer", slug: "officer", properties: { name: { type: "string" } } };
  expect((await builder.post(types, officer, { headers })).status).toBe(201);
  const application = {
    name: "Application",
    slug: "application",
    properties: {
      reference: { type: "string", required: true, unique: true },
      zeta: { type: "number", indexed: true },
      alpha: { type: "object", properties: { b: { type: "string" }, a: { type: "string" } } },
      notes: { type: "text", searchable: true },
      officer: { type: "reference", targetObjectType: "officer" },
      plan: { type: "file" },
    },
  };
  const typed = await builder.post(types, application, { headers });
  expect(typed.status, typed.text).toBe(201);
  const records = `/v4/data/resources/${tenant}`;
  const made = await builder.post(`${records}/officer`, { data: { name: "Ada" } });
  const officerId = String(field(made.json, "id"));
  for (let number = 1; number <= 5; number += 1) {
    const data = {
      zeta: number,
      reference: `A-${number}`,
      alpha: { b: "2", a: "1" },
      notes: `Fence number ${number} in Mill Lane`,
      officer: officerId,
    };
    const answer = await builder.post(`${records}/application`, { data });
    expect(answer.status, answer.text).toBe(201);
    const id = String(field(answer.json, "id"));
    const changed = { data: { zeta: number * 10 }, version: 1 };
    expect((await builder.patch(`${records}/application/${id}`, changed)).status).toBe(200);
    if (number > 2) continue;
    const plan = `${records}/application/${id}/files/plan?filename=plan-${number}.txt`;
    const sent = await builder.post(plan, undefined, {
      headers: { "content-type": "text/plain" },
      rawBody: `The plan ${number}.`,
    });
    expect(sent.status, sent.text).toBe(201);
  }
  await uploaded(the, await makeContext(the), textOfDocument, "fence.md");
  const role = { key: "clerk", displayName: "Clerk", permissions: ["resources.list"] };
  await imported(
    the,
    await newDataset(the),
    collection(feature(point(1, 2), { b: 1, a: 2 }, "f1")),
  );
  const admin = the.as("tenant-admin");
  const roles = `/v4/platform/tenants/${tenant}/role-definitions`;
  expect((await admin.post(roles, role)).status).toBe(201);
  const endpoint = { url: "https://hooks.example/secret-path-4711", description: "Feed" };
  expect((await admin.post("/v4/webhooks/endpoints", endpoint, { headers })).status).toBe(201);
  const source = { name: "Scanner", scheme: { type: "token" }, mapping: "empty" };
  expect((await admin.post("/v4/webhooks/sources", source, { headers })).status).toBe(201);
  const rule = { name: "New applications", kind: "event", types: ["application"] };
  const ruled = { ...rule, role: "tenant-staff" };
  expect((await admin.post("/v4/realtime/alert-rules", ruled, { headers })).status).toBe(201);
}

/** An archive with other lines, whose digests match them; `edit` returns the lines of a part. */
export async function rewritten(
  bytes: Uint8Array,
  edit: (part: string, line: Record<string, unknown>) => readonly object[],
): Promise<Uint8Array<ArrayBuffer>> {
  let manifest: object = {};
  const items: ArchivedItem[] = [];
  for await (const { name, size, content } of archiveEntries(streamed(bytes))) {
    const chunks = await Array.fromAsync(content);
    const text = Buffer.concat(chunks).toString("utf8");
    if (name === markName) continue;
    if (name === manifestName) manifest = z.looseObject({}).parse(JSON.parse(text));
    else if (name.startsWith("files/")) {
      const sha256 = name.slice("files/".length);
      items.push({ kind: "file", sha256, size, content: streamed(Buffer.concat(chunks)) });
    } else {
      const part = partOf(name);
      const lines = text
        .split("\n")
        .filter((line) => line !== "")
        .flatMap((line) => edit(part, z.looseObject({}).parse(JSON.parse(line))))
        .map((line) => JSON.stringify(line));
      items.push({ kind: "rows", part, lines });
    }
  }
  const written = archiveBytes(listed(items), ({ parts, files }) => {
    return { ...manifest, parts, files };
  });
  return new Uint8Array(Buffer.concat(await Array.fromAsync(written)));
}

async function* listed(items: readonly ArchivedItem[]) {
  yield* items;
}

/** The archive of a workspace: its bytes, and its manifest after all digests were compared. */
export interface TakenArchive {
  readonly id: string;
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly manifest: ArchiveManifest;
}

export async function takenArchive(
  the: TestPlatform,
  workspace = the.workspaces.tenant,
  body: object = {},
  user: TestUser = "tenant-admin",
): Promise<TakenArchive> {
  return archiveOf(the.as(user), workspace, body);
}

/** The archive of a workspace that a caller asks for. */
export async function archiveOf(
  admin: Caller,
  workspace: string,
  body: object = {},
  status = "succeeded",
): Promise<TakenArchive> {
  const path = archivesPath(workspace);
  const started = await admin.post(path, body);
  expect(started.status, started.text).toBe(202);
  const id = String(field(started.json, "id"));
  await eventually(async () => {
    const shown = await admin.get(`${path}/${id}`);
    expect(field(shown.json, "status"), shown.text).toBe(status);
  });
  const response = await admin.fetch("GET", `${path}/${id}/content`);
  expect(response.status).toBe(200);
  const bytes = new Uint8Array(await response.arrayBuffer());
  const manifest = await verifiedManifest(streamed(bytes), (value) => archiveManifest.parse(value));
  return { id, bytes, manifest };
}

export async function* streamed(bytes: Uint8Array) {
  yield bytes;
}

/** The digest of each part that an import brings over. */
export function digestsOf({ parts }: ArchiveManifest): Record<string, string> {
  const kept = ["members", "webhook-endpoints", "webhook-sources", "alert-rules", "audit"];
  return Object.fromEntries(
    parts.filter(({ name }) => !kept.includes(name)).map(({ name, sha256 }) => [name, sha256]),
  );
}

/** The text of each entry of an archive, by its name. */
export async function textsOf(bytes: Uint8Array): Promise<Map<string, string>> {
  const texts = new Map<string, string>();
  for await (const { name, content } of archiveEntries(streamed(bytes))) {
    const chunks = await Array.fromAsync(content);
    texts.set(name, Buffer.concat(chunks).toString("utf8"));
  }
  return texts;
}

/** Imports an archive into a workspace, and waits for the end of its job. */
export async function importedArchive(
  the: TestPlatform,
  workspace: string,
  rawBody: Uint8Array<ArrayBuffer>,
  user: TestUser = "tenant-admin",
): Promise<ArchiveImport> {
  return importBy(the.as(user), workspace, rawBody);
}

/** Imports an archive for a caller, and waits for the end of its job. */
export async function importBy(
  admin: Caller,
  workspace: string,
  rawBody: Uint8Array<ArrayBuffer>,
): Promise<ArchiveImport> {
  const path = `/v4/platform/tenants/${workspace}/archive-imports`;
  const headers = { "content-type": "application/octet-stream" };
  const started = await admin.post(path, undefined, { headers, rawBody });
  expect(started.status, started.text).toBe(202);
  const id = String(field(started.json, "id"));
  return eventually(async () => {
    const shown = await admin.get(`${path}/${id}`);
    const state = shown.json as ArchiveImport;
    expect(["succeeded", "completed_with_errors", "failed"]).toContain(state.status);
    return state;
  });
}
