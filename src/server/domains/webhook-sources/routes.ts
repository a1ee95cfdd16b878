import { callerNetwork } from "../../kit/turns/caller-network.ts";
import { maximumCallBytes } from "#contract/events/webhook-sources.ts";
import type { DomainHandlers, WorkspaceContext } from "../../http/handler.ts";
import { readBytes } from "../../http/body/read-body.ts";
import { RateLimiter } from "../../http/rates/rate-limiter.ts";
import type { RequestCounts } from "../../kit/turns/request-counts.ts";
import type { SourceScope } from "./sources.ts";
import type { WebhookSources } from "./service.ts";

/** Calls of one source in a minute, and KiB of bodies of one address or source. */
const callsPerMinute = 1_200;
const kibibytesPerMinute = 64 * 1024;

/** Limits calls and their bytes before anything else is done with them. */
class CallRates {
  readonly #calls: RateLimiter;
  readonly #bytes: RateLimiter;

  constructor(counts: RequestCounts, now: () => Date) {
    const common = { windowSeconds: 60, now: () => now().getTime(), counts };
    this.#calls = new RateLimiter({ ...common, name: "webhook-calls", requests: callsPerMinute });
    const requests = kibibytesPerMinute;
    this.#bytes = new RateLimiter({ ...common, name: "webhook-kibibytes", requests });
  }

  /** The body of a call, counted before it is read where its length is known. */
  async body(source: string, request: Request, address: string): Promise<Uint8Array> {
    await this.#calls.take(source, {});
    const length = request.headers.get("content-length");
    if (length !== null) await this.#count(source, address, Number(length));
    const body = await readBytes(request, maximumCallBytes);
    if (length === null) await this.#count(source, address, body.byteLength);
    return body;
  }

  async #count(source: string, address: string, bytes: number): Promise<void> {
    const cost = Math.max(1, Math.ceil(Math.min(bytes, maximumCallBytes) / 1024));
    await this.#bytes.take(address, {}, cost);
    await this.#bytes.take(source, {}, cost);
  }
}

export function webhookSourceHandlers({
  webhookSources,
  counts,
  now,
}: {
  readonly webhookSources: WebhookSources;
  readonly counts: RequestCounts;
  readonly now: () => Date;
}): DomainHandlers<"webhookSources"> {
  const { sources, received } = webhookSources;
  const rates = new CallRates(counts, now);
  return {
    async receive({ params, request }, context) {
      const body = await rates.body(params.source, request, callerNetwork(context.address));
      return received.receive(params.source, { headers: context.headers, body });
    },
    list: ({ query }, context) => sources.list(context.work, scopeOf(context), query),
    create: ({ body }, context) => sources.create(context.work, scopeOf(context), body),
    get: ({ params }, context) => sources.get(context.work, scopeOf(context), params.source),
    update: ({ params, body }, context) =>
      sources.update(context.work, scopeOf(context), params.source, body),
    remove: ({ params }, context) => sources.remove(context.work, scopeOf(context), params.source),
    rotate: ({ params, body }, context) =>
      sources.rotate(context.work, scopeOf(context), params.source, body),
    test: ({ params, body: trial }, { work, workspace, signal }) =>
      webhookSources.test(work, workspace.id, params.source, { trial, signal }),
    received: ({ params, query }, { work, workspace }) =>
      received.list(work, workspace.id, params.source, query),
    receivedCall: ({ params }, { work, workspace }) =>
      received.get(work, workspace.id, params.source, params.receivedId),
    replay: ({ params }, { work, workspace }) =>
      received.replay(work, workspace.id, params.source, params.receivedId),
  };
}

function scopeOf({ workspace, baseUrl }: WorkspaceContext): SourceScope {
  return { workspace, baseUrl };
}
