import { dueRecords, emptyAnswer, meantType, quotaAnswer } from "./fake-home.ts";
import { auditAnswer } from "./fake-audit.ts";
import { chatStream, conversationAnswer } from "./fake-chat.ts";
import { pictureAnswer } from "./fake-pictures.ts";
import { deadline, foundPassage, pageText } from "./fake-text.ts";
import { FakeMembers, benOid } from "./fake-members.ts";
import { appendFileSync, existsSync } from "node:fs";
import type { FetchFunction } from "#client/index.ts";
import type { Wish } from "./open-fake.ts";
import { FakeReviews } from "./fake-reviews.ts";
import { FakeOrders } from "./fake-orders.ts";
import {
  aggregated,
  batchDeleted,
  binding,
  created,
  decided,
  diagnosis,
  json,
  listOf,
  makeRecords,
  newcomer,
  searched,
  storageStatus,
  types,
  type Aggregation,
  type FakeRecord,
  type Search,
} from "./fake-records.ts";

/**
 * A platform's answers for tests of the screens: real routes, real shapes, a list that pages, an
 * answer that streams. The client that reads them is the real one; the embedded platform itself is
 * used in the end-to-end tests.
 */

export const rootId = "01936f00-0000-7000-8000-000000000001";
export const planningId = "01936f00-0000-7000-8000-000000000002";
export const licensingId = "01936f00-0000-7000-8000-000000000003";
export const documentId = "01936f00-0000-7000-8000-0000000000d1";
const laterId = "01936f00-0000-7000-8000-0000000000d2";
export const jobId = "01936f00-0000-7000-8000-0000000000a1";

export interface FakePlatform {
  readonly fetch: FetchFunction;
  /** `GET /v4/…` of every request so far. */
  readonly requests: string[];
  readonly records: FakeRecord[];
  readonly state: {
    role: string;
    /** Nothing answers, as when the platform is down. */
    down: boolean;
    jobStatus: string;
    signedOut: boolean;
    pauseMs: number;
    /** Another user changes the newest record just before a batch. */
    changedMeanwhile: boolean;
    /** Milliseconds that a batch takes. */
    batchMs: number;
    /** Uploads are taken in and never answered. */
    stuck: boolean;
    refusedUploads: number;
    /** Milliseconds that a page of records takes. */
    listMs: number;
    /** There are more groups than were asked for. */
    truncated: boolean;
    /** The type `licence` has no property. */
    propertyless: boolean;
  };
}

/** Whether the file is there with which a test keeps something from working. */
function isThere(path: string | undefined): boolean {
  return path !== undefined && existsSync(path);
}

function problem(status: number, code: string, detail: string): Response {
  return new Response(
    JSON.stringify({ type: `/problems/${code}`, title: detail, status, detail, code }),
    { status, headers: { "content-type": "application/problem+json" } },
  );
}

function expired(): Response {
  return problem(401, "token-expired", "The access token has expired");
}

function laterRecord() {
  return {
    ...documentRecord(),
    documentId: laterId,
    documentNumber: "DOC-2026-000043",
    filename: "later.pdf",
  };
}

function documentRecord() {
  return {
    documentId,
    documentNumber: "DOC-2026-000042",
    filename: "plans.pdf",
    mediaType: "application/pdf",
    size: 2_100_000,
    status: "succeeded",
    pages: 3,
    classification: {
      label: "planning-statement",
      confidence: 0.87,
      candidates: [
        { label: "planning-statement", confidence: 0.87 },
        { label: "letter", confidence: 0.08 },
      ],
    },
    fields: { deadline },
    jobId,
    created_at: "2026-11-20T10:00:00.000Z",
    createdBy: "01936f00-0000-7000-8000-0000000000aa",
  };
}

