import * as z from "zod";
import { citation } from "#contract/chat.ts";
import { routes } from "#contract/index.ts";
import { answer, extended, oneOf, reply, transportProof, type Answer } from "./answer.ts";

const { identity, factors, workspaceRemoval, members, resources, documents } = routes;
const { apps, audit, keys, workflows, chat, storage, capabilities, objectTypes, starterTemplates } =
  routes;

const proof = { request: transportProof };
const membership = reply(identity.tenants).schema;
const writtenRecord = z.strictObject({
  type: z.string(),
  id: z.string(),
  action: z.string(),
  version: z.int().optional(),
});
const change = z.looseObject({
  action: z.enum(["add", "change", "rename", "drop"]),
  part: z.enum(["type", "property", "link", "action"]),
  name: z.string(),
  target: z.string().optional(),
  to: z.string().optional(),
  keywords: z.array(z.string()).optional(),
  dataLoss: z.string(),
});
const workspaceItem = z.looseObject({ id: z.string(), slug: z.string() });
const partState = z.enum(["present", "absent", "not permitted", "failing", "not checked"]);
const verdict = { state: partState, code: z.string().optional(), status: z.int().optional() };

const chatLines: Answer = {
  form: "lines",
  schema: z.union([
    z.looseObject({ type: z.literal("text"), text: z.string() }),
    z.looseObject({ type: z.literal("citation"), citation }),
    z.looseObject({ type: z.literal("error"), code: z.string(), message: z.string() }),
    z.looseObject({ type: z.literal("finish"), complete: z.boolean() }),
    z.looseObject({ type: z.string() }),
  ]),
};

/** The answer about several files, each with its outcome. */
const uploadedFiles = answer({
  files: z.array(
    z.strictObject({
      path: z.string(),
      outcome: z.string(),
      jobId: z.string().optional(),
      documentId: z.string().optional(),
      documentNumber: z.string().optional(),
      duplicateOf: z.string().optional(),
      jobStatus: z.string().optional(),
      error: z.strictObject({ code: z.string(), message: z.string() }).optional(),
    }),
  ),
  accepted: z.int(),
  duplicates: z.int(),
  sentBefore: z.int(),
  failed: z.int(),
  notSent: z.int(),
});

