import { expect } from "vitest";
import { CatalogError } from "#contract/errors.ts";
import type { Client } from "#client/surface.ts";
import type { Chat } from "#client/chat/chat.ts";
import type { Documents } from "#client/documents/documents.ts";
import type { Resources } from "#client/records/resources.ts";

/** A deployment with a record, a document and a job, for one call. */
export interface Scene {
  readonly client: Client;
  /** The client of the installation's first user. */
  readonly root: Client;
  readonly trees: Resources;
  readonly documents: Documents;
  readonly chat: Chat;
  readonly names: Readonly<Record<string, string>>;
  /** A record of the type `street-tree`, in version 1. */
  readonly record: string;
  readonly job: string;
  readonly document: string;
  readonly file: { readonly name: string; readonly content: Blob };
}

/** One call of the library for any deployment. */
export interface SpecifiedCall {
  readonly run: (scene: Scene) => Promise<unknown>;
  /** A part of the interface that a deployment may lack. */
  readonly needs?: "content" | "deletion" | "doctor" | "geo" | "readiness";
  /** The verb is an addition, which other deployments do not have. */
  readonly isAddition?: true;
  /** It goes on with the id of what it made, which only the answer has. */
  readonly needsId?: true;
}

export async function all(items: AsyncIterable<unknown>): Promise<unknown[]> {
  const found: unknown[] = [];
  for await (const item of items) found.push(item);
  return found;
}

async function bytesOf({ chunks }: { chunks(): AsyncIterable<Uint8Array> }): Promise<string> {
  const parts: Uint8Array[] = [];
  for await (const part of chunks()) parts.push(part);
  return Buffer.concat(parts).toString("utf8");
}

export const elm = { species: "elm" };
export const type = "street-tree";
export const count = { groupBy: ["species"], metrics: { n: { op: "count" as const } } };

export function upload({ trees, record, file }: Scene): Promise<unknown> {
  return trees.uploadFile(record, "plan", file.content, { filename: file.name });
}

function documentFile({ file }: Scene) {
  return { filename: file.name, content: file.content };
}

/** Calls of `useResources` by verb. */
export const resourceCalls: Readonly<Record<keyof Resources, SpecifiedCall>> = {
  list: { run: ({ trees }) => trees.list({ limit: 2, sort: "species", where: elm }) },
  get: { run: ({ trees, record }) => trees.get(record) },
  history: { run: ({ trees, record }) => trees.history(record) },
  create: { run: ({ trees }) => trees.create(elm) },
  update: { run: ({ trees, record }) => trees.update(record, { species: "fir" }) },
  patch: {
    run: async ({ trees, record }) => {
      await trees.update(record, { species: "elm", height: 7 });
      const patched = await trees.patch(record, { species: "fir", height: null });
      expect((await trees.get(record)).data).toEqual({ species: "fir" });
      return patched;
    },
  },
  upsert: {
    isAddition: true,
    run: ({ trees }) => trees.upsert("label", "T-1", { species: "fir" }),
  },
  deletionOf: { isAddition: true, run: ({ trees, record }) => trees.deletionOf(record) },
  delete: { run: ({ trees, record }) => trees.delete(record) },
  erase: { isAddition: true, run: ({ trees, record }) => trees.erase(record) },
  deleted: { isAddition: true, run: ({ trees }) => trees.deleted() },
  restore: { isAddition: true, run: ({ trees, record }) => trees.restore(record, { version: 1 }) },
  // A platform without the route gets a batch of one kind on the route of that kind.
  batch: { run: ({ trees, record }) => trees.batch([{ op: "delete", id: record }]) },
  batchCreate: { run: ({ trees }) => trees.batchCreate([elm, elm]) },
  batchUpdate: {
    run: ({ trees, record }) => trees.batchUpdate([{ id: record, data: elm, version: 1 }]),
  },
  batchDelete: { run: ({ trees, record }) => trees.batchDelete([record]) },
  execute: { run: ({ trees, record }) => trees.execute(record, "inspect") },
  aggregate: { run: ({ trees }) => trees.aggregate(count) },
  distinct: { isAddition: true, run: ({ trees }) => trees.distinct("species") },
  uploadFile: { run: upload },
  downloadFile: {
    run: async (scene) => {
      await upload(scene);
      return await bytesOf(await scene.trees.downloadFile(scene.record, "plan"));
    },
  },
  fileUrl: {
    isAddition: true,
    run: async (scene) => {
      await upload(scene);
      return await scene.trees.fileUrl(scene.record, "plan");
    },
  },
  deleteFile: {
    run: async (scene) => {
      await upload(scene);
      await scene.trees.deleteFile(scene.record, "plan");
    },
  },
  search: { run: ({ trees }) => trees.search("elm") },
  all: {
    run: async ({ trees, names }) => {
      const found = await all(trees.all({ pageSize: 2 }));
      expect(found.length).toBeGreaterThanOrEqual(Number(names["trees"]));
      expect(new Set(found.map((item) => JSON.stringify(item))).size).toBe(found.length);
    },
  },
  pages: {
    run: async ({ trees, names }) => {
      const pages = await all(trees.pages({ pageSize: 2, readAhead: true }));
      expect(pages.length).toBeGreaterThanOrEqual(Math.ceil(Number(names["trees"]) / 3));
    },
  },
};

