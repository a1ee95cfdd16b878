import { describe, expect, test } from "vitest";
import type { AuditEntry } from "#contract/audit.ts";
import { capabilities } from "#contract/permissions.ts";
import { setQuota } from "#server/platform/maintenance/quota.ts";
import { file, formOf, uploadPath } from "#test/support/document-forms.ts";
import { eventually } from "#test/support/eventually.ts";
import {
  caller,
  describePlatform,
  field,
  type Answered,
  type Caller,
  type TestPlatform,
} from "#test/support/platform.ts";
import { membersPath, newMember, newRoot, text, type Person } from "../domains/members/world.ts";

const workspaceCount = 5;
const callersPerWorkspace = 12;

/** An acknowledged write, and what its audit entry has to say. */
interface Write {
  readonly route: string;
  readonly requestId: string;
  readonly actor: string;
  readonly path: string;
  /** The workspace of its log; empty for the log of the platform. */
  readonly log: string;
  /** Members of the target, of which the caller knows the values. */
  readonly target: object | undefined;
}

/** A write of a caller: its path, and how it is checked. */
interface Sent {
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  readonly rawBody?: string | FormData;
  readonly log?: string;
  readonly target?: (answered: Answered) => object;
}

/** A caller, who keeps in mind what it has written. */
class Hand {
  readonly writes: Write[] = [];
  #sent = 0;

  constructor(
    readonly person: Pick<Person, "oid" | "email" | "call">,
    readonly workspace: string,
    readonly name: string,
  ) {}

  async write(route: string, path: string, sent: Sent = {}): Promise<Answered> {
    const { body, rawBody, log = this.workspace, target } = sent;
    const { method } = routes.get(route)!.definition;
    const requestId = `${this.name}-${(this.#sent += 1)}`;
    const headers = { "x-request-id": requestId, ...sent.headers };
    const content = rawBody === undefined ? (body === undefined ? {} : { body }) : { rawBody };
    // A busy machine may refuse a write (503), which then has no effect and no entry of this name.
    const answered = await eventually(async () => {
      const once = await this.person.call.call(method, path, { headers, ...content });
      expect(once.status).not.toBe(503);
      return once;
    });
    expect(answered.status, `${route} ${requestId}: ${answered.text}`).toBeLessThan(300);
    const actor = this.person.oid;
    const [sentTo = ""] = path.split("?");
    const written = { route, requestId, actor, log, path: sentTo };
    this.writes.push({ ...written, target: target?.(answered) });
    return answered;
  }
}

const routes = new Map(capabilities.map((each) => [each.capability, each]));

/** Writes whose effect ends the caller's access, or that need what this test does not have. */
const leftOut: Readonly<Record<string, string>> = {
  "identity.provision": "the first sign-in with an external provider",
  "identity.acceptInvitation": "its entry is that of a page of the sign-in",
  "identity.declineInvitation": "needs the secret of an invitation to the caller",
  "identity.revokeTokens": "ends the caller's own tokens",
  "identity.endSession": "needs a session of a browser",
  "identity.changePassword": "needs the caller's password, whose hash takes long",
  "factors.add": "needs the caller's password",
  "factors.confirm": "needs the caller's password",
  "factors.remove": "needs the caller's password",
  "factors.renewCodes": "needs the caller's password",
  "workspaceRemoval.purgeChild": "its child is gone with its log",
  "members.leave": "ends the caller's membership",
  "members.disableUser": "is for the administrator of the installation",
  "members.enableUser": "is for the administrator of the installation",
  "members.revokeUserTokens": "is for the administrator of the installation",
  "members.resetFactors": "is for the administrator of the installation",
  "workspaces.createRoot": "is for the administrator of the installation",
  "documents.retryJob": "needs a job that has failed",
  "documents.cancelJob": "needs a job that still runs",
  "reviews.decide": "needs a document that is to be reviewed",
  "classifiers.train": "trains for seconds",
  "documents.ragIndex": "its job is that of an upload",
  "chat.stream": "is chat.send as a stream",
  "chat.stop": "needs an answer that is being written",
  "contentUnderstanding.apply": "takes one caller of a workspace at a time",
};

