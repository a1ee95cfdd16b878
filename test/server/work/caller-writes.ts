import { expect } from "vitest";
import { capabilities } from "#contract/access/permissions.ts";
import { file, formOf, uploadPath } from "#test/support/document-forms.ts";
import { field, type Answered } from "#test/support/platform.ts";
import { membersPath, text, type Person } from "../domains/members/world.ts";

/** An acknowledged write, and what its audit entry has to say. */
export interface Write {
  readonly route: string;
  readonly requestId: string;
  readonly actor: string;
  readonly path: string;
  /** The workspace of its log; empty for the log of the platform. */
  readonly log: string;
  /** Members of the target, of which the caller knows the values. */
  readonly target: object | undefined;
  /** The subject of its event in the feed, where the caller knows it. */
  readonly subject: string | undefined;
}

/** A write of a caller: its path, and how it is checked. */
interface Sent {
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  readonly rawBody?: string | FormData;
  readonly log?: string;
  readonly target?: (answered: Answered) => object;
  readonly subject?: string;
}

/** A caller, who keeps in mind what it has written. */
export class Hand {
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
    const answered = await this.#untilServed(() =>
      this.person.call.call(method, path, { headers, ...content }),
    );
    expect(answered.status, `${route} ${requestId}: ${answered.text}`).toBeLessThan(300);
    const actor = this.person.oid;
    const [sentTo = ""] = path.split("?");
    const written = { route, requestId, actor, log, path: sentTo };
    const given = target?.(answered);
    this.writes.push({ ...written, target: given, subject: sent.subject ?? subjectIn(given) });
    return answered;
  }

  /**
   * A busy machine may refuse a write (503), which then has no effect and no entry of this name.
   * The caller waits as long as the refusal says: otherwise all of them would keep it busy.
   */
  async #untilServed(send: () => Promise<Answered>): Promise<Answered> {
    const endsAtMs = performance.now() + patienceMs;
    for (;;) {
      const answered = await send();
      if (answered.status !== 503 || performance.now() > endsAtMs) return answered;
      await Bun.sleep(Number(answered.headers.get("retry-after") ?? 1) * 1_000);
    }
  }
}

const patienceMs = 45_000;

/** The id of a record, or the slug of a type, in the target of an audit entry. */
function subjectIn(target: object | undefined): string | undefined {
  const name = field(target, "id") ?? field(target, "slug");
  return typeof name === "string" ? name : undefined;
}

const routes = new Map(capabilities.map((each) => [each.capability, each]));

/** Writes whose effect ends the caller's access, or that need what this test does not have. */
export const leftOut: Readonly<Record<string, string>> = {
  "webhookSources.receive": "is signed by its sender, who is no caller",
  "webhookSources.replay": "needs a received call",
  ...Object.fromEntries(
    ["Datasets.create", "Datasets.replace", "Datasets.update", "Datasets.remove", "Datasets.import"]
      .concat(["Datasets.cancelImport", "Features.create", "Features.update", "Features.remove"])
      .concat(["Reports.create", "Reports.replace", "Reports.update", "Reports.remove"])
      .concat(["Collections.createItem", "Collections.replaceItem", "Collections.updateItem"])
      .concat(["Collections.removeItem", "Reports.startResult"])
      .map((name) => [`geo${name}`, "its events and entries are those of test/server/domains/geo"]),
  ),
  "archives.create": "its event is that of its job",
  "archives.remove": "its event is that of its job",
  "archives.import": "its event is that of its job",
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
  "members.resetPassword": "is for the administrator of the installation",
  "members.resetFactors": "is for the administrator of the installation",
  "workspaces.createRoot": "is for the administrator of the installation",
  "documents.retryJob": "needs a job that has failed",
  "documents.cancelJob": "needs a job that still runs",
  "reviews.decide": "needs a document that is to be reviewed",
  "marks.set": "has no entry and no event: only its person reads a mark",
  "alerts.acknowledge": "needs an alert that the schedule has raised",
  "classifiers.train": "trains for seconds",
  "documents.ragIndex": "its job is that of an upload",
  "chat.stream": "is chat.send as a stream",
  "chat.stop": "needs an answer that is being written",
  ...Object.fromEntries(
    ["send", "replace", "change", "remove"].map((verb) => [
      `verticals.${verb}`,
      "its write is a request to a route of records",
    ]),
  ),
  "contentUnderstanding.apply": "takes one caller of a workspace at a time",
};

export const records = (workspace: string, slug: string): string =>
  `/v4/data/resources/${workspace}/${slug}`;

