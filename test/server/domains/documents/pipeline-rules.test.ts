import { afterAll, beforeAll, expect, test } from "vitest";
import { createClient, type Client, type Documents } from "#client/index.ts";
import { errorOf } from "#test/client/servers.ts";
import { file, makeContext, untilDone, type Context } from "#test/support/document-forms.ts";
import { startModelServer } from "#test/support/model-server.ts";
import { describePlatform, type TestUser } from "#test/support/platform.ts";
import { command, documentsNamed, problemOf, recordCounts, save } from "./pipeline-world.ts";

/** The rules of the specification's part 4.1 for documents, each with a test named after it. */

const model = await startModelServer({ answer: () => ({ text: "The wall is 2.4 metres high." }) });
const letter = "The garden wall at 18 Quay Street is 2.4 metres high.\n";
const site = Bun.serve({ port: 0, hostname: "127.0.0.1", fetch: () => new Response(letter) });
const host = `127.0.0.1:${site.port}`;
afterAll(async () => {
  await site.stop(true);
  await model[Symbol.asyncDispose]();
});

const base = "/v4/data/documents";
const standalone = { verticalKey: "planning-portal", workflowKey: "planning-assistant" };
const business = { verticalKey: "business-portal", workflowKey: "triage" };
const text = (name: string): File => file(name, `${letter}${crypto.randomUUID()}`);