/** Answers of the commands that talk to a platform, by their paths. */
export const platformAnswers: Readonly<Record<string, Answer>> = {
  "workspace list": oneOf(
    answer({ items: z.array(workspaceItem), selected: z.string().nullable() }),
    { schema: membership },
  ),
  "workspace select": answer({ selected: workspaceItem }),
  "workspace info": { schema: workspaceItem },
  "workspace create": { schema: z.looseObject({ id: z.string(), slug: z.string().optional() }) },
  "workspace delete": oneOf(reply(workspaceRemoval.delete), reply(workspaceRemoval.purgeChild)),
  "workspace restore": reply(workspaceRemoval.restore),
  "workspace templates list": reply(starterTemplates.list),
  "workspace templates export": oneOf(
    { schema: z.array(z.looseObject({ slug: z.string() })) },
    answer({ key: z.string(), output: z.string(), objectTypes: z.int() }),
  ),
  "user list": reply(members.list),
  "user invite": reply(members.invite),
  "user invitations": reply(members.invitations),
  "user uninvite": reply(members.revokeInvitation),
  "user accept": reply(identity.acceptInvitation),
  "user decline": reply(identity.declineInvitation),
  "user roles": reply(members.roleDefinitions),
  "user role set": oneOf(reply(members.setRole), reply(members.invite)),
  "user role create": reply(members.createRole),
  "user role delete": reply(members.deleteRole),
  "user rules": reply(routes.groupRules.list),
  "user rule set": reply(routes.groupRules.set),
  "user rule delete": reply(routes.groupRules.delete),
  "user remove": reply(members.remove),
  "user leave": reply(members.leave),
  "user disable": oneOf(reply(members.disable), reply(members.disableUser)),
  "user enable": oneOf(reply(members.enable), reply(members.enableUser)),
  "user revoke-tokens": oneOf(reply(identity.revokeTokens), reply(members.revokeUserTokens)),
  "user provision-me": reply(identity.provision),
  "user can": oneOf(reply(capabilities.evaluate), reply(capabilities.catalog)),
  "user reset-factors": reply(members.resetFactors),
  "account factors list": reply(factors.list),
  "account factors add": oneOf(reply(factors.add), reply(factors.confirm)),
  "account factors confirm": reply(factors.confirm),
  "account factors remove": reply(factors.remove),
  "account factors codes": reply(factors.renewCodes),
  "account sessions": reply(identity.sessions),
  "account sign-out": oneOf(reply(identity.endSession), reply(identity.revokeTokens)),
  "account password": reply(identity.changePassword),
  "workspace quota": reply(routes.quotas.read),
  "audit list": reply(audit.list),
  "audit verify": answer({
    ok: z.boolean(),
    entries: z.int(),
    head: z.string().nullable(),
    fault: z.string().nullable(),
  }),
  "audit export": answer({ output: z.string(), entries: z.int(), head: z.string().nullable() }),
  "key list": reply(keys.list),
  "key create": reply(keys.create),
  "key role": reply(keys.setRole),
  "key revoke": reply(keys.revoke),
  "types diff": answer({
    tenantId: z.string(),
    inSync: z.boolean(),
    losesData: z.boolean(),
    types: z.array(
      z.strictObject({ slug: z.string(), action: z.string(), changes: z.array(change) }),
    ),
    onlyStored: z.array(z.string()),
  }),
  "types seed": answer({
    environment: z.string(),
    tenantId: z.string(),
    dryRun: z.boolean(),
    results: z.array(
      z.strictObject({
        slug: z.string(),
        state: z.string(),
        actions: z.array(z.string()).optional(),
        error: z
          .strictObject({ code: z.string(), message: z.string(), status: z.int().optional() })
          .optional(),
      }),
    ),
  }),
  "types pull": answer({ output: z.string(), tenantId: z.string(), objectTypes: z.int() }),
  "resources list": reply(resources.list),
  "resources get": reply(resources.get),
  "resources create": extended(reply(resources.create), proof),
  "resources update": reply(resources.update),
  "resources delete": answer({
    id: z.string(),
    type: z.string(),
    deleted: z.literal(true),
    ...proof,
  }),
  "resources history": reply(resources.history),
  "resources query": reply(resources.query),
  "resources search": reply(resources.search),
  "resources aggregate": reply(resources.aggregate),
  "resources batch-create": extended(reply(resources.batchCreate), proof),
  "resources batch-update": extended(reply(resources.batchUpdate), proof),
  "resources batch-delete": extended(reply(resources.batchDelete), proof),
  "resources file upload": reply(resources.uploadFile),
  "resources file get": oneOf(
    answer({
      property: z.string(),
      output: z.string(),
      size: z.int(),
      filename: z.string().optional(),
      contentType: z.string().optional(),
      sha256: z.string().optional(),
      verified: z.boolean().optional(),
    }),
    { schema: z.looseObject({ url: z.string(), expiresAt: z.string().optional() }) },
  ),
  "resources file delete": answer({
    id: z.string(),
    type: z.string(),
    property: z.string(),
    deleted: z.literal(true),
    ...proof,
  }),
  "resources schema": reply(objectTypes.schema),
  "resources storage status": reply(storage.status),
  "resources storage doctor": reply(storage.doctor),
  "resources doctor": reply(storage.doctor),
  "resources sync-schema": reply(storage.syncSchema),
  "resources indexes-plan": reply(storage.indexPlan),
  "provision storage": reply(storage.provision),
  "docs upload": oneOf(reply(documents.upload), uploadedFiles),
  "docs classify": oneOf(reply(documents.upload), uploadedFiles),
  "docs job": reply(documents.job),
  "docs get": reply(documents.record),
  "chat send": reply(chat.send),
  "chat stream": chatLines,
  chat: chatLines,
  "app list": extended(reply(resources.list), { selected: z.string().nullable() }),
  "app create": reply(apps.create),
  "app select": answer({ key: z.string(), file: z.string() }),
  "app provision": oneOf(reply(apps.job), reply(storage.provision)),
  "workflow provision": answer({
    workflow_key: z.string(),
    app: z.string(),
    records: z.array(writtenRecord),
    variables: z.record(z.string(), z.string()),
    places: z.array(z.string()),
  }),
  "workflow readiness": reply(workflows.readiness),
  "workflow status": reply(workflows.status),
  "workflow request": reply(workflows.request),
  verify: answer({
    ok: z.boolean(),
    checks: z.array(
      z.strictObject({ name: z.string(), ok: z.boolean(), detail: z.string(), ...verdict }),
    ),
  }),
  "verify storage": answer({
    ok: z.boolean(),
    status: reply(storage.status).schema,
    diagnosis: reply(storage.doctor).schema,
  }),
  "verify isolation": answer({
    ok: z.boolean(),
    tried: z.int(),
    leaks: z.array(
      z.strictObject({
        route: z.string(),
        place: z.string(),
        reason: z.string(),
        status: z.strictObject({ foreign: z.int(), absent: z.int() }),
      }),
    ),
    notTried: z.array(
      z.strictObject({ route: z.string(), place: z.string().nullable(), reason: z.string() }),
    ),
    left: z.array(z.string()),
  }),
  "verify calls": answer({
    ok: z.boolean(),
    baseUrl: z.string(),
    workspace: z.string(),
    counts: z.record(z.string(), z.int()),
    calls: z.array(
      z.strictObject({
        part: z.string(),
        call: z.string(),
        detail: z.string().optional(),
        ...verdict,
      }),
    ),
  }),
  ...Object.fromEntries(
    ["get", "post", "patch", "put", "delete"].map((method) => [
      `publicapi ${method}`,
      { schema: z.unknown().describe("The JSON that the platform sent") },
    ]),
  ),
};
