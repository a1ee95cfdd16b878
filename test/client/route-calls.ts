import { expect } from "vitest";
import { alertCalls } from "./alert-calls.ts";
import {
  all,
  closedUrl,
  count,
  elm,
  type,
  unlessClosed,
  upload,
  type Scene,
  type SpecifiedCall,
} from "./specified-calls.ts";
import { archiveCalls } from "./archive-calls.ts";
import { geoCalls } from "./geo-calls.ts";
import { importCalls } from "./import-calls.ts";
import { verticalCalls } from "./vertical-calls.ts";
import { webhookSourceCalls } from "./webhook-source-calls.ts";
import { webhookCalls } from "./webhook-calls.ts";
import { workspaceCalls } from "./workspace-calls.ts";

function form({ names, file, client }: Scene) {
  return {
    fields: {
      tenant_id: client.tenantId ?? "",
      storage_target: "resourceapi" as const,
      processing_mode: "store_only" as const,
      planning_application_id: names["application"],
    },
    files: [{ filename: file.name, content: file.content }],
  };
}

const recordOf = ({ record }: Scene) => ({ objectType: type, id: record });

async function typeIdOf({ client }: Scene): Promise<string> {
  const { items } = await client.objectTypes.list({ query: { limit: 500 } });
  return items.find(({ slug }) => slug === type)?.id ?? "";
}

/** The key of a new app. */
async function newApp({ client, names }: Scene, name: string): Promise<string> {
  const key = `${name}-${names["unique"]}`;
  await client.apps.create({ body: { key, displayName: "Portal" } });
  return key;
}

/** A registration for end-user sign-in; resolves to its client id. */
async function newClient({ client, names }: Scene, name: string): Promise<string> {
  const key = `${name}-client-${names["unique"]}`;
  const redirectUris = ["https://portal.example/callback"];
  const made = await client.idpApps.provision({
    body: { key, displayName: "Portal", redirectUris },
  });
  expect(made.clientId).not.toBe("");
  return made.clientId;
}