/** A job may have ended before the call: then the platform refuses it (409). */
async function unlessEnded(call: Promise<unknown>): Promise<unknown> {
  return await call.catch((error: unknown) => {
    if (!(error instanceof CatalogError && error.code === "E205")) throw error;
  });
}

export const closedUrl = "http://127.0.0.1:9/plan.txt";

/** Passes a refusal with 422: the embedded platform fetches from public addresses only. */
export async function unlessClosed(call: Promise<unknown>): Promise<unknown> {
  return await call.catch((error: unknown) => {
    if (!(error instanceof CatalogError && error.status === 422)) throw error;
  });
}

/** Calls of `useDocuments` by verb. */
export const documentCalls: Readonly<Record<keyof Documents, SpecifiedCall>> = {
  upload: {
    run: async (scene) => {
      const context = { planningApplicationId: scene.names["application"] };
      const sent = await scene.documents.upload(documentFile(scene), context);
      return await sent.accepted();
    },
  },
  classify: {
    run: async (scene) => {
      const context = { planningApplicationId: scene.names["application"] };
      const sent = await scene.documents.classify(documentFile(scene), context);
      return await sent.accepted();
    },
  },
  job: { run: ({ documents, job }) => documents.job(job) },
  jobs: { isAddition: true, run: ({ documents }) => documents.jobs() },
  waitForJob: {
    run: async ({ documents, job }) => {
      const { outcome } = await documents.waitForJob(job, { waitMs: 20_000 });
      if (outcome !== "succeeded") throw new Error(`the job is ${outcome}`);
    },
  },
  retryJob: { isAddition: true, run: ({ documents, job }) => unlessEnded(documents.retryJob(job)) },
  cancelJob: {
    isAddition: true,
    run: ({ documents, job }) => unlessEnded(documents.cancelJob(job)),
  },
  ragIndex: {
    run: async ({ documents, document, job }) => {
      await documents.waitForJob(job, { waitMs: 20_000 });
      return await documents.ragIndex(document);
    },
  },
  classifyByUrl: {
    run: ({ documents }) => unlessClosed(documents.classifyByUrl(closedUrl)),
  },
  responses: {
    run: async ({ documents, document, job }) => {
      const { responses } = documents;
      const record = await responses.record(document);
      expect(record.bodyUsed).toBe(false);
      expect(record.status).toBe(200);
      expect((await responses.job(job)).status).toBe(200);
    },
  },
  list: { isAddition: true, run: ({ documents }) => documents.list() },
  search: { isAddition: true, run: ({ documents }) => documents.search("oak") },
  record: { run: ({ documents, document }) => documents.record(document) },
  content: {
    needs: "content",
    run: async ({ documents, document }) => await bytesOf(await documents.content(document)),
  },
  picture: {
    isAddition: true,
    run: ({ documents, document }) => unlessClosed(documents.picture(document, 1)),
  },
  page: {
    isAddition: true,
    run: async ({ documents, document, job }) => {
      await documents.waitForJob(job, { waitMs: 20_000 });
      return await documents.page(document, 1);
    },
  },
  tables: {
    isAddition: true,
    run: async ({ documents, document }) => {
      expect((await documents.tables(document, { ofPage: 1 })).items).toEqual([]);
      return await documents.responses.tables(document);
    },
  },
  reviews: { isAddition: true, run: ({ documents }) => documents.reviews() },
  acceptReview: {
    isAddition: true,
    run: async ({ documents, document, job }) => {
      await documents.waitForJob(job, { waitMs: 20_000 });
      // The document has no label to accept (422).
      return await unlessClosed(documents.acceptReview(document, "label"));
    },
  },
  correctReview: {
    isAddition: true,
    run: async ({ documents, document, job }) => {
      await documents.waitForJob(job, { waitMs: 20_000 });
      return await documents.correctReview(document, "label", "tree-note");
    },
  },
  reviewHistory: {
    isAddition: true,
    run: ({ documents, document }) => documents.reviewHistory(document),
  },
  erase: {
    isAddition: true,
    needs: "deletion",
    run: ({ documents, document }) => documents.erase(document),
  },
  deleted: { isAddition: true, run: ({ documents }) => documents.deleted() },
  restore: {
    isAddition: true,
    run: async ({ documents, document }) => {
      await documents.delete(document, { trash: true });
      return await documents.restore(document);
    },
  },
  delete: { needs: "deletion", run: ({ documents, document }) => documents.delete(document) },
};