/** Records of the type that the callers of a workspace share, so that their writes are merged. */
export async function writeRecords(hand: Hand): Promise<void> {
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
    await hand.write("resources.patch", `${own}/${id}`, {
      body: { data: { title: `${name} patched` } },
      target,
    });
    await hand.write("resources.upsert", `${own}/by/code/${encodeURIComponent(name)}`, {
      body: { data: { title: name } },
      target: idOf,
    });
    await hand.write("resources.executeAction", `${own}/${id}/actions/close`, { body: {}, target });
    const place = `${own}/${id}/files/plan?filename=plan.txt`;
    const headers = { "content-type": "text/plain" };
    const rawBody = `Plan of ${name}`;
    await hand.write("resources.uploadFile", place, { rawBody, headers, target });
    await hand.write("resources.deleteFile", `${own}/${id}/files/plan`);
    await hand.write("resources.restore", `${own}/${id}/restore`, { body: { version: 1 }, target });
    await hand.write("resources.delete", `${own}/${id}`);
  }
  await hand.write("resources.batch", `${own}/batch`, {
    body: { items: [{ op: "create", data: { title: name } }] },
    headers: { "idempotency-key": "mixed" },
  });
  const batch = { body: { items: [{ title: name }, { title: name }] } };
  const made = await hand.write("resources.batchCreate", `${own}/batch/create`, batch);
  const ids = (field(made.json, "results") as { id: string }[]).map(({ id }) => id);
  const items = ids.map((id) => ({ id, version: 1, data: { title: `${name} again` } }));
  await hand.write("resources.batchUpdate", `${own}/batch/update`, { body: { items } });
  await hand.write("resources.batchDelete", `${own}/batch/delete`, { body: { ids } });
  const file = { digest: "ab".repeat(32), filename: `${name}.csv` };
  const begun = await hand.write("imports.start", `${own}/imports`, { body: file });
  const { id: importId } = idOf(begun);
  await hand.write("imports.rows", `${own}/imports/${importId}/rows`, {
    body: { items: [{ op: "create", row: 2, data: { title: name } }], last: true },
  });
}

export async function writeMembers(hand: Hand, colleague: Person): Promise<void> {
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
  const subject = colleague.oid;
  const role = { body: { role: "tenant-staff" }, target, subject };
  await hand.write("members.setRole", `${members}/${memberId}/roles`, role);
  await hand.write("members.disable", `${members}/${memberId}/disable`, { target, subject });
  await hand.write("members.enable", `${members}/${memberId}/enable`, { target, subject });
  await hand.write("members.provisionUser", `${tenant}/users/${colleague.oid}/provision`, {
    body: { role: "tenant-viewer" },
  });
  await hand.write("members.remove", `${members}/${memberId}`, { target, subject });
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

export async function writeConfiguration(hand: Hand): Promise<void> {
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
  const sources = "/v4/webhooks/sources";
  const source = await hand.write("webhookSources.create", sources, { body: { name }, headers });
  const sourcePath = `${sources}/${text(source, "source")}`;
  await hand.write("webhookSources.update", sourcePath, { body: { name: "Other" }, headers });
  await hand.write("webhookSources.rotate", `${sourcePath}/rotate`, { headers });
  await hand.write("webhookSources.remove", sourcePath, { headers });
  const hooks = "/v4/webhooks/endpoints";
  const hook = await hand.write("webhooks.create", hooks, { body: { temporary: true }, headers });
  const hookPath = `${hooks}/${text(hook, "id")}`;
  await hand.write("webhooks.update", hookPath, { body: { description: name }, headers });
  await hand.write("webhooks.test", `${hookPath}/test`, { headers });
  await hand.write("webhooks.rotate", `${hookPath}/rotate`, { body: {}, headers });
  await hand.write("webhooks.enable", `${hookPath}/enable`, { headers });
  await hand.write("webhooks.replay", `${hookPath}/replay`, { body: { failed: true }, headers });
  await hand.write("webhooks.pull", `${hookPath}/pull`, { body: {}, headers });
  await hand.write("webhooks.remove", hookPath, { headers });
  const rules = "/v4/realtime/alert-rules";
  const alertRule = await hand.write("alerts.createRule", rules, {
    body: { name, kind: "job" },
    headers,
  });
  const rulePath = `${rules}/${text(alertRule, "id")}`;
  await hand.write("alerts.updateRule", rulePath, { body: { enabled: false }, headers });
  await hand.write("alerts.removeRule", rulePath, { headers });
  const channels = "/v4/realtime/alert-channels";
  await hand.write("alerts.updateChannels", channels, { body: { mail: true }, headers });
  const children = `${tenant}/children`;
  const child = await hand.write("workspaces.createChild", children, {
    body: { slug: `child-${name}`, displayName: name, starterTemplate: "empty-template" },
  });
  const id = text(child, "id");
  await hand.write("workspaces.bootstrapAdmin", `${children}/${id}/bootstrap-admin`, { log: id });
  const own = `/v4/platform/tenants/${id}`;
  await hand.write("workspaces.update", own, { body: { timeZone: "UTC" }, log: id });
  await hand.write("workspaceRemoval.delete", `${own}/delete`, { log: id });
  await hand.write("workspaceRemoval.restore", `${own}/restore`, { log: id });
  await hand.write("workflows.request", "/v4/workflows/runtime-requests", {
    body: { tenant_id: workspace, workflow_key: "planning-assistant" },
  });
}

export async function writeDocuments(hand: Hand): Promise<void> {
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
  const document = `${base}/records/${text(sent, "documentId")}`;
  await hand.write("documents.delete", `${document}?trash=true`, { headers });
  await hand.write("documents.restore", `${document}/restore`, { headers });
  await hand.write("documents.delete", document, { headers });
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