/** `client.<domain>.<route>` for the routes of the specification. */
export const routeCalls: Readonly<Record<string, SpecifiedCall>> = {
  "health.resources": { run: ({ client }) => client.health.resources() },
  "identity.me": { run: ({ client }) => client.identity.me() },
  "identity.tenants": { run: ({ client }) => client.identity.tenants() },
  "identity.provision": { run: ({ client }) => client.identity.provision() },
  "identity.updateProfile": {
    run: ({ client }) => client.identity.updateProfile({ body: { displayName: "Ada" } }),
  },
  ...workspaceCalls,
  "members.byEmail": {
    run: async ({ client }) => {
      const { items } = await client.members.list();
      const query = { email: items[0]?.email ?? "" };
      expect(await client.members.byEmail({ query })).toMatchObject(query);
    },
  },
  "members.memberships": {
    run: async ({ client }) => {
      const { oid } = await client.identity.me();
      return await client.members.memberships({ params: { oid } });
    },
  },
  "members.provisionUser": {
    run: async ({ client }) => {
      const { oid } = await client.identity.me();
      return await client.members.provisionUser({ params: { oid } });
    },
  },
  "members.list": { run: ({ client }) => client.members.list() },
  "members.invite": {
    run: ({ client, names }) =>
      client.members.invite({ body: { email: `new-${names["unique"]}@example.org` } }),
  },
  "members.setRole": {
    run: async ({ client }) => {
      const { items } = await client.members.list();
      const [member] = items.filter(({ role }) => role !== "tenant-admin").concat(items);
      const params = { memberId: member?.memberId ?? "" };
      await client.members.setRole({ params, body: { role: member?.role ?? "tenant-admin" } });
    },
  },
  "members.roleDefinitions": { run: ({ client }) => client.members.roleDefinitions() },
  "capabilities.catalog": { run: ({ client }) => client.capabilities.catalog() },
  "capabilities.evaluate": {
    run: async ({ client }) => {
      const body = { capability: "resources.list", tenantId: client.tenantId };
      expect(await client.capabilities.evaluate({ body })).toMatchObject({ allowed: true });
    },
  },
  "objectTypes.list": { run: ({ client }) => client.objectTypes.list() },
  "objectTypes.create": {
    run: ({ client, names }) =>
      client.objectTypes.create({
        body: { name: "Kerb", slug: `kerb-${names["unique"]}`, properties: {} },
      }),
  },
  "objectTypes.update": {
    run: async (scene) =>
      await scene.client.objectTypes.update({
        params: { objectTypeId: await typeIdOf(scene) },
        body: { description: "Trees of the streets" },
      }),
  },
  "objectTypes.schema": { run: ({ client }) => client.objectTypes.schema() },
  "resources.list": {
    run: ({ client }) => client.resources.list({ params: { objectType: type } }),
  },
  "resources.get": { run: (scene) => scene.client.resources.get({ params: recordOf(scene) }) },
  "resources.create": {
    run: ({ client }) => client.resources.create({ params: { objectType: type }, body: elm }),
  },
  "resources.update": {
    run: (scene) =>
      scene.client.resources.update({ params: recordOf(scene), body: { data: elm, version: 1 } }),
  },
  "resources.patch": {
    isAddition: true,
    run: (scene) => scene.client.resources.patch({ params: recordOf(scene), body: { data: elm } }),
  },
  "resources.upsert": {
    isAddition: true,
    run: ({ client }) =>
      client.resources.upsert({
        params: { objectType: type, property: "label", value: "T-1" },
        body: { data: elm },
      }),
  },
  "resources.delete": {
    run: (scene) => scene.client.resources.delete({ params: recordOf(scene) }),
  },
  "resources.deletion": {
    isAddition: true,
    run: (scene) => scene.client.resources.deletion({ params: recordOf(scene) }),
  },
  "resources.deleted": {
    isAddition: true,
    run: ({ client }) => client.resources.deleted({ params: { objectType: type } }),
  },
  "resources.restore": {
    isAddition: true,
    run: (scene) =>
      scene.client.resources.restore({ params: recordOf(scene), body: { version: 1 } }),
  },
  "resources.history": {
    run: (scene) => scene.client.resources.history({ params: recordOf(scene) }),
  },
  "resources.batch": {
    isAddition: true,
    run: ({ client }) =>
      client.resources.batch({
        params: { objectType: type },
        body: { items: [{ op: "create", data: elm }] },
      }),
  },
  "resources.batchCreate": {
    run: ({ client }) =>
      client.resources.batchCreate({ params: { objectType: type }, body: [{ data: elm }] }),
  },
  "resources.batchUpdate": {
    run: ({ client, record }) =>
      client.resources.batchUpdate({
        params: { objectType: type },
        body: [{ id: record, data: elm, version: 1 }],
      }),
  },
  "resources.batchDelete": {
    run: ({ client, record }) =>
      client.resources.batchDelete({ params: { objectType: type }, body: [record] }),
  },
  "resources.query": { run: ({ client }) => client.resources.query({ body: { types: [type] } }) },
  "resources.search": { run: ({ client }) => client.resources.search({ body: { query: "elm" } }) },
  "resources.aggregate": {
    run: ({ client }) => client.resources.aggregate({ params: { objectType: type }, body: count }),
  },
  "resources.distinct": {
    isAddition: true,
    run: ({ client }) =>
      client.resources.distinct({ params: { objectType: type }, body: { property: "species" } }),
  },
  "resources.executeAction": {
    run: (scene) =>
      scene.client.resources.executeAction({ params: { ...recordOf(scene), action: "inspect" } }),
  },
  "resources.uploadFile": { run: upload },
  "resources.downloadFile": {
    run: async (scene) => {
      await upload(scene);
      const params = { ...recordOf(scene), propertyName: "plan" };
      return await (await scene.client.resources.downloadFile({ params })).text();
    },
  },
  "resources.deleteFile": {
    run: async (scene) => {
      await upload(scene);
      const params = { ...recordOf(scene), propertyName: "plan" };
      await scene.client.resources.deleteFile({ params });
    },
  },
  "storage.status": { run: ({ client }) => client.storage.status() },
  "storage.doctor": { needs: "doctor", run: ({ client }) => client.storage.doctor() },
  "storage.provision": { run: ({ client }) => client.storage.provision() },
  "storage.syncSchema": {
    run: ({ client }) => client.storage.syncSchema({ body: { dryRun: true } }),
  },
  "storage.indexPlan": {
    run: ({ client }) => client.storage.indexPlan({ body: { objectTypes: [type] } }),
  },
  "documents.upload": { run: (scene) => scene.client.documents.upload(form(scene)) },
  "documents.job": { run: ({ client, job }) => client.documents.job({ params: { jobId: job } }) },
  "documents.record": {
    run: ({ client, document }) =>
      client.documents.record({
        params: { documentId: document },
        query: { storage_target: "resourceapi" },
      }),
  },
  "documents.content": {
    needs: "content",
    run: async ({ client, document }) => {
      const query = { storage_target: "resourceapi" as const };
      const params = { documentId: document };
      return await (await client.documents.content({ params, query })).text();
    },
  },
  "documents.delete": {
    needs: "deletion",
    run: ({ client, document }) =>
      client.documents.delete({
        params: { documentId: document },
        query: { storage_target: "resourceapi" },
      }),
  },
  "documents.deleted": {
    isAddition: true,
    run: ({ client }) => client.documents.deleted(),
  },
  "documents.restore": {
    isAddition: true,
    run: async ({ client, document }) => {
      const params = { documentId: document };
      await client.documents.delete({
        params,
        query: { storage_target: "resourceapi", trash: "true" },
      });
      return await client.documents.restore({ params });
    },
  },
  "documents.ragIndex": {
    run: async (scene) => {
      await scene.documents.waitForJob(scene.job, { waitMs: 20_000 });
      return await scene.client.documents.ragIndex({ body: { documentId: scene.document } });
    },
  },
  "documents.classifyByUrl": {
    run: ({ client }) => unlessClosed(client.documents.classifyByUrl({ body: { url: closedUrl } })),
  },
  "chat.send": {
    run: ({ client, names }) =>
      client.chat.send({
        params: { workflowId: names["workflow"] ?? "", stage: "chat" },
        body: { message: "How tall?", conversation_id: crypto.randomUUID() },
      }),
  },
  "chat.stream": {
    run: async ({ client, names }) =>
      await all(
        client.chat.stream({
          params: { workflowId: names["workflow"] ?? "", stage: "chat" },
          body: { message: "How tall?", conversation_id: crypto.randomUUID() },
        }),
      ),
  },
  "workflows.status": {
    run: async ({ client, names }) => {
      const params = { workflowKey: names["workflow"] ?? "" };
      const query = { tenant_id: client.tenantId ?? "" };
      const { status } = await client.workflows.status({ params, query });
      expect(status).toMatch(/^\w+$/);
    },
  },
  "workflows.request": {
    run: ({ client, names }) =>
      client.workflows.request({
        body: { tenant_id: client.tenantId ?? "", workflow_key: `wish-${names["unique"]}` },
      }),
  },
  "workflows.readiness": {
    needs: "readiness",
    run: async ({ client, names }) => {
      const key = names["workflow"] ?? "";
      const query = { tenant_id: client.tenantId ?? "", workflow_keys: key };
      const { items } = await client.workflows.readiness({ query });
      // A deployment may report on all keys at once.
      expect([key, ""]).toContain(items[0]?.workflow_key);
      expect(items).toMatchObject([{ ready: true }]);
    },
  },
  ...verticalCalls,
  ...alertCalls,
  "marks.list": {
    isAddition: true,
    run: async ({ client }) => {
      const query = { tenant_id: client.tenantId ?? "", place: "members" };
      expect((await client.marks.list({ query })).items).toEqual([]);
    },
  },
  "marks.set": {
    isAddition: true,
    run: async ({ client }) => {
      const body = { tenant_id: client.tenantId ?? "", place: "jobs" };
      expect(await client.marks.set({ body })).toMatchObject({ place: "jobs" });
    },
  },
  "realtime.negotiate": {
    run: async ({ client }) => {
      const { url, transports } = await client.realtime.negotiate({ body: { kinds: "record" } });
      // Another deployment may have another address for streams.
      expect(url).toMatch(/^(?:wss:\/\/|https?:\/\/.+\/v4\/realtime\/events\?)/);
      expect([[], ["sse", "websocket"]]).toContainEqual(transports);
    },
  },
  "realtime.events": {
    isAddition: true,
    run: async ({ client }) => {
      const query = { tenant_id: client.tenantId ?? "" };
      for await (const event of client.realtime.events({ query })) {
        expect(event.type).toBe("svc.feed.bookmark");
        break;
      }
    },
  },
  ...webhookCalls,
  ...webhookSourceCalls,
  ...geoCalls,
  ...archiveCalls,
  ...importCalls,
  "geo.resolveLocation": {
    needs: "geo",
    run: async ({ client }) => {
      const { matches } = await client.geo.resolveLocation({ body: { query: "51.5, -0.12" } });
      expect(matches).toMatchObject([{ name: expect.stringMatching(/\w/) }]);
    },
  },
  "idpApps.provision": { run: (scene) => newClient(scene, "provision") },
  "idpApps.rotateSecret": {
    run: async (scene) => {
      const clientId = await newClient(scene, "rotate");
      const rotated = await scene.client.idpApps.rotateSecret({ params: { clientId } });
      expect(rotated.clientSecret).toEqual(expect.any(String));
    },
  },
  "idpApps.remove": {
    run: async (scene) => {
      const params = { clientId: await newClient(scene, "remove") };
      await scene.client.idpApps.remove({ params });
      await expect(scene.client.idpApps.rotateSecret({ params })).rejects.toMatchObject({
        code: "E202",
      });
    },
  },
  "apps.create": { run: (scene) => newApp(scene, "create") },
  "apps.provision": {
    run: async (scene) => {
      const { client } = scene;
      const params = { key: await newApp(scene, "provision") };
      const body = { targetTenantId: client.tenantId };
      expect((await client.apps.provision({ params, body })).jobId).not.toBe("");
    },
  },
  "apps.job": {
    run: async (scene) => {
      const { client } = scene;
      const key = await newApp(scene, "job");
      const body = { targetTenantId: client.tenantId };
      const { jobId } = await client.apps.provision({ params: { key }, body });
      const job = await client.apps.job({ params: { key, jobId }, query: body });
      expect(job).toMatchObject({ jobId, status: expect.any(String) });
    },
  },
};