const records = (workspace: string, slug: string): string =>
  `/v4/data/resources/${workspace}/${slug}`;

/** Records of the type that the callers of a workspace share, so that their writes are merged. */
async function writeRecords(hand: Hand): Promise<void> {
  const { workspace, name } = hand;
  const own = records(workspace, "case");
  const idOf = (answered: Answered) => ({ id: text(answered, "id") });
  for (let count = 0; count < 2; count += 1) {
    const made = await hand.write("resources.create", own, {
      body: { title: name, status: "open" },
      headers: { "idempotency-key": `${count}` },
      target: idOf,
    });
    const { id } = idOf(made);
    const target = (): object => ({ id });
    await hand.write("resources.update", `${own}/${id}`, {
      body: { data: { title: `${name} ${count}`, status: "open" }, version: 1 },
      target,
    });
    if (count > 0) continue;
    await hand.write("resources.executeAction", `${own}/${id}/actions/close`, { body: {}, target });
    const place = `${own}/${id}/files/plan?filename=plan.txt`;
    const headers = { "content-type": "text/plain" };
    const rawBody = `Plan of ${name}`;
    await hand.write("resources.uploadFile", place, { rawBody, headers, target });
    await hand.write("resources.deleteFile", `${own}/${id}/files/plan`);
    await hand.write("resources.delete", `${own}/${id}`);
  }
  const batch = { body: { items: [{ title: name }, { title: name }] } };
  const made = await hand.write("resources.batchCreate", `${own}/batch/create`, batch);
  const ids = (field(made.json, "results") as { id: string }[]).map(({ id }) => id);
  const items = ids.map((id) => ({ id, version: 1, data: { title: `${name} again` } }));
  await hand.write("resources.batchUpdate", `${own}/batch/update`, { body: { items } });
  await hand.write("resources.batchDelete", `${own}/batch/delete`, { body: { ids } });
}

async function writeMembers(hand: Hand, colleague: Person): Promise<void> {
  const { workspace, name } = hand;
  const tenant = `/v4/platform/tenants/${workspace}`;
  const members = membersPath(workspace);
  await hand.write("identity.updateProfile", "/v4/identity/me/profile", {
    body: { displayName: `Person ${name}` },
    log: "",
  });
  const email = `${name}@invited.example.org`;
  const invited = await hand.write("members.invite", `${members}/invite`, {
    body: { email, role: "tenant-viewer" },
    target: () => ({ email }),
  });
  const invitationId = text(
    { ...invited, json: field(invited.json, "invitation") },
    "invitationId",
  );
  await hand.write("members.revokeInvitation", `${tenant}/invitations/${invitationId}`);
  const { memberId } = colleague;
  const target = (): object => ({ memberId, email: colleague.email });
  const role = { body: { role: "tenant-staff" }, target };
  await hand.write("members.setRole", `${members}/${memberId}/roles`, role);
  await hand.write("members.disable", `${members}/${memberId}/disable`, { target });
  await hand.write("members.enable", `${members}/${memberId}/enable`, { target });
  await hand.write("members.provisionUser", `${tenant}/users/${colleague.oid}/provision`, {
    body: { role: "tenant-viewer" },
  });
  await hand.write("members.remove", `${members}/${memberId}`, { target });
  const definitions = `${tenant}/role-definitions`;
  const permissions = ["resources.list"];
  const made = await hand.write("members.createRole", definitions, {
    body: { key: name, displayName: name, permissions },
  });
  const id = text(made, "id");
  const renamed = { body: { displayName: `Role ${name}` } };
  await hand.write("members.updateRole", `${definitions}/${id}`, renamed);
  await hand.write("members.deleteRole", `${definitions}/${id}`);
  const key = await hand.write("keys.create", `${tenant}/keys`, {
    body: { name, role: "tenant-viewer" },
  });
  const keyId = text({ ...key, json: field(key.json, "key") }, "keyId");
  const lower = { body: { role: "tenant-staff" } };
  await hand.write("keys.setRole", `${tenant}/keys/${keyId}/roles`, lower);
  await hand.write("keys.revoke", `${tenant}/keys/${keyId}`);
  const rule = await hand.write("groupRules.set", `${tenant}/group-rules`, {
    body: { value: name, role: "tenant-viewer", issuer: "https://login.example.org" },
  });
  await hand.write("groupRules.delete", `${tenant}/group-rules/${text(rule, "ruleId")}`);
}