describePlatform(
  "the rules for documents",
  (the) => {
    let context: Context;
    beforeAll(async () => {
      context = await makeContext(the());
      const config = { documentLifecycle: "business-document-v1", classifierKey: "letters" };
      await save(the(), "vertical-product-config", {
        vertical_key: "business-portal",
        workflow_key: "triage",
        status: "active",
        config,
      });
    });

    /** A client that keeps the method and path of each of its requests. */
    const clientOf = (user: TestUser = "tenant-staff") => {
      const seen: string[] = [];
      const headers: Headers[] = [];
      const client: Client = createClient({
        baseUrl: the().baseUrl,
        token: the().users[user].token,
        tenantId: the().workspaces.tenant,
        fetch: async (request) => {
          seen.push(`${request.method} ${new URL(request.url).pathname}`);
          headers.push(request.headers);
          return the().platform.fetch(request);
        },
      });
      return { client, documents: client.useDocuments(), seen, headers };
    };
    const planned = () => ({ planningApplicationId: context.application });
    const stored = async (documents: Documents, metadata: Record<string, string> = planned()) => {
      const accepted = await (await documents.upload(text("plan.txt"), metadata)).accepted();
      await untilDone(the(), accepted.jobId);
      return { id: accepted.documentId ?? "", jobId: accepted.jobId };
    };
    const refusedAs = async (documents: Documents, metadata: Record<string, string>) => {
      const outcome = await documents.upload(text("plan.txt"), metadata);
      return { status: outcome.status, ...(await problemOf(outcome.response)) };
    };

    test("rule 1: an upload has a real parent, or both keys of a configured workflow", async () => {
      const { documents } = clientOf();
      for (const metadata of [
        planned(),
        { ...planned(), assessCaseId: context.assessCase },
        standalone,
      ]) {
        expect((await documents.upload(text("a.txt"), metadata)).status).toBe(202);
      }
      const missing = { status: 422, code: "document-context-missing" };
      const wrong: Record<string, string>[] = [
        { planningApplicationId: crypto.randomUUID() },
        { planningApplicationId: context.foreign },
        { businessRequestId: context.application },
        { businessRequestId: context.request, assessCaseId: context.assessCase },
      ];
      for (const metadata of wrong) {
        expect(await refusedAs(documents, metadata)).toMatchObject(missing);
      }
    });

    test("rule 2: the keys name a configured workflow, and grant nothing", async () => {
      const viewer = clientOf("tenant-viewer").documents;
      expect(await refusedAs(viewer, standalone)).toMatchObject({ status: 403 });
      const stranger = createClient({
        baseUrl: the().baseUrl,
        token: the().users.outsider.token,
        tenantId: the().workspaces.tenant,
        fetch: (request) => the().platform.fetch(request),
      });
      expect(await refusedAs(stranger.useDocuments(), standalone)).toMatchObject({ status: 404 });
      const own = stranger.useDocuments(the().workspaces.other);
      const unknown = { status: 422, code: "document-context-missing" };
      expect(await refusedAs(own, standalone)).toMatchObject(unknown);
      const { documents } = clientOf();
      const unbound = { ...standalone, workflowKey: "sleeping" };
      const asleep = { status: 403, code: "workflow-unavailable" };
      expect(await refusedAs(documents, unbound)).toMatchObject(asleep);
    });

    test("rule 3: a standalone workflow creates no record", async () => {
      const before = await recordCounts(the());
      await stored(clientOf().documents, standalone);
      expect(await recordCounts(the())).toEqual(before);
      expect(before).toMatchObject({ "planning-application": 1, "assess-case": 1 });
    });

    test("rule 4: client and command refuse before any network call", async () => {
      const { documents, seen } = clientOf();
      const wrong: Record<string, string>[] = [
        { ...planned(), planning_application_id: context.foreign },
        { ...standalone, appKey: "another-portal" },
        { ...planned(), storageTarget: "blob" },
        { planningApplicationId: "  " },
        { verticalKey: "planning-portal" },
        { workflowKey: "planning-assistant" },
        { ...planned(), owner: "me" },
        { ...planned(), lifecycle: "planning-assist-v1" },
        { applicationId: context.application },
        {},
      ];
      for (const metadata of wrong) {
        for (const send of [documents.upload, documents.classify]) {
          const error = await errorOf(send(text("a.txt"), metadata));
          expect([metadata, Reflect.get(Object(error), "code")]).toEqual([
            metadata,
            Object.keys(metadata).length === 0 ? "E303" : "E305",
          ]);
        }
      }
      const conflicting = { ...planned(), processingMode: "full" as const };
      expect(await errorOf(documents.classify(text("a.txt"), conflicting))).toMatchObject({
        code: "E305",
      });
      expect(seen).toEqual([]);
      const flags = [
        ["--vertical-key", "a", "--app-key", "b", "--workflow-key", "w"],
        ["--planning-application-id", " "],
        ["--vertical-key", "planning-portal"],
        ["--owner", "me", "--planning-application-id", context.application],
        ["--storage-target", "blob", "--planning-application-id", context.application],
        [],
      ];
      for (const words of flags) {
        for (const verb of ["upload", "classify"]) {
          const called = await command(the(), ["docs", verb, "a.txt", ...words]);
          expect(called.requests).toEqual([]);
          expect(called.json).toMatchObject({
            error: { code: expect.stringMatching(/^E30[35]$/) },
          });
        }
      }
    });

    test("rule 5: a file is sent once, and no index is added to a mode without one", async () => {
      const { documents, seen } = clientOf();
      const sent = text("once.txt");
      const outcome = await documents.classify(sent, planned());
      const accepted = await outcome.accepted();
      expect(seen).toEqual([`POST ${base}/upload`]);
      expect(await untilDone(the(), accepted.jobId)).toMatchObject({
        status: "succeeded",
        stages: expect.arrayContaining([
          expect.objectContaining({ name: "classify", status: "succeeded" }),
          expect.objectContaining({ name: "index", status: "skipped" }),
        ]),
      });
      const again = await (await documents.classify(sent, planned())).accepted();
      expect(again).toMatchObject({ duplicateOf: accepted.documentId, jobId: accepted.jobId });
      const kept = await (
        await documents.upload(text("kept.txt"), { ...business, processingMode: "store_only" })
      ).accepted();
      await untilDone(the(), kept.jobId);
      expect(
        await problemOf(await documents.responses.ragIndex(kept.documentId ?? "")),
      ).toMatchObject({
        status: 422,
        code: "unsupported-processing-mode",
      });
    });

    test("rule 6: a standalone classification needs classifier, schemas and storage", async () => {
      const { documents } = clientOf();
      const builder = the().as("tenant-builder");
      const headers = { headers: { "x-tenant-id": the().workspaces.tenant } };
      const put = async (path: string, body: object) => {
        const made = await builder.put(`${base}/${path}`, body, headers);
        expect(made.status, made.text).toBe(200);
      };
      const attempt = async (send: Documents["classify"] = documents.classify) => {
        const outcome = await send(text("letter.txt"), business);
        return { status: outcome.status, ...(await problemOf(outcome.response)) };
      };
      const notReady = { status: 422, code: "classification-not-ready" };
      expect(await attempt()).toMatchObject({ ...notReady, missing: ["classifier"] });
      const rule = { phrases: ["the garden wall", "quay street"], minimum: 2 };
      const labels = [{ key: "wall-letter", rule }];
      const classifier = { displayName: "Letters", status: "draft", labels };
      await put("classifiers/letters", classifier);
      expect(await attempt()).toMatchObject({ ...notReady, missing: ["classifier"] });
      // The publication alone does not make an upload work.
      await put("classifiers/letters", { ...classifier, status: "active" });
      expect(await attempt()).toMatchObject({ ...notReady, missing: ["schemas"] });
      const type = { displayName: "Letter", label: "wall-letter", analyzer: "letters" };
      await put("document-types/letter", { ...type, fields: { height: {} } });
      expect(await attempt()).toMatchObject({
        ...notReady,
        missing: ["schemas"],
        detail: expect.stringContaining('the analyzer "letters" of its document type "letter"'),
      });
      expect(await documentsNamed(the(), "letter.txt")).toEqual([]);
      const rules = [{ method: "pattern", pattern: "[0-9.]+ metres" }];
      await put("analyzers/letters", { displayName: "Letters", fields: { height: { rules } } });
      const accepted = await (await documents.classify(text("letter.txt"), business)).accepted();
      expect(await untilDone(the(), accepted.jobId)).toMatchObject({ status: "succeeded" });
      expect(await documents.record(accepted.documentId ?? "")).toMatchObject({
        lifecycle: "business-document-v1",
        classification: { label: "wall-letter" },
        fields: { height: { value: "2.4 metres" } },
      });
    });

    test("rule 8: a record helper takes a bare id, and names the workspace", async () => {
      const { documents, seen, headers } = clientOf();
      const { id } = await stored(documents);
      const sent = seen.length;
      for (const wrong of ["", " ", "DOC 1", `${id}/content`, `../${id}`, `${id}?x=1`, "a%2fb"]) {
        for (const helper of [documents.record, documents.content, documents.delete]) {
          expect(await errorOf(helper(wrong))).toMatchObject({ code: "E305" });
        }
      }
      expect(seen).toHaveLength(sent);
      for (const each of [
        id,
        id.replaceAll("-", ""),
        (await documents.record(id)).documentNumber ?? "",
      ]) {
        expect((await documents.record(each)).documentId).toBe(id);
      }
      expect(new Set(headers.map((each) => each.get("x-tenant-id")))).toEqual(
        new Set([the().workspaces.tenant]),
      );
    });

    test("rule 9: a deletion needs its owner's authority, and returns every error", async () => {
      const { documents } = clientOf();
      const { id } = await stored(clientOf("tenant-admin").documents);
      expect(await errorOf(documents.delete(id))).toMatchObject({ code: "E204", status: 403 });
      expect(await documents.record(id)).toMatchObject({ documentId: id });
      expect(await clientOf("tenant-builder").documents.delete(id)).toMatchObject({
        documentId: id,
        complete: true,
      });
      // A store that fails is one request and one error.
      const requests: string[] = [];
      const failing = createClient({
        baseUrl: the().baseUrl,
        token: "t",
        tenantId: the().workspaces.tenant,
        fetch: async ({ method, url }) => {
          requests.push(`${method} ${new URL(url).pathname}`);
          return Response.json(
            { status: 503, code: "storage-unavailable", removed: { file: false }, complete: false },
            { status: 503, headers: { "content-type": "application/problem+json" } },
          );
        },
      });
      expect(await errorOf(failing.useDocuments().delete(id))).toMatchObject({
        code: "E203",
        status: 503,
        problem: { complete: false },
      });
      expect(requests).toEqual([`DELETE ${base}/records/${id}`]);
    });

    test("rule 10: an upload returns the original response, unread", async () => {
      const { documents } = clientOf();
      const outcome = await documents.upload(text("unread.txt"), planned());
      const accepted = await outcome.accepted();
      expect(outcome).toMatchObject({ status: 202, response: { status: 202, bodyUsed: false } });
      expect(await outcome.response.json()).toEqual(accepted);
      const job = await documents.responses.job(accepted.jobId);
      expect([job.status, job.bodyUsed]).toEqual([200, false]);
    });

    test("rule 11: what a deployment does not support is its answer, and no other route is tried", async () => {
      for (const status of [404, 422, 501]) {
        const requests: string[] = [];
        const documents = createClient({
          baseUrl: the().baseUrl,
          token: "t",
          tenantId: the().workspaces.tenant,
          fetch: async ({ method, url }) => {
            requests.push(`${method} ${new URL(url).pathname}`);
            return Response.json({ status, detail: "not supported here" }, { status });
          },
        }).useDocuments();
        const outcome = await documents.classify(text("a.txt"), standalone);
        expect(outcome.status).toBe(status);
        expect(await errorOf(outcome.accepted())).toMatchObject({ status });
        expect(await errorOf(documents.record("DOC-2026-000001"))).toMatchObject({ status });
        expect(await errorOf(documents.content("DOC-2026-000001"))).toMatchObject({ status });
        expect(requests).toEqual([
          `POST ${base}/upload`,
          `GET ${base}/records/DOC-2026-000001`,
          `GET ${base}/records/DOC-2026-000001/content`,
        ]);
      }
    });

    test("rule 12: a URL is analysed without a scope, or with both keys", async () => {
      const { documents, seen } = clientOf();
      const url = `http://${host}/letter.txt`;
      expect(await documents.classifyByUrl(url)).toMatchObject({ filename: "letter.txt" });
      expect(await documents.classifyByUrl(url, standalone)).toMatchObject({ pages: 1 });
      const sent = seen.length;
      for (const keys of [
        { verticalKey: "planning-portal" },
        { workflowKey: "planning-assistant" },
        { ...standalone, workflowKey: " " },
      ]) {
        expect(await errorOf(documents.classifyByUrl(url, keys))).toMatchObject({ code: "E305" });
      }
      expect(seen).toHaveLength(sent);
      for (const vertical_key of ["planning-portal", ""]) {
        const body = { url, vertical_key };
        const headers = { "x-tenant-id": the().workspaces.tenant };
        const path = `${base}/classify-by-url`;
        const answered = await the().as("tenant-staff").post(path, body, { headers });
        expect(answered.status).toBe(422);
      }
    });

    test("rule 13: a workflow gets ids of documents, never their addresses", async () => {
      const { client, documents } = clientOf();
      const { id } = await stored(documents);
      const { storagePath = "" } = await documents.record(id);
      const chat = client.useChat("planning-assistant");
      const asked = model.requests.length;
      for (const params of [
        { documentIds: [`http://${host}/letter.txt`] },
        { documentIds: [storagePath] },
        { documentUrls: [`http://${host}/letter.txt`] },
        { storagePath },
      ]) {
        const error = await errorOf(chat.send("How high is the wall?", { params }));
        expect(error).toMatchObject({ status: 422 });
      }
      expect(model.requests).toHaveLength(asked);
      await chat.send("How high is the garden wall?", { params: { documentIds: [id] } });
      const seen = JSON.stringify(model.requests.slice(asked));
      expect(seen).toContain("2.4 metres");
      for (const address of [storagePath, host]) expect(seen).not.toContain(address);
    });

    // The last one: it moves the clock beyond the tokens of the others.
    test("rule 7: a document keeps its lifecycle, and needs no job after the tracker expired", async () => {
      const { documents } = clientOf();
      const { id, jobId } = await stored(documents, standalone);
      await save(the(), "vertical-product-config", {
        vertical_key: "planning-portal",
        workflow_key: "planning-assistant",
        status: "draft",
        config: { documentLifecycle: "business-document-v1" },
      });
      expect(await refusedAs(documents, standalone)).toMatchObject({ status: 403 });
      expect(await documents.record(id, { jobId })).toMatchObject({
        lifecycle: "planning-assist-v1",
      });
      the().advance(8 * 24 * 60 * 60 * 1_000);
      const { token } = await the().platform.mintToken({
        email: the().users["tenant-staff"].email,
        ttlMs: 3_600_000,
      });
      const later = createClient({
        baseUrl: the().baseUrl,
        token,
        tenantId: the().workspaces.tenant,
        fetch: (request) => the().platform.fetch(request),
      }).useDocuments();
      expect(await errorOf(later.job(jobId))).toMatchObject({ status: 410 });
      expect(await later.record(id)).toMatchObject({ lifecycle: "planning-assist-v1" });
      const content = await (await later.responses.content(id)).text();
      expect(content).toContain("18 Quay Street");
      expect(await later.delete(id)).toMatchObject({ complete: true });
    });
  },
  {
    options: {
      modelEndpoint: { baseUrl: model.url, chatModel: "test-model" },
      fetchHosts: [host],
    },
  },
);
