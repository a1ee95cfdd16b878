import { expect, test } from "vitest";
import {
  isolationCells,
  type Cell,
  type Ids,
  type Request,
} from "#commands/verify/isolation/cells.ts";
import { capabilityNamed } from "#contract/access/permissions.ts";
import { absentLike } from "#commands/verify/isolation/gather.ts";
import { tryCell, type Leak, type Seen } from "#commands/verify/isolation/compare.ts";
import { file, formOf, uploadPath } from "#test/support/document-forms.ts";
import { eventually } from "#test/support/eventually.ts";
import {
  caller,
  describePlatform,
  field,
  type Caller,
  type TestPlatform,
} from "#test/support/platform.ts";
import { membersPath, newMember, newRoot } from "./domains/members/world.ts";
import {
  archiveAndImports,
  calledSource,
  datasetWithFeature,
  good,
  textOf,
} from "./isolation-things.ts";

/** How the foreign workspace is related to the caller's. */
const relations = ["sibling", "parent", "child", "stranger"] as const;
type Relation = (typeof relations)[number];

const caseType = (slug: string) => ({
  name: "Case",
  slug,
  properties: {
    title: { type: "string", searchable: true, indexed: true },
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
});

/** One thing of each kind in a workspace, whose admin the caller is; their ids. */
async function furnish(the: TestPlatform, call: Caller, workspace: string): Promise<Ids> {
  const headers = { "x-tenant-id": workspace };
  const tenant = `/v4/platform/tenants/${workspace}`;
  const word = `zq${crypto.randomUUID().replaceAll("-", "")}`;
  const objectType = `case-${word}`;
  const types = "/v4/data/resources/object-types";
  const type = good(await call.post(types, caseType(objectType), { headers }));
  const cases = `/v4/data/resources/${workspace}/${objectType}`;
  const record = good(await call.post(cases, { title: word, status: "open" }));
  const id = textOf(record, "id");
  const plan = { headers: { "content-type": "text/plain" }, rawBody: `A plan of ${word}.` };
  good(await call.call("POST", `${cases}/${id}/files/plan?filename=plan.txt`, plan));
  const keys = { vertical_key: "portal", workflow_key: "planning-assistant" };
  const config = { documentLifecycle: "planning-assist-v1" };
  const records = `/v4/data/resources/${workspace}`;
  good(await call.post(`${records}/vertical-product-config`, { ...keys, config }));
  good(await call.post(`${records}/shared-workflow-config`, { workflow_key: keys.workflow_key }));
  const rawBody = formOf(
    ["tenant_id", workspace],
    ["storage_target", "resourceapi"],
    ["processing_mode", "full"],
    ["vertical_key", keys.vertical_key],
    ["workflow_key", keys.workflow_key],
    ["files", file(`${word}.txt`, `The letter of ${word}.`, "text/plain")],
  );
  const sent = good(await call.post(uploadPath, undefined, { headers, rawBody }));
  const jobId = textOf(sent, "jobId");
  await eventually(async () => {
    const job = await call.get(`/v4/data/documents/jobs/${jobId}`, { headers });
    expect(field(job.json, "status")).toBe("succeeded");
  });
  const chat = await call.post(`/v4/ai/chat/${workspace}/planning-assistant/chat`, {
    message: `Summarise the letter of ${word}`,
  });
  const role = await call.post(`${tenant}/role-definitions`, {
    key: "reader",
    displayName: "Reader",
    permissions: ["resources.list"],
  });
  const key = await call.post(`${tenant}/keys`, { name: "Import", role: "tenant-viewer" });
  const rule = good(
    await call.post(`${tenant}/group-rules`, {
      value: word,
      role: "tenant-viewer",
      issuer: "https://login.example.org",
    }),
  );
  const email = `${word}@example.org`;
  const invited = good(await call.post(`${membersPath(workspace)}/invite`, { email }));
  const member = await newMember(the, workspace);
  const classifiers = "/v4/data/documents/classifiers";
  const labels = [{ key: "letter" }, { key: "plan" }];
  const classifierKey = `letters-${word}`;
  const classifier = { displayName: "Letters", labels };
  good(await call.put(`${classifiers}/${classifierKey}`, classifier, { headers }));
  const example = good(
    await call.post(
      `${classifiers}/${classifierKey}/examples`,
      { examples: [{ label: "letter", text: `A letter of ${word}.` }] },
      { headers },
    ),
  );
  const examples = await call.get(`${classifiers}/${classifierKey}/examples`, { headers });
  expect(example.status).toBeLessThan(300);
  const app = `app-${word}`;
  good(await call.post(`${tenant}/apps`, { key: app, displayName: "App" }));
  const provisioned = good(await call.post(`${tenant}/apps/${app}/provisioning-jobs`));
  const registered = good(
    await call.post(
      "/v4/platform/provisioning/idp-apps",
      { key: app, displayName: "App", redirectUris: ["https://app.example.org/back"] },
      { headers },
    ),
  );
  const endpoint = good(
    await call.post("/v4/webhooks/endpoints", { temporary: true, description: word }, { headers }),
  );
  const endpointId = textOf(endpoint, "id");
  const delivery = good(
    await call.post(`/v4/webhooks/endpoints/${endpointId}/test`, undefined, { headers }),
  );
  const received = await calledSource(the, call, workspace, word);
  const items = field(examples.json, "items") as { exampleId?: string; id?: string }[];
  return {
    tenantId: workspace,
    parentId: workspace,
    childId: workspace,
    objectType,
    objectTypeId: textOf(type, "id"),
    id,
    word,
    email: member.email,
    oid: member.oid,
    memberId: member.memberId,
    documentId: textOf(sent, "documentId"),
    jobId,
    conversationId: textOf(chat, "conversation_id"),
    roleDefinitionId: textOf(role, "id"),
    keyId: textOf(key, "key", "keyId"),
    ruleId: textOf(rule, "ruleId"),
    invitationId: textOf(invited, "invitation", "invitationId"),
    classifierKey,
    exampleId: items[0]?.exampleId ?? items[0]?.id ?? "",
    key: app,
    provisioningId: textOf(provisioned, "jobId"),
    clientId: textOf(registered, "clientId"),
    requestId: word,
    endpointId,
    deliveryId: textOf(delivery, "id"),
    ...received,
    ...(await enrolledProduct(call, workspace, { word, objectType })),
    ...(await datasetWithFeature(call, workspace, word)),
    ...(await archiveAndImports(call, workspace, { word, objectType })),
    ...(await raisedAlert(the, call, workspace, objectType)),
  };
}

/** A rule of everyone's alerts, and an alert that it has raised. */
async function raisedAlert(
  the: TestPlatform,
  call: Caller,
  workspace: string,
  objectType: string,
): Promise<Ids> {
  const headers = { "x-tenant-id": workspace };
  const rule = { name: "cases", kind: "event", types: [objectType], role: "tenant-viewer" };
  const made = good(await call.post("/v4/realtime/alert-rules", rule, { headers }));
  good(await call.post(`/v4/data/resources/${workspace}/${objectType}`, { status: "open" }));
  await the.platform.services.alerts.scheduler.look();
  const listed = good(await call.get("/v4/realtime/alerts?limit=1", { headers }));
  return { alertRuleId: textOf(made, "id"), alertId: textOf(listed, "items", "0", "id") };
}

/** A product of this workspace alone, which declares a route for its records. */
async function enrolledProduct(
  call: Caller,
  workspace: string,
  { word, objectType }: { readonly word: string; readonly objectType: string },
): Promise<Ids> {
  const product = `product-${word}`;
  const records = `/v4/data/resources/${workspace}`;
  const enrollment = { vertical_key: product, display_name: word, status: "active" };
  good(await call.post(`${records}/tenant-vertical-enrollment`, enrollment));
  const routes = [{ method: "GET", path: "applications", type: objectType }];
  const binding = { vertical_key: product, workflow_key: word, status: "active" };
  good(await call.post(`${records}/vertical-product-config`, { ...binding, config: { routes } }));
  const headers = { "x-tenant-id": workspace };
  const listed = good(await call.get(`/v4/verticals/${product}/applications`, { headers }));
  expect(listed.text).toContain(word);
  return { product };
}

/** Cells in which a route is to reach a neighbour's thing, with the reason. */
function isMeant(relation: Relation, route: string, place: string): boolean {
  // The admin of a parent takes over and purges its children (spec 4.4, 4.7).
  if (relation === "child" && place === "path:childId") return true;
  // A user of a workspace around this one is known, and invited.
  if (route === "members.provisionUser" && place === "path:oid") return relation !== "stranger";
  if (relation !== "child") return false;
  // An app is provisioned into a child.
  if (route === "apps.create" || route === "apps.provision") return place.startsWith("body:");
  return route === "members.memberships" && place === "path:oid";
}

/** A child of a workspace, whose admin the caller becomes. */
async function newChild(call: Caller, parent: string): Promise<string> {
  const path = `/v4/platform/tenants/${parent}/children`;
  const slug = `child-${crypto.randomUUID().slice(0, 8)}`;
  const starterTemplate = "blank-vertical-template";
  const made = good(await call.post(path, { slug, displayName: slug, starterTemplate }));
  const id = textOf(made, "id");
  good(await call.post(`${path}/${id}/bootstrap-admin`));
  return id;
}

function placesOf(cells: readonly Cell[], wanted: string): string[] {
  return cells.filter(({ route }) => route === wanted).map(({ place }) => place);
}

describePlatform("in the isolation matrix, a foreign id is answered as an absent one", (the) => {
  test.each(relations)("of a %s, in every place of every route", async (relation) => {
    const system = the().as("system-admin");
    const parent = await newRoot(the());
    const own = await newChild(system, parent);
    const workspaces: Readonly<Record<Relation, () => Promise<string>>> = {
      sibling: () => newChild(system, parent),
      parent: async () => parent,
      child: () => newChild(system, own),
      stranger: () => newRoot(the()),
    };
    const foreign = await furnish(the(), system, await workspaces[relation]());
    for (const [name, id] of Object.entries(foreign)) {
      expect(id, name).not.toMatch(/^(?:undefined|)$/);
    }
    const prober = await newMember(the(), own, { role: "tenant-admin" });
    const childId = await newChild(system, own);
    const ownIds = { ...(await furnish(the(), system, own)), childId };
    const { fetch } = caller((request) => the().platform.fetch(request), prober.token);
    const secrets = [foreign["word"] ?? "", foreign["email"] ?? ""];
    const leaks: Leak[] = [];
    const statuses = new Map<number, number>();
    /** Sends a request; a secret word of the foreign workspace must not come back. */
    const send = async (cell: Cell, request: Request): Promise<Seen> => {
      const { method, path, headers, body, form } = request;
      const given = body === undefined ? {} : { body };
      const raw =
        form === undefined
          ? { headers }
          : { headers: { ...headers, "content-type": form.contentType }, rawBody: form.text };
      const answered = await fetch(method, path, { ...raw, ...given });
      const { status } = answered;
      const text = await answered.text();
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
      const sent = JSON.stringify(request);
      if (secrets.some((secret) => !sent.includes(secret) && text.includes(secret))) {
        const { route, place } = cell;
        const reason = "the answer has a foreign word";
        leaks.push({ route, place, status: { foreign: status, absent: status }, reason });
      }
      return { status, headers: answered.headers, text };
    };
    const { cells, untried } = isolationCells(ownIds, new Set(Object.keys(foreign)));
    const accesses = new Set(cells.map(({ route }) => capabilityNamed(route)?.access));
    expect(accesses).toContain("public");
    expect(accesses).toContain("system-admin");
    expect(cells.filter(({ route }) => route === "documents.upload")).toHaveLength(6);
    expect(placesOf(cells, "verticals.read")).toContain("path:product");
    expect(placesOf(cells, "imports.rows")).toContain("path:importId");
    expect(placesOf(cells, "archives.importJob")).toContain("path:archiveImportId");
    expect(placesOf(cells, "geoDatasets.cancelImport")).toContain("path:datasetImportId");
    expect(placesOf(cells, "apps.job")).toContain("path:provisioningId");
    expect(placesOf(cells, "realtime.negotiate")).toContain("header:X-Tenant-Id");
    expect(untried.map(({ route }) => route)).not.toContain("documents.upload");
    const tried = cells.filter(({ route, place }) => !isMeant(relation, route, place));
    const absent = absentLike(foreign);
    for (const cell of tried) {
      const leak = await tryCell(cell, { foreign, absent }, (request) => send(cell, request));
      if (leak !== undefined) leaks.push(leak);
    }
    console.log(
      `isolation from a ${relation} on ${the().engine}: ${tried.length} cells tried, ` +
        `${cells.length - tried.length} reach a neighbour by design, ${leaks.length} leaks; ` +
        `answers by status ${JSON.stringify(Object.fromEntries(statuses))}`,
    );
    expect(leaks).toEqual([]);
    expect(tried.length).toBeGreaterThan(200);
  });

  test("a cursor, a key of an earlier request and a signed link are of one workspace", async () => {
    const system = the().as("system-admin");
    const [one, other] = [await newRoot(the()), await newRoot(the())];
    const first = await furnish(the(), system, one);
    const second = await furnish(the(), system, other);
    const lists = (ids: Ids) => [
      `/v4/platform/tenants/${ids["tenantId"]}/members?limit=1`,
      `/v4/platform/tenants/${ids["tenantId"]}/audit?limit=1`,
    ];
    for (const [index, path] of lists(first).entries()) {
      const page = await system.get(path);
      const cursor = encodeURIComponent(textOf(page, "nextCursor"));
      const foreign = await system.get(`${lists(second)[index]}&cursor=${cursor}`);
      const absent = await system.get(`${lists(second)[index]}&cursor=eyJub25lIjoxfQ.none`);
      expect(foreign.status).toBe(422);
      expect(field(foreign.json, "errors")).toEqual(field(absent.json, "errors"));
    }
    const feed = textOf(await system.get(lists(first)[0] ?? ""), "feedCursor");
    const stream = async (ids: Ids, cursor: string) => {
      const path = `/v4/realtime/events?cursor=${encodeURIComponent(cursor)}`;
      const tenant = { "x-tenant-id": ids["tenantId"] ?? "" };
      return system.get(path, { headers: tenant });
    };
    const [follows, never] = [await stream(second, feed), await stream(second, "none")];
    expect([follows.status, field(follows.json, "reason")]).toEqual([410, "unknown-cursor"]);
    expect(field(follows.json, "resources")).toEqual(field(never.json, "resources"));
    const headers = { "idempotency-key": "the-same" };
    const made = await Promise.all(
      [first, second].map(async (ids) => {
        const cases = `/v4/data/resources/${ids["tenantId"]}/${ids["objectType"]}`;
        return textOf(good(await system.post(cases, { title: "one" }, { headers })), "id");
      }),
    );
    expect(made[0]).not.toBe(made[1]);
    const files = (ids: Ids, id = ids["id"]) =>
      `/v4/data/resources/${ids["tenantId"]}/${ids["objectType"]}/${id}/files/plan`;
    const link = textOf(good(await system.get(`${files(first)}?access=url`)), "url");
    const token = new URL(link).pathname.split("/").at(-1) ?? "";
    const anonymous = the().as("nobody");
    expect((await anonymous.get(`/v4/data/files/${token}`)).status).toBe(200);
    // The content is readable; a link for another record needs another signature.
    const [content = "", ...rest] = token.split(".");
    const text = Buffer.from(content, "base64url").toString();
    const forged = text
      .replaceAll(first["tenantId"] ?? "", second["tenantId"] ?? "")
      .replaceAll(first["id"] ?? "", second["id"] ?? "");
    const swapped = [Buffer.from(forged).toString("base64url"), ...rest].join(".");
    const refused = await anonymous.get(`/v4/data/files/${swapped}`);
    const none = await anonymous.get(`/v4/data/files/${swapped.slice(0, -4)}none`);
    expect(refused.status).toBeGreaterThanOrEqual(400);
    expect([refused.status, field(refused.json, "detail")]).toEqual([
      none.status,
      field(none.json, "detail"),
    ]);
  });
});
