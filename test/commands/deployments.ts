import { eventually } from "#test/support/eventually.ts";
import { afterAll, afterEach, beforeAll, expect } from "vitest";
import type { FetchFunction } from "#lib/network/fetch-function.ts";
import { createClient } from "#client/client.ts";
import type { Client } from "#client/surface.ts";
import { selectWorkspace } from "#local/configuration/profiles.ts";
import type { Dialect } from "#test/support/other-deployment/dialects.ts";
import {
  startOtherDeployment,
  type OtherDeployment,
} from "#test/support/other-deployment/deployment.ts";
import { fillProject, projectTypes } from "#test/support/project-folder.ts";
import { field, testBaseUrl, type TestUser } from "#test/support/platform.ts";
import { temporaryDirectory } from "#test/support/temporary.ts";
import { documentWorld } from "./documents-world.ts";
import { runCommand, type Called, type CallSettings } from "./world.ts";

/** A place that commands can talk to, with the names that a command line fills in. */
export interface Place {
  readonly names: Readonly<Record<string, string>>;
  /** The library's client of an admin. */
  readonly client: Client;
  /** The library's client of the installation's first user. */
  readonly root: Client;
  run(words: readonly string[], settings?: CallSettings): Promise<Called>;
  /** The network between the commands and the platform. */
  readonly fetch: FetchFunction;
}

/** A project folder with Object Types and a file to upload. */
async function project(): Promise<string> {
  const folder = await temporaryDirectory("project");
  fillProject(folder);
  return folder;
}

/** A project, and the settings of a user who has selected a workspace. */
async function userFolders(
  workspace: Parameters<typeof selectWorkspace>[0]["workspace"],
): Promise<{ config: string; folder: string }> {
  const [config, folder] = [await temporaryDirectory("config"), await project()];
  await selectWorkspace({ configDirectory: config, profile: "default", workspace });
  return { config, folder };
}

const noFolders = { config: "/nowhere", folder: "/nowhere" };

const running: OtherDeployment[] = [];

interface OtherWish {
  /** The call only reads: it gets the deployment of the file's other such calls. */
  readonly isShared?: boolean;
  /** False for calls of the library, which need no folder and no settings of a user. */
  readonly hasProject?: boolean;
}

type OtherPlace = Place & { readonly deployment: OtherDeployment };

async function closeAll(deployments: OtherDeployment[]): Promise<void> {
  await Promise.all(deployments.splice(0).map((deployment) => deployment.close()));
}

/**
 * Starts deployments of dialects. Each is stopped after its test; calls that read may share one,
 * which is stopped after the file's last test.
 */
export function otherPlaces(): (dialect: Dialect, wish?: OtherWish) => Promise<OtherPlace> {
  const kept: OtherDeployment[] = [];
  const shared = new Map<Dialect, Promise<OtherPlace>>();
  afterEach(() => closeAll(running));
  afterAll(() => closeAll(kept));
  const start = async (
    dialect: Dialect,
    deployments: OtherDeployment[],
    hasProject: boolean,
  ): Promise<OtherPlace> => {
    const deployment = await startOtherDeployment(dialect);
    deployments.push(deployment);
    const { url, token, workspace } = deployment;
    const selected = { id: workspace.id, slug: workspace.slug, origin: url };
    const { config, folder } = hasProject ? await userFolders(selected) : noFolders;
    const first = (entries: ReadonlyMap<string, unknown> | undefined): string =>
      entries?.keys().next().value ?? "";
    const record = first(workspace.records.get("street-tree"));
    const names = {
      key: "01900000-0000-7000-8000-000000000001",
      source: "a-source-of-calls".padEnd(43, "0"),
      call: "01900000-0000-7000-8000-000000000002",
      workspace: workspace.id,
      slug: workspace.slug,
      unique: "1",
      folder,
      record,
      recordPath: encodeURIComponent(record),
      application: first(workspace.records.get("felling-permit")),
      job: first(workspace.jobs),
      document: first(workspace.documents),
      workflow: "tree-advice",
      member: workspace.members[0]?.id ?? "",
      secret: "secret",
      trees: String(workspace.records.get("street-tree")?.size),
    };
    const run: Place["run"] = (words, settings) =>
      runCommand(words, {
        config,
        token,
        currentDirectory: folder,
        variables: { BASE_URL_PUBLIC_API: url, BROWSER: "none" },
        ...settings,
      });
    const client = createClient({ baseUrl: url, token, tenantId: workspace.id });
    return { names, run, client, root: client, deployment, fetch };
  };
  return async (dialect, { isShared = false, hasProject = true } = {}) => {
    if (!isShared) return start(dialect, running, hasProject);
    const place = shared.get(dialect) ?? start(dialect, kept, hasProject);
    shared.set(dialect, place);
    return place;
  };
}