function job(status: string) {
  const stage = (name: string, at: string) => ({ name, status: at, attempt: 1 });
  const failed = status === "failed";
  return {
    jobId,
    status,
    percentCompleted: failed ? 40 : 60,
    documentId,
    documents: [{ documentId, documentNumber: "DOC-2026-000042", filename: "plans.pdf" }],
    stages: [
      stage("store", "succeeded"),
      stage("extract", failed ? "failed" : "succeeded"),
      {
        ...stage("classify", failed ? "pending" : "running"),
        progress: { done: 3, total: 12, unit: "pages" },
      },
      stage("index", "pending"),
    ],
    error: failed ? { code: "extraction-failed", message: "The file is not a readable PDF" } : null,
    createdAt: "2026-11-20T10:00:00.000Z",
    updatedAt: new Date().toISOString(),
  };
}

function untilAborted(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    const stop = () => reject(new DOMException("The operation was aborted.", "AbortError"));
    if (signal.aborted) stop();
    else signal.addEventListener("abort", stop);
  });
}

/** A platform with `count` planning applications, a document, a job and a workflow. */
export function createFakePlatform(count = 42, wish: Wish = {}): FakePlatform {
  const requests: string[] = [];
  const made = makeRecords(count);
  const records = wish.home === "filled" ? dueRecords(made) : made;
  const { hostile = false, meanwhile, dangling = false, longNote } = wish;
  const applicationId = dangling ? "01936f00-0000-7000-9000-00000000dead" : (records[0]?.id ?? "");
  const reviews = wish.reviewQueue === true ? new FakeReviews(documentId, laterId) : undefined;
  const orders = new FakeOrders(applicationId, { hostile, meanwhile, longNote });
  const conversations: { conversation_id: string; title: string }[] = [];
  const state = {
    role: "tenant-admin",
    down: false,
    jobStatus: "running",
    signedOut: false,
    pauseMs: 1,
    changedMeanwhile: false,
    batchMs: 0,
    stuck: false,
    refusedUploads: 0,
    listMs: 0,
    truncated: false,
    propertyless: false,
  };
  const memberships = () => [
    { id: rootId, slug: "northwind-council", displayName: "Northwind Council", role: state.role },
    { id: planningId, slug: "planning", parentId: rootId, role: state.role },
    { id: licensingId, slug: "licensing", parentId: rootId, role: "tenant-viewer" },
  ];
  const members = () => [
    {
      memberId: "m1",
      oid: "01936f00-0000-7000-8000-0000000000aa",
      email: "ada@northwind.example",
      displayName: "Ada",
      role: "tenant-admin",
      status: "active",
    },
    {
      memberId: "m2",
      oid: benOid,
      email: "ben@northwind.example",
      displayName: "Ben",
      role: "tenant-viewer",
      ruleId: "r1",
      status: "invited",
    },
  ];
  const strangers = Array.from({ length: 500 }, (_, index) => ({
    memberId: `s${index}`,
    oid: `01936f00-0000-7000-8000-${String(index).padStart(12, "0")}`,
    email: `stranger-${index}@northwind.example`,
    status: "active",
  }));
  const changes = new FakeMembers(wish);
  async function answer(request: Request): Promise<Response> {
    const url = new URL(request.url);
    const path = url.pathname;
    requests.push(`${request.method} ${path}${url.search}`);
    if (state.down || isThere(wish.downWhile)) throw new TypeError("fetch failed");
    if (path === "/v4/data/resources/health") {
      return json({
        status: "ok",
        version: "0.1.0",
        components: { database: { status: "ok", detail: "SQLite" }, jobs: { status: "ok" } },
      });
    }
    if (state.signedOut || isThere(wish.expiredWhile)) return expired();
    if (path === "/v4/identity/tenants") {
      const { workspacesWaitFor: blocker } = wish;
      while (isThere(blocker)) await Bun.sleep(10);
      if (isThere(wish.expiredWhile)) return expired();
      return json({ items: memberships() });
    }
    const empty = wish.home === "empty" ? emptyAnswer(path) : undefined;
    if (empty !== undefined) return json(empty);
    if (path.startsWith("/v4/data/resources/schema/")) {
      return json({
        objectTypes: [...types, orders.type].map((type) =>
          type.slug === "planning-application"
            ? {
                ...(wish.home === undefined ? type : meantType),
                recordCount: records.length,
                ...(wish.bareTypes === true ? { properties: null } : {}),
              }
            : type.slug === "licence" && state.propertyless
              ? { ...type, properties: {} }
              : type,
        ),
      });
    }
    const changed = await changes.answer(request, path);
    if (changed !== undefined) return changed instanceof Response ? changed : json(changed);
    if (path.endsWith("/audit")) return json(auditAnswer(url.searchParams));
    if (path.endsWith("/members")) {
      const where = url.searchParams.get("where");
      if (wish.crowded !== true) return json({ items: members(), hasNextPage: false });
      if (where === null) return json({ items: strangers, hasNextPage: true });
      const asked = (JSON.parse(where) as { oid: { $in: string[] } }).oid.$in;
      return json({ items: members().filter(({ oid }) => asked.includes(oid)) });
    }
    if (path === "/v4/data/documents/upload") {
      await request.arrayBuffer();
      if (state.stuck) await untilAborted(request.signal);
      if (state.refusedUploads > 0) {
        state.refusedUploads -= 1;
        return problem(503, "unavailable", "The platform is busy");
      }
      return json({ jobId, documentId, documentNumber: "DOC-2026-000042", status: "queued" }, 202);
    }
    if (path === "/v4/data/documents/jobs") {
      const documents = [{ documentId: laterId, documentNumber: "", filename: "later.pdf" }];
      const later = { ...job(state.jobStatus), jobId: laterId, documents };
      const items = [...(isThere(wish.newcomerWhile) ? [later] : []), job(state.jobStatus)];
      return json({ items, hasNextPage: false, total: items.length });
    }
    const jobPath = /^\/v4\/data\/documents\/jobs\/[^/]+(?:\/(retry|cancel))?$/.exec(path);
    if (jobPath !== null) {
      if (jobPath[1] === "retry") state.jobStatus = "queued";
      if (jobPath[1] === "cancel") state.jobStatus = "cancelled";
      return json(job(state.jobStatus), jobPath[1] === undefined ? 200 : 202);
    }
    if (path === "/v4/data/documents/records") {
      const later = isThere(wish.newcomerWhile) ? [laterRecord()] : [];
      const items = [...later, documentRecord()];
      return json({ items, hasNextPage: false, total: items.length });
    }
    if (path === "/v4/data/documents/search") {
      return json({ results: [{ documentId, filename: "plans.pdf", page: 2, ...foundPassage }] });
    }
    if (path.endsWith("/picture")) return pictureAnswer(path, url.searchParams);
    const page = /\/records\/[^/]+\/pages\/(\d+)$/.exec(path);
    if (page !== null) {
      const text = page[1] === "2" ? pageText : `Page ${page[1]}`;
      return json({
        documentId,
        page: Number(page[1]),
        pages: 3,
        text: wish.scanned === true ? "" : text,
      });
    }
    const reviewed = /\/records\/([^/]+)\/reviews$/.exec(path);
    if (reviews !== undefined && reviewed !== null && request.method === "POST") {
      const { target } = (await request.json()) as { target: string };
      reviews.decide(reviewed[1] ?? "", target);
      return json({ ...documentRecord(), documentId: reviewed[1] });
    }
    if (path === "/v4/data/documents/reviews" && reviews !== undefined) {
      return json(reviews.list(url));
    }
    if (path === "/v4/data/documents/reviews") {
      const found = { value: "2026-12-14" };
      const open = { target: "fields.deadline", confidence: 0.9, threshold: 0.95, found };
      return json({ items: [{ documentId, filename: "plans.pdf", ...open }], hasNextPage: false });
    }
    if (path.endsWith(`${documentId}/reviews`)) {
      return json(documentRecord());
    }
    if (path.endsWith(`/records/${laterId}`)) return json(laterRecord());
    if (path.startsWith("/v4/data/documents/records/")) return json(documentRecord());
    if (path.startsWith("/v4/ai/chat/stream/")) {
      const body = (await request.json()) as { conversation_id: string };
      conversations.push({ conversation_id: body.conversation_id, title: "the question" });
      return chatStream(body.conversation_id, documentId, state.pauseMs);
    }
    if (path.endsWith("/stop") && wish.requestsTo) appendFileSync(wish.requestsTo, `200 ${path}\n`);
    const stored = conversationAnswer(wish, conversations, request.url);
    if (stored !== undefined) return json(stored);
    const list = /^\/v4\/data\/resources\/[0-9a-f-]{36}\/([a-z-]+)(?:\/([^/]+))?$/.exec(path);
    if (path.endsWith("/planning-application/aggregate")) {
      return aggregated(records, (await request.json()) as Aggregation, state.truncated);
    }
    if (path.endsWith("/search") && isThere(wish.busyWhile)) {
      return problem(429, "rate-limited", "Too many requests");
    }
    if (path.endsWith("/search")) return searched(records, (await request.json()) as Search);
    if (path.endsWith("/quota")) return json(quotaAnswer);
    if (path.endsWith("/storage")) return json(storageStatus);
    if (path.endsWith("/storage/doctor")) {
      return state.role === "tenant-viewer"
        ? problem(403, "role-too-low", "Needs the role tenant-builder")
        : json(diagnosis);
    }
    const batch = /\/planning-application\/batch\/delete$/.exec(path);
    if (batch !== null) {
      const { items } = (await request.json()) as { items: { id: string; version: number }[] };
      await Bun.sleep(state.batchMs);
      const [newest] = records;
      if (state.changedMeanwhile && newest !== undefined) newest.version += 1;
      return batchDeleted(records, items);
    }
    if (list !== null && request.method === "DELETE") {
      const index = records.findIndex((record) => record.id === list[2]);
      if (index !== -1) records.splice(index, 1);
      return new Response(null, { status: 204 });
    }
    const decision = /\/planning-application\/([^/]+)\/actions\/decide$/.exec(path);
    if (decision !== null) return decided(records, decision[1]);
    const order = /\/works-order(?:\/(.+))?$/.exec(path);
    if (order !== null) return orders.answer(request, order[1]?.split("/") ?? [], url);
    if (list?.[1] === "planning-application" && list[2] !== undefined) {
      const isGone = isThere(wish.goneWhile);
      const record = isGone ? undefined : records.find(({ id }) => id === list[2]);
      return record === undefined ? problem(404, "not-found", "Not found") : json(record);
    }
    if (list?.[1] === "planning-application" && request.method === "POST") {
      return created(records, (await request.json()) as Record<string, unknown>);
    }
    if (list?.[1] === "planning-application") {
      await Bun.sleep(state.listMs);
      const listed = isThere(wish.newcomerWhile) ? [newcomer, ...records] : records;
      return listOf(listed, url, wish.pageCap);
    }
    if (list?.[1] === "vertical-product-config") return listOf([binding], url);
    if (list !== null) return listOf([], url);
    return problem(404, "route-not-found", "No such route");
  }
  /** The answer with an entity tag, and none where the client already has it. */
  async function tagged(request: Request): Promise<Response> {
    const response = await answer(request);
    if (request.method !== "GET" || response.status !== 200 || wish.untagged === true) {
      return response;
    }
    if (response.headers.get("content-type")?.startsWith("application/json") !== true) {
      return response;
    }
    const text = await response.text();
    const etag = `W/"${Bun.hash(text)}"`;
    const isKnown = request.headers.get("if-none-match") === etag;
    if (wish.requestsTo !== undefined) {
      appendFileSync(wish.requestsTo, `${isKnown ? 304 : 200} ${new URL(request.url).pathname}\n`);
    }
    return isKnown
      ? new Response(null, { status: 304, headers: { etag } })
      : new Response(text, { headers: { "content-type": "application/json", etag } });
  }
  return { fetch: tagged, requests, records, state };
}