async function writeConfiguration(hand: Hand): Promise<void> {
  const { workspace, name } = hand;
  const headers = { "x-tenant-id": workspace };
  const tenant = `/v4/platform/tenants/${workspace}`;
  const types = "/v4/data/resources/object-types";
  const slug = `type-${name}`;
  const word = name.replaceAll("-", "");
  const target = (): object => ({ slug });
  const definition = { name: `Note${word}`, slug, properties: { text: { type: "string" } } };
  const type = await hand.write("objectTypes.create", types, {
    body: definition,
    headers,
    target: () => ({ slugs: [slug] }),
  });
  const changed = { body: { description: name }, headers, target };
  await hand.write("objectTypes.update", `${types}/${text(type, "id")}`, changed);
  const other = { ...definition, name: `Other${word}`, slug: `${slug}-2` };
  await hand.write("objectTypes.batch", `${types}/batch`, {
    body: { create: [other] },
    headers,
  });
  await hand.write("storage.provision", `${records(workspace, "storage")}/provision`, { body: {} });
  await hand.write("storage.syncSchema", `${records(workspace, "storage")}/sync-schema`, {
    body: {},
  });
  const app = { key: `app-${name}`, displayName: name };
  await hand.write("apps.create", `${tenant}/apps`, { body: app });
  await hand.write("apps.provision", `${tenant}/apps/${app.key}/provisioning-jobs`, { body: {} });
  const clients = "/v4/platform/provisioning/idp-apps";
  const redirectUris = ["https://app.example.org/back"];
  const client = await hand.write("idpApps.provision", clients, {
    body: { ...app, redirectUris },
    headers,
  });
  const clientPath = `${clients}/${text(client, "clientId")}`;
  await hand.write("idpApps.rotateSecret", `${clientPath}/rotate-secret`, { headers });
  await hand.write("idpApps.remove", clientPath, { headers });
  const children = `${tenant}/children`;
  const child = await hand.write("workspaces.createChild", children, {
    body: { slug: `child-${name}`, displayName: name, starterTemplate: "empty-template" },
  });
  const id = text(child, "id");
  await hand.write("workspaces.bootstrapAdmin", `${children}/${id}/bootstrap-admin`, { log: id });
  const own = `/v4/platform/tenants/${id}`;
  await hand.write("workspaceRemoval.delete", `${own}/delete`, { log: id });
  await hand.write("workspaceRemoval.restore", `${own}/restore`, { log: id });
  await hand.write("workflows.request", "/v4/workflows/runtime-requests", {
    body: { tenant_id: workspace, workflow_key: "planning-assistant" },
  });
}