/** Calls of `useChat` by verb. */
export const chatCalls: Readonly<Record<keyof Chat, SpecifiedCall>> = {
  send: {
    run: async ({ chat }) => {
      const { message } = await chat.send("How tall?", { params: { documentIds: [] } });
      if (message.content === "") throw new Error("the answer is empty");
    },
  },
  stream: {
    run: async ({ chat }) => {
      let text = "";
      for await (const event of chat.stream("How tall?")) {
        if (event.type === "text") text += event.text;
        if (event.type === "error") throw event.error;
        if (event.type === "finish" && !event.complete) throw new Error(event.reason);
      }
      if (text === "") throw new Error("the answer is empty");
    },
  },
  resume: {
    isAddition: true,
    run: async ({ chat }) => {
      const { conversation_id } = await chat.send("How tall?");
      for await (const event of chat.resume(conversation_id)) {
        if (event.type === "error") throw event.error;
      }
    },
  },
  stop: {
    isAddition: true,
    run: async ({ chat }) => {
      const { conversation_id } = await chat.send("How tall?");
      const { stopped } = await chat.stop(conversation_id);
      if (stopped) throw new Error("a reply that has ended was stopped");
    },
  },
  conversations: { isAddition: true, run: ({ chat }) => chat.conversations() },
  conversation: {
    isAddition: true,
    run: async ({ chat }) => {
      const { conversation_id } = await chat.send("How tall?");
      const { messages } = await chat.conversation(conversation_id);
      if (messages.length !== 2) throw new Error(`${messages.length} messages`);
    },
  },
  rename: {
    isAddition: true,
    run: async ({ chat }) => {
      const { conversation_id } = await chat.send("How tall?");
      const { title } = await chat.rename(conversation_id, "Heights");
      if (title !== "Heights") throw new Error(`the title is ${title}`);
    },
  },
  deleteConversation: {
    isAddition: true,
    run: async ({ chat }) => {
      const { conversation_id } = await chat.send("How tall?");
      return await chat.deleteConversation(conversation_id);
    },
  },
};
