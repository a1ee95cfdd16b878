import { existsSync, readFileSync } from "node:fs";
import type { Wish } from "./open-fake.ts";

/** Webhooks, sources, alerts and the stream of changes, as the fake platform answers them. */

const at = "2026-11-20T10:00:00.000Z";
const lookMs = 20;
/** The fake platform's one job, which an event of its end names. */
const endedJobId = "01936f00-0000-7000-8000-0000000000a1";
const secretOnce = "whsec_shown-once";

const endpoint = (id: string, url: string, more: object = {}) => ({
  id,
  url,
  description: "",
  kinds: null,
  types: null,
  where: null,
  body: "thin",
  role: "tenant-viewer",
  ordered: false,
  status: "active",
  consecutiveFailures: 0,
  lastDeliveredAt: at,
  publicKey: "whpk_public",
  created_at: at,
  ...more,
});

const delivery = (id: string, status: string, more: object = {}) => ({
  id,
  endpointId: "w-1",
  eventId: `event-${id}`,
  type: "svc.resource.updated",
  subject: `planning-application/${id}`,
  status,
  origin: "event",
  attempts: 1,
  responseStatus: 200,
  created_at: at,
  lastAttemptAt: at,
  ...more,
});

const source = (id: string, name: string) => ({
  source: id,
  name,
  url: `http://platform.test/v4/webhooks/${id}`,
  scheme: { type: "hmac", header: "x-hub-signature-256", prefix: "sha256=" },
  role: "tenant-staff",
  mapping: ".body",
  status: "active",
  keyId: "k-source",
  created_at: at,
});

const call = (id: string, status: string, more: object = {}) => ({
  id,
  source: "s-1",
  eventId: `sent-${id}`,
  status,
  attempts: 1,
  size: 17,
  received_at: at,
  ...more,
});

const alert = (id: string, message: string, more: object = {}) => ({
  id,
  ruleId: "r-1",
  ruleName: "Refused",
  kind: "event",
  message,
  status: "open",
  role: "tenant-staff",
  raisedAt: at,
  ...more,
});

const alertRule = (id: string, name: string, more: object = {}) => ({
  id,
  name,
  kind: "event",
  types: ["planning-application"],
  role: "tenant-staff",
  enabled: true,
  created_at: at,
  updated_at: at,
  ...more,
});

interface Row {
  [name: string]: unknown;
}

const own = { address: "ada@example.test", lastMailAt: at };

const attemptLog = [
  { at, responseStatus: null, failure: "timeout", error: "There was no answer in 20 s" },
  {
    at,
    responseStatus: 503,
    failure: "status",
    error: "The endpoint answered 503",
    responseBody: "later",
  },
  {
    at,
    responseStatus: 500,
    failure: "status",
    error: "The endpoint answered 500",
    durationMs: 12,
  },
];

/** Lists of rows by their path, changed as the platform would change them. */
export class FakeEvents {
  readonly #lists: Record<string, Row[]>;
  readonly #wish: Wish;
  readonly #channels = new Map<string, Row>();
  readonly #seen = new Set<string>();

  constructor(wish: Wish) {
    this.#wish = wish;
    const isEmpty = wish.noEvents === true;
    const lists: Record<string, Row[]> = {
      "/v4/webhooks/endpoints": [
        endpoint("w-1", "https://hooks.example.org/svc"),
        endpoint("w-2", "https://slow.example.org/svc", { consecutiveFailures: 3 }),
      ],
      "/v4/webhooks/endpoints/w-1/deliveries": [
        delivery("d-3", "failed", { responseStatus: 500, responseBody: "out of paper" }),
        delivery("d-2", "failed", { responseStatus: null, error: "no answer within 20 s" }),
        delivery("d-1", "delivered"),
      ],
      "/v4/webhooks/sources": [source("s-1", "GitHub")],
      "/v4/webhooks/sources/s-1/received": [
        call("c-2", "failed", { error: "number is required" }),
        call("c-1", "done", { effect: "upsert" }),
      ],
      "/v4/realtime/alerts": [
        alert("a-2", "planning-application PA-2 was refused", {
          objectType: "planning-application",
          subject: "a2",
        }),
        alert("a-1", "planning-application PA-1 was refused"),
      ],
      "/v4/realtime/alert-rules": [alertRule("r-1", "Refused")],
    };
    this.#lists = isEmpty
      ? Object.fromEntries(Object.keys(lists).map((path) => [path, []]))
      : lists;
  }

  /** The answer, and undefined for every other request. */
  async answer(request: Request, path: string): Promise<object | undefined> {
    if (path === "/v4/realtime/events") return this.#stream(request);
    if (path === "/v4/identity/me/marks") return this.#marks(request);
    if (!/^\/v4\/(?:webhooks|realtime)\//.test(path)) return undefined;
    const { method } = request;
    if (path === "/v4/realtime/alert-channels") return this.#channel(request);
    const list = this.#lists[path];
    if (list !== undefined && method === "GET") return this.#page(request, list);
    const text = method === "GET" || method === "DELETE" ? "" : await request.text();
    const body = text === "" ? {} : (JSON.parse(text) as Row);
    if (list !== undefined) return this.#created(path, list, body);
    return this.#changed(path, method, body);
  }

  async #channel(request: Request): Promise<Row> {
    const query = new URL(request.url).searchParams.get("role");
    const { role = query ?? undefined, ...changes } = (
      request.method === "PATCH" ? await request.json() : {}
    ) as Row;
    const known = this.#channels.get(String(role)) ?? { mail: true, sendsMail: true };
    const channel = { ...known, ...changes, ...(role === undefined ? own : { role }) };
    this.#channels.set(String(role), channel);
    return channel;
  }