async function writeDocuments(hand: Hand): Promise<void> {
  const { workspace, name } = hand;
  const headers = { "x-tenant-id": workspace };
  const base = "/v4/data/documents";
  const sent = await hand.write("documents.upload", uploadPath, {
    headers,
    rawBody: formOf(
      ["tenant_id", workspace],
      ["storage_target", "resourceapi"],
      ["processing_mode", "store_only"],
      ["vertical_key", "portal"],
      ["workflow_key", "planning-assistant"],
      ["files", file(`${name}.txt`, `The letter of ${name}.`, "text/plain")],
    ),
  });
  await hand.write("documents.delete", `${base}/records/${text(sent, "documentId")}`, { headers });
  const classifier = `${base}/classifiers/letters-${name}`;
  const body = { displayName: "Letters", labels: [{ key: "letter" }, { key: "plan" }] };
  await hand.write("classifiers.put", classifier, { body, headers });
  const examples = { examples: [{ label: "letter", text: `A letter of ${name}.` }] };
  await hand.write("classifiers.addExamples", `${classifier}/examples`, {
    body: examples,
    headers,
  });
  const listed = await hand.person.call.get(`${classifier}/examples`, { headers });
  const [example] = field(listed.json, "items") as { id: string }[];
  const place = `${classifier}/examples/${example?.id}`;
  await hand.write("classifiers.removeExample", place, { headers });
  await hand.write("classifiers.delete", classifier, { headers });
  const analyzer = `${base}/analyzers/letters-${name}`;
  const pattern = { rules: [{ method: "pattern", pattern: "No. [0-9]+" }] };
  await hand.write("documentTypes.putAnalyzer", analyzer, {
    body: { displayName: "Letters", fields: { number: pattern } },
    headers,
  });
  const documentType = `${base}/document-types/letter-${name}`;
  await hand.write("documentTypes.put", documentType, {
    body: {
      displayName: "Letter",
      label: name,
      analyzer: `letters-${name}`,
      fields: { number: {} },
    },
    headers,
  });
  await hand.write("documentTypes.delete", documentType, { headers });
  await hand.write("documentTypes.deleteAnalyzer", analyzer, { headers });
  const chat = `/v4/ai/chat/${workspace}`;
  const answer = await hand.write("chat.send", `${chat}/planning-assistant/chat`, {
    body: { message: `Good morning from ${name}` },
  });
  const conversation = `${chat}/conversations/${text(answer, "conversation_id")}`;
  await hand.write("chat.rename", conversation, { body: { title: name } });
  await hand.write("chat.deleteConversation", conversation);
}

/** Reads next to the writes: of records by the reading threads, and of lists. */
async function read({ person, workspace }: Hand): Promise<void> {
  for (let count = 0; count < 8; count += 1) {
    const listed = await person.call.get(`${records(workspace, "case")}?limit=5`);
    expect(listed.status, listed.text).toBe(200);
    const titles = (field(listed.json, "items") as { data: { title?: string } }[]).map(
      ({ data }) => data.title ?? "",
    );
    const foreign = titles.filter((title) => !title.startsWith(workspace.slice(-12)));
    expect(foreign).toEqual([]);
  }
}

async function logOf(call: Caller, path: string): Promise<AuditEntry[]> {
  const entries: AuditEntry[] = [];
  for (let cursor = ""; ;) {
    const page = await call.get(`${path}?order=asc&limit=500${cursor}`);
    expect(page.status, page.text).toBe(200);
    entries.push(...(field(page.json, "items") as AuditEntry[]));
    const next = field(page.json, "nextCursor");
    if (typeof next !== "string") return entries;
    cursor = `&cursor=${encodeURIComponent(next)}`;
  }
}

const caseType = {
  name: "Case",
  slug: "case",
  properties: {
    title: { type: "string", searchable: true },
    plan: { type: "file" },
    status: { type: "string" },
  },
  actions: [
    {
      name: "close",
      requires: "tenant-viewer",
      transition: { property: "status", from: ["open"], to: "closed" },
    },
  ],
};

/** A workspace with the shared type, and its callers, each with a colleague to change. */
async function newHands(the: TestPlatform): Promise<{ hand: Hand; colleague: Person }[]> {
  const workspace = await newRoot(the);
  const headers = { "x-tenant-id": workspace };
  const admin = the.as("system-admin");
  const made = await admin.post("/v4/data/resources/object-types", caseType, { headers });
  expect(made.status, made.text).toBe(201);
  const keys = { vertical_key: "portal", workflow_key: "planning-assistant" };
  const config = { documentLifecycle: "planning-assist-v1" };
  await admin.post(records(workspace, "vertical-product-config"), { ...keys, config });
  const { workflow_key } = keys;
  await admin.post(records(workspace, "shared-workflow-config"), { workflow_key });
  return Promise.all(
    Array.from({ length: callersPerWorkspace }, async (_, index) => {
      const member = await newMember(the, workspace, { role: "tenant-admin" });
      const person = { ...member, call: caller(the.answer, member.token) };
      const name = `${workspace.slice(-12)}-${index}`;
      const colleague = await newMember(the, workspace);
      return { hand: new Hand(person, workspace, name), colleague };
    }),
  );
}

