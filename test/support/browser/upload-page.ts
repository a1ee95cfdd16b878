/**
 * The program of a page that uploads files with the packed library, reads them back and compares
 * every byte. `window.roundTrips(options)` resolves to one {@link RoundTrip} for each size;
 * `window.answered(options)` asks the chat, `window.watched(options)` follows changes.
 */
export const uploadPage = `
import { createClient } from "@svc-platform/client";

/** Bytes that depend on the place and the seed, in pieces of at most 1 MiB. */
function piece(seed, from, length) {
  const bytes = new Uint8Array(length);
  for (let at = 0; at < length; at += 1) bytes[at] = ((from + at) * 31 + ((from + at) >> 8) + seed) & 255;
  return bytes;
}
function* pieces(seed, size) {
  for (let from = 0; from < size; from += 1048576) {
    yield piece(seed, from, Math.min(1048576, size - from));
  }
}

const sources = {
  file: (seed, size) => new File([...pieces(seed, size)], "a.bin", { type: "application/pdf" }),
  blob: (seed, size) => new Blob([...pieces(seed, size)]),
  stream: (seed, size) => {
    const left = pieces(seed, size);
    return new ReadableStream({
      pull(controller) {
        const { done, value } = left.next();
        if (done) controller.close();
        else controller.enqueue(value);
      },
    });
  },
};

/** The first difference, or "same". */
async function compared(content, seed, size) {
  let at = 0;
  for await (const chunk of content.chunks()) {
    for (let i = 0; i < chunk.length; i += 1, at += 1) {
      const expected = (at * 31 + (at >> 8) + seed) & 255;
      if (chunk[i] !== expected) return "differs at " + at;
    }
  }
  return at === size ? "same" : at + " bytes of " + size;
}

window.roundTrips = async ({ token, tenantId, uploads }) => {
  const client = createClient({ baseUrl: location.origin, token, tenantId });
  const applications = client.useResources("planning-application");
  const record = (await applications.list({ limit: 1 })).items[0];
  const documents = client.useDocuments();
  const results = [];
  for (const [index, { kind, size }] of uploads.entries()) {
    const steps = [];
    const contentType = "application/pdf";
    const options = { filename: "a.pdf", contentType, onProgress: (sent, total) => steps.push([sent, total]) };
    const result = { kind, size, outcome: "not sent" };
    results.push(result);
    try {
      if (kind === "document") {
        const content = sources.file(index, size);
        const file = { filename: "d" + index + ".bin", content };
        const context = { planningApplicationId: record.id };
        const sent = await documents.upload(file, context, { onProgress: options.onProgress });
        const { documentId } = await sent.accepted();
        result.outcome = await compared(await documents.content(documentId), index, size);
      } else {
        const source = sources[kind](index, size);
        const stored = await applications.uploadFile(record.id, "plans", source, options);
        if (stored.size !== size) result.outcome = "stored " + stored.size;
        else result.outcome = await compared(await applications.downloadFile(record.id, "plans"), index, size);
      }
      const last = steps.at(-1) ?? [0, 0];
      result.progress = last[0] === last[1] && last[0] >= size ? "complete" : last.join(" of ");
    } catch (error) {
      result.outcome = String(error?.message ?? error) + " " + (error?.hint ?? "");
    }
  }
  return results;
};
/** The text of an answer, and the reason of its end. */
window.answered = async ({ token, tenantId, question }) => {
  const client = createClient({ baseUrl: location.origin, token, tenantId });
  let text = "";
  for await (const event of client.useChat("planning-assistant").stream(question)) {
    if (event.type === "text") text += event.text;
    if (event.type === "finish") return { text, reason: event.reason };
  }
};
/** "read" for each call of another domain, or its error. */
window.called = async ({ token, tenantId }) => {
  const client = createClient({ baseUrl: location.origin, token, tenantId });
  const type = { params: { objectType: "planning-application" } };
  const calls = {
    health: () => client.health.resources(),
    identity: () => client.identity.tenants(),
    members: () => client.members.list(),
    keys: () => client.keys.list(),
    groupRules: () => client.groupRules.list(),
    objectTypes: () => client.objectTypes.list(),
    resources: () => client.resources.list({ ...type, query: { limit: 500 } }),
    storage: () => client.storage.status(),
    documents: () => client.documents.list(),
    reviews: () => client.reviews.list(),
    classifiers: () => client.classifiers.list(),
    documentTypes: () => client.documentTypes.list(),
    chat: () => client.chat.conversations(),
    quotas: () => client.quotas.read(),
    geoDatasets: () => client.geoDatasets.list(),
    geoReports: () => client.geoReports.list(),
    audit: () => client.audit.list(),
    archives: () => client.archives.list(),
    alerts: () => client.alerts.list(),
    webhooks: () => client.webhooks.list(),
    webhookSources: () => client.webhookSources.list(),
    // The client refuses it, since the console reports what the platform refuses.
    invalid: () => client.resources.aggregate({ ...type, body: { metrics: {} } }),
  };
  const outcomes = {};
  for (const [name, call] of Object.entries(calls)) {
    outcomes[name] = await call().then(
      (answer) => (typeof answer === "object" && answer !== null ? "read" : String(answer)),
      (error) => error.code + " " + error.message,
    );
  }
  return outcomes;
};
/** Follows the changes of records that the page makes, by WebSocket. */
window.watched = async ({ token, tenantId, count }) => {
  const sockets = [];
  const Native = globalThis.WebSocket;
  globalThis.WebSocket = class extends Native {
    constructor(url) {
      super(url);
      sockets.push(url);
    }
  };
  try {
    const client = createClient({ baseUrl: location.origin, token, tenantId });
    const applications = client.useResources("planning-application");
    const { items, feedCursor } = await applications.list({ limit: 1 });
    let { version } = items[0];
    for (let at = 0; at < count; at += 1) {
      const changed = await applications.patch(items[0].id, { description: "Change " + at });
      version = changed.version;
    }
    const options = { transport: "websocket", types: ["planning-application"], cursor: feedCursor };
    const versions = [];
    for await (const event of client.watch(options)) {
      if (event.subject === "planning-application/" + items[0].id) versions.push(event.version);
      if (versions.at(-1) === version) break;
    }
    return { versions, version, sockets: sockets.length };
  } finally {
    globalThis.WebSocket = Native;
  }
};
document.title = "ready";
`;

/** The versions of a record as a WebSocket had them, up to its last one. */
export interface Watched {
  readonly versions: readonly number[];
  readonly version: number;
  /** The sockets that were opened. */
  readonly sockets: number;
}

/** One upload that came back. */
export interface RoundTrip {
  readonly kind: UploadKind;
  readonly size: number;
  /** `same`, or the difference or error. */
  readonly outcome: string;
  /** `complete` when the last report of progress named every byte. */
  readonly progress?: string;
}

export type UploadKind = "file" | "blob" | "stream" | "document";

export interface Uploads {
  readonly token: string;
  readonly tenantId: string;
  readonly uploads: readonly { readonly kind: UploadKind; readonly size: number }[];
}

/** The page's document; `script` is the address of the bundled program. */
export function uploadHtml(script: string): string {
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>loading</title>
<link rel="icon" href="data:,"></head><body><main><h1>Uploads</h1></main>
<script type="module" src="${script}"></script></body></html>`;
}