/** The needs of a call at the embedded platform. */
export interface Wish {
  /** A new document is uploaded for the call. */
  readonly document: boolean;
  /** The words of the call; an API key, a source or an endpoint is made if they name one. */
  readonly words?: string;
  /** The call only reads: it gets the things of the file's other such calls. */
  readonly isShared?: boolean;
  /** False for a call that names no tree: none is made for it. */
  readonly hasRecord?: boolean;
}

/** An endpoint of webhooks that sends nothing by itself. */
async function newEndpoint(client: Client): Promise<{ endpoint: string; delivery: string }> {
  const { id } = await client.webhooks.create({ body: { temporary: true } });
  const delivery = await client.webhooks.test({ params: { endpointId: id } });
  return { endpoint: id, delivery: delivery.id };
}

/** A source of calls from outside, and a call that it has received. */
async function calledSource(client: Client): Promise<{ source: string; call: string }> {
  const secret = "a secret of the sender";
  const body = { name: "Sender", scheme: { type: "token" }, secret } as const;
  const { source } = await client.webhookSources.create({ body });
  const sent = { headers: { "x-webhook-token": secret }, body: "{}" };
  const answer = await client.request("POST", `/v4/webhooks/${source}`, sent);
  const receivedId = String(field(await answer.json(), "id"));
  await eventually(async () => {
    const { status } = await client.webhookSources.receivedCall({ params: { source, receivedId } });
    expect(status).not.toBe("waiting");
  });
  return { source, call: receivedId };
}

/** Removes the endpoints of webhooks, which would get every later change, but for one. */
async function removeEndpoints(client: Client, kept: string | undefined): Promise<void> {
  const { items } = await client.webhooks.list({ query: { limit: 500 } });
  for (const { id } of items) {
    if (id !== kept) await client.webhooks.remove({ params: { endpointId: id } });
  }
}

/** The embedded platform with the same content; each call gets its own record and document. */
export function embeddedPlace(): (wish?: Wish) => Promise<Place> {
  const the = documentWorld();
  let folder = "";
  let count = 0;
  let mayHaveEndpoints = false;
  beforeAll(async () => {
    const { platform } = the();
    const headers = { "x-tenant-id": platform.workspaces.tenant };
    for (const type of projectTypes.filter(({ slug }) => slug !== "bench").toReversed()) {
      await platform.as("tenant-admin").post("/v4/data/resources/object-types", type, { headers });
    }
    folder = await project();
  });
  const newTree = async (): Promise<string> => {
    const { platform } = the();
    const path = `/v4/data/resources/${platform.workspaces.tenant}/street-tree`;
    const made = await platform.as("tenant-staff").post(path, { species: "elm" });
    return String(field(made.json, "id"));
  };
  const clientOf = (user: TestUser): Client => {
    const { platform } = the();
    return createClient({
      baseUrl: testBaseUrl,
      token: platform.users[user].token,
      tenantId: platform.workspaces.tenant,
      fetch: (request) => platform.platform.fetch(request),
    });
  };
  const make = async (wish: Wish): Promise<Place> => {
    const { document: wanted, words: named = "", hasRecord = true } = wish;
    const { platform, applicationId, svc, upload } = the();
    const { tenant } = platform.workspaces;
    const record = hasRecord ? await newTree() : "";
    count += 1;
    const uploaded = wanted ? await upload(`note-${count}.txt`) : undefined;
    const client = clientOf("tenant-admin");
    const body = { name: "Script", role: "tenant-viewer" } as const;
    const names = {
      key: named.includes("{key}") ? (await client.keys.create({ body })).key.keyId : "",
      ...(named.includes("{source}") ? await calledSource(client) : {}),
      ...(named.includes("{endpoint}") ? await newEndpoint(client) : {}),
      workspace: tenant,
      slug: "tenant",
      unique: String(count),
      folder,
      record,
      recordPath: record,
      application: applicationId,
      job: uploaded?.jobId ?? "",
      document: uploaded?.documentNumber ?? "",
      workflow: "planning-assistant",
      trees: "1",
    };
    const run: Place["run"] = (words, settings) => {
      mayHaveEndpoints ||= words.includes("webhook");
      return svc(words, {
        as: words.includes("--allow-root") ? "system-admin" : "tenant-admin",
        currentDirectory: folder,
        ...settings,
      });
    };
    const network: FetchFunction = async (request) => await platform.platform.fetch(request);
    const root = clientOf("system-admin");
    return { names, run, client, root, fetch: network };
  };
  let shared: Promise<Place> | undefined;
  afterAll(() => {
    shared = undefined;
  });
  afterEach(async () => {
    if (!mayHaveEndpoints) return;
    mayHaveEndpoints = false;
    await removeEndpoints(clientOf("tenant-admin"), (await shared)?.names["endpoint"]);
  });
  return async (wish = { document: false }) => {
    if (wish.isShared !== true) return make(wish);
    shared ??= make({ document: true, words: "{key} {source} {endpoint}" });
    return shared;
  };
}