describePlatform(
  `${workspaceCount * callersPerWorkspace} callers of ${workspaceCount} workspaces at once`,
  (the) => {
    test("leave each write its own entry in the log of its workspace", async () => {
      const all: { hand: Hand; colleague: Person }[] = [];
      for (let count = 0; count < workspaceCount; count += 1) all.push(...(await newHands(the())));
      await Promise.all(
        all.flatMap(({ hand, colleague }) => [
          (async () => {
            await writeRecords(hand);
            await writeMembers(hand, colleague);
            await writeConfiguration(hand);
            await writeDocuments(hand);
          })(),
          read(hand),
        ]),
      );
      const writes = all.flatMap(({ hand }) => hand.writes);
      const logs = new Map([["", await logOf(the().as("system-admin"), "/v4/platform/audit")]]);
      for (const { hand } of all) {
        for (const { log } of hand.writes) {
          if (logs.has(log)) continue;
          logs.set(log, await logOf(hand.person.call, `/v4/platform/tenants/${log}/audit`));
        }
      }
      const faults: unknown[] = [];
      for (const { route, requestId, actor, log, path, target } of writes) {
        const found = [...logs].flatMap(([id, entries]) =>
          entries
            .filter((entry) => entry.requestId === requestId && entry.status !== 503)
            .map((entry) => ({ id, entry })),
        );
        const seen = found.map(({ id, entry }) => ({
          id,
          actor: entry.actor,
          action: entry.action,
          path: entry.path,
          outcome: entry.outcome,
          target: subset(entry.changes?.target, target),
        }));
        const wanted = [{ id: log, actor, action: route, path, outcome: "done", target }];
        if (!Bun.deepEquals(seen, wanted)) faults.push({ requestId, seen, wanted });
      }
      expect(faults.slice(0, 5)).toEqual([]);
      expect(faults).toHaveLength(0);
    }, 120_000);

    test("get the answer of their key, though all use the same keys", async () => {
      const hands = [...(await newHands(the())), ...(await newHands(the()))];
      const create = async ({ hand, key }: { hand: Hand; key: number }): Promise<string> => {
        const sent = { body: { title: hand.name }, headers: { "idempotency-key": `same-${key}` } };
        return text(
          await hand.write("resources.create", records(hand.workspace, "case"), sent),
          "id",
        );
      };
      const tries = hands.flatMap(({ hand }) => [0, 1, 2].map((key) => ({ hand, key })));
      const first = await Promise.all(tries.map(create));
      expect(new Set(first).size).toBe(first.length);
      expect(await Promise.all(tries.map(create))).toEqual(first);
    });

    test("are refused by the quota of their workspace alone", async () => {
      const [limited, free] = [await newHands(the()), await newHands(the())];
      const workspace = limited[0]?.hand.workspace ?? "";
      const { dataDirectory, databaseUrl } = the();
      await setQuota({ dataDirectory, databaseUrl }, workspace, { records: 3 });
      const statuses = async (hands: typeof free): Promise<Set<number>> => {
        const answers = hands.map(({ hand }) => {
          const path = records(hand.workspace, "case");
          return hand.person.call.post(path, { title: hand.name });
        });
        return new Set((await Promise.all(answers)).map(({ status }) => status));
      };
      // The platform reads the quotas again within seconds.
      await eventually(async () => {
        const [refused, accepted] = await Promise.all([statuses(limited), statuses(free)]);
        expect(accepted).toEqual(new Set([201]));
        expect(refused).toEqual(new Set([409]));
      });
    });
  },
  { alsoInThread: true, limits: { rateRequests: 100_000 } },
);

/** The members of an entry's target that the caller knows. */
function subset(target: unknown, known: object | undefined): object | undefined {
  if (known === undefined) return undefined;
  return Object.fromEntries(Object.keys(known).map((name) => [name, field(target, name)]));
}

describe("the writes of these callers", () => {
  test("are those of every route that writes, but for those with a reason", () => {
    const source = writeRecords.toString() + writeMembers.toString();
    const rest = writeConfiguration.toString() + writeDocuments.toString();
    const missing = capabilities
      .filter(({ definition }) => definition.method !== "GET" && definition.asks !== true)
      .map(({ capability }) => capability)
      .filter((route) => !(source + rest).includes(`"${route}"`) && !(route in leftOut));
    expect(missing).toEqual([]);
  });
});