  /** A look at a place makes all of it seen. */
  async #marks(request: Request): Promise<object | undefined> {
    if (this.#wish.unseen === undefined) return undefined;
    if (request.method === "PUT") {
      const { place } = (await request.json()) as { place: string };
      this.#seen.add(place);
      return { place, seenAt: at };
    }
    const places = Object.entries(this.#wish.unseen);
    const items = places.map(([place, unseen]) => ({
      place,
      seenAt: at,
      unseen: this.#seen.has(place) ? [] : unseen,
    }));
    return { items };
  }

  #page(request: Request, list: readonly Row[]): object {
    const status = new URL(request.url).searchParams.get("status");
    const items = list.filter((row) => status === null || row["status"] === status);
    return { items, hasNextPage: false, total: items.length };
  }

  #created(path: string, list: Row[], body: Row): Row {
    const id = `new-${list.length}`;
    const made: Row = path.endsWith("endpoints")
      ? endpoint(id, "", body)
      : path.endsWith("sources")
        ? { ...source(id, ""), ...body }
        : alertRule(id, "", body);
    list.unshift(made);
    return path.endsWith("alert-rules") ? made : { ...made, secret: secretOnce };
  }

  #changed(path: string, method: string, body: Row): object | undefined {
    const [, parent = "", id = "", verb] =
      /^(\/v4\/\w+\/(?:endpoints|sources|alerts|alert-rules))\/([\w-]+)(?:\/(.+))?$/.exec(path) ??
      [];
    const row = this.#lists[parent]?.find((one) => (one["source"] ?? one["id"]) === id);
    if (row === undefined) return undefined;
    if (method === "DELETE") {
      this.#lists[parent] = this.#lists[parent]?.filter((one) => one !== row) ?? [];
      return { id, source: id, status: "deleted" };
    }
    if (verb === undefined) {
      const { enabled, ...settings } = body;
      const status = enabled === undefined ? {} : { enabled, status: statusOf(enabled) };
      return Object.assign(row, settings, status);
    }
    return this.#done(row, verb, body);
  }

  #done(row: Row, verb: string, body: Row): object | undefined {
    if (verb === "enable") return Object.assign(row, { status: "active" });
    if (verb === "rotate") return { ...row, secret: secretOnce };
    if (verb === "acknowledge") {
      return Object.assign(row, { status: "acknowledged", acknowledgedAt: at });
    }
    if (verb === "test" && "source" in row) {
      return body["mapping"] === "error(1)"
        ? { effect: null, error: "the program stopped with 1" }
        : { effect: { upsert: { type: "issue" } }, error: null };
    }
    if (verb === "test") return delivery("d-test", "delivered", { durationMs: 12 });
    const deliveries = this.#lists["/v4/webhooks/endpoints/w-1/deliveries"] ?? [];
    if (verb === "replay") {
      const { deliveryId } = body;
      const again = deliveries.filter(({ id, status }) =>
        deliveryId === undefined ? status === "failed" : id === deliveryId,
      );
      for (const one of again) Object.assign(one, { status: "delivered", responseStatus: 204 });
      return { replayed: again.length, complete: true, next: null };
    }
    const calls = this.#lists["/v4/webhooks/sources/s-1/received"] ?? [];
    const [, id, isReplay] = /^(?:deliveries|received)\/([\w-]+)(\/replay)?$/.exec(verb) ?? [];
    const found = [...deliveries, ...calls].find((one) => one["id"] === id);
    if (isReplay !== undefined && found !== undefined) {
      return Object.assign(found, { status: "done", error: null, effect: "upsert" });
    }
    if (found !== undefined && "endpointId" in found) return { ...found, attemptLog };
    if (found === undefined) return found;
    return { ...found, headers: { "x-event": "issues" }, body: '{"number":null}' };
  }

  /** A bookmark, then an event for each line of the file that the test appends to. */
  #stream(request: Request): Response | undefined {
    const { eventsAt } = this.#wish;
    if (eventsAt === undefined || !existsSync(eventsAt)) return undefined;
    const { signal } = request;
    const encoder = new TextEncoder();
    const alerts = this.#lists["/v4/realtime/alerts"];
    let sent = 0;
    const body = new ReadableStream<Uint8Array>({
      async start(controller) {
        const send = (line: string) => {
          const [type = "", objectType, id] = line.split(" ");
          sent += 1;
          if (type === "svc.alert.raised") alerts?.unshift(alert("a-3", "PA-3 was refused"));
          const members = line.slice(type.length).trim();
          const data: unknown = members.startsWith("{")
            ? JSON.parse(members)
            : type === "svc.document.job.completed"
              ? { id: endedJobId }
              : { objectType, id };
          const event = { specversion: "1.0", id: `e${sent}`, source: "/", type, data };
          const text = JSON.stringify({ ...event, svccursor: `c${sent}` });
          controller.enqueue(encoder.encode(`id: c${sent}\ndata: ${text}\n\n`));
        };
        send("svc.feed.bookmark");
        let read = 0;
        while (!signal.aborted && existsSync(eventsAt)) {
          const lines = readFileSync(eventsAt, "utf8").split("\n").slice(0, -1);
          for (const type of lines.slice(read)) send(type);
          read = lines.length;
          await Bun.sleep(lookMs);
        }
        controller.close();
      },
    });
    return new Response(body, { headers: { "content-type": "text/event-stream" } });
  }
}

function statusOf(enabled: unknown): string {
  return enabled === true ? "active" : "disabled";
}
