import { Refusal } from "#contract/problems.ts";
import type { Method } from "#contract/route.ts";
import type { Promisable } from "../kit/promisable.ts";
import type { AnswerOptions, Principal, UploadContext, VersionMatch } from "./handler.ts";
import type { WorkspaceScope } from "./handler.ts";
import { jsonOf } from "./response/json-text.ts";
import { withTag } from "./response/entity-tag.ts";
import type { ClaimedKey } from "./ports.ts";
import type { Endpoint } from "./routing/endpoint.ts";

/** Who is at the other end of the connection; undefined for a call inside the process. */
export interface Peer {
  readonly address: string;
  /** Nothing may come on the connection for long, and that must not end it. */
  expectSilence?(): void;
  /** From now on silence ends the connection again. */
  expectTraffic?(): void;
}

/** What an exchange asks of the platform it runs in. */
export interface ExchangeHost {
  /** Aborts the controller when the platform drains, until the exchange is released. */
  hold(controller: AbortController): void;
  release(controller: AbortController): void;
  readonly configuredUrl: string | undefined;
  enterWorkspace(
    exchange: Exchange,
    tenantId: string,
    pointerParts: string[],
  ): Promisable<WorkspaceScope>;
  claimKey(exchange: Exchange, fingerprint: string): Promise<void>;
}

/**
 * One request on its way through the pipeline, and the context that its handler is given. Each step
 * fills its part; what a later step reads an earlier one has settled.
 */
export class Exchange implements UploadContext {
  readonly request: Request;
  readonly headers: Headers;
  readonly peer: Peer | undefined;
  readonly method: string;
  /** As sent, still encoded. */
  readonly path: string;
  /** Without the `?`; empty where there is none. */
  readonly search: string;

  requestId = "";
  endpoint: Endpoint | undefined;
  pathValues: readonly string[] = [];
  workspace: WorkspaceScope | undefined;
  params: unknown;
  query: unknown;
  body: unknown;
  /** Digest of the body's bytes; only worked out for a request with an `Idempotency-Key`. */
  bodyDigest = "";
  /** The body as it came, once it was read; only kept where a request may be handed over. */
  bodyBytes: Uint8Array<ArrayBuffer> | undefined;
  claimed: ClaimedKey | undefined;
  /** Set by the step that answers; the steps after it are left out. */
  response: Response | undefined;
  /** Header fields that the answer gets whatever it is. */
  readonly answerFields: Record<string, string> = {};

  #principal: Principal | undefined;
  #controller: AbortController | undefined;
  #isPatient = false;
  /** The answer is a stream, which goes on after its handler has ended. */
  isStreaming = false;
  /** Called once, when the exchange is over. */
  onRelease: (() => void) | undefined;
  readonly #host: ExchangeHost;

  constructor(host: ExchangeHost, request: Request, peer: Peer | undefined) {
    this.#host = host;
    // Each of them is asked of the runtime anew.
    const { method, headers, url } = request;
    this.request = request;
    this.headers = method === "HEAD" ? withoutRange(headers) : headers;
    this.peer = peer;
    this.method = method;
    // The runtime has made the address absolute and normal: what is left is to cut it.
    const start = url.indexOf("/", url.indexOf("//") + 2);
    const question = url.indexOf("?", start);
    this.path = start < 0 ? "/" : url.slice(start, question < 0 ? undefined : question);
    const fragment = question < 0 ? -1 : url.indexOf("#", question);
    this.search = question < 0 ? "" : url.slice(question + 1, fragment < 0 ? undefined : fragment);
  }

  /** The address that limits are counted for. */
  get address(): string {
    return this.peer?.address ?? "in-process";
  }

  get principal(): Principal {
    if (this.#principal === undefined) throw new TypeError("this request is not signed in");
    return this.#principal;
  }
  set principal(principal: Principal) {
    this.#principal = principal;
  }
  get signedIn(): Principal | undefined {
    return this.#principal;
  }

  /** The matched route; a step after routing never runs without one. */
  get route(): Endpoint {
    if (this.endpoint === undefined) throw new TypeError("this request has no route yet");
    return this.endpoint;
  }

  get baseUrl(): string {
    const { configuredUrl } = this.#host;
    if (configuredUrl !== undefined) return configuredUrl;
    // The guard has accepted this host.
    const host = this.headers.get("host");
    if (host !== null) return `http://${host}`;
    const { url } = this.request;
    return url.slice(0, url.indexOf("/", url.indexOf("//") + 2));
  }

  /**
   * Not `AbortSignal.any`: what is made of a signal that lives as long as the platform lives as
   * long as well, once somebody listens to it.
   */
  get signal(): AbortSignal {
    if (this.#controller === undefined) {
      const controller = new AbortController();
      this.#controller = controller;
      const { signal } = this.request;
      if (signal.aborted) controller.abort(signal.reason);
      else {
        signal.addEventListener("abort", () => controller.abort(signal.reason), { once: true });
        // What was sent so far is lost with an upload that is ended: it has until the last moment.
        const body = this.endpoint?.definition.body?.type;
        if (body !== "multipart" && body !== "bytes") this.#host.hold(controller);
      }
      // Who asks works for long, or streams.
      this.mayTakeLong();
    }
    return this.#controller.signal;
  }

  mayTakeLong(): void {
    const body = this.endpoint?.definition.body?.type;
    // An upload's sender is at work, and held to it.
    if (this.#isPatient || body === "multipart" || body === "bytes") return;
    this.#isPatient = true;
    this.peer?.expectSilence?.();
  }

  /** The exchange is over: nothing of it is kept any longer. */
  release(): void {
    if (this.#controller !== undefined) this.#host.release(this.#controller);
    if (this.#isPatient) this.peer?.expectTraffic?.();
    this.onRelease?.();
    this.onRelease = undefined;
  }

  get wantsEvents(): boolean {
    return accepts(this.headers.get("accept"), "text/event-stream");
  }

  get lastEventId(): string | undefined {
    return this.headers.get("last-event-id")?.slice(0, 200) ?? undefined;
  }

  get ifMatch(): VersionMatch | undefined {
    const value = this.headers.get("if-match");
    return value === null ? undefined : parseVersionMatch(value);
  }

  async enterWorkspace(tenantId: string): Promise<WorkspaceScope> {
    return this.#host.enterWorkspace(this, tenantId, ["tenant_id"]);
  }

  async claim(fingerprint: string): Promise<void> {
    await this.#host.claimKey(this, fingerprint);
  }

  remember(body: unknown, options: AnswerOptions = {}): void {
    if (this.claimed === undefined) return;
    const status = options.status ?? this.route.definition.reply.status;
    const headers = withTag(body, options.headers);
    this.claimed.remember({ status, headers, body: jsonOf(body) });
  }
}

/** A part is only asked for with GET (RFC 9110, 14.2): HEAD tells of the whole. */
function withoutRange(given: Headers): Headers {
  if (!given.has("range")) return given;
  const headers = new Headers(given);
  headers.delete("range");
  return headers;
}

const methods: ReadonlySet<string> = new Set(["GET", "POST", "PUT", "PATCH", "DELETE"]);

/** The contract's method that a request's method asks for: HEAD is answered from GET. */
export function routedMethod(method: string): Method {
  const wanted = method === "HEAD" ? "GET" : method;
  if (isMethod(wanted)) return wanted;
  throw new Refusal("method-not-allowed", { detail: "This method is not known here" });
}

function isMethod(text: string): text is Method {
  return methods.has(text);
}

/** Whether an Accept field names this media type itself (RFC 9110, 12.5.1), not by a wildcard. */
function accepts(field: string | null, mediaType: string): boolean {
  if (field === null) return false;
  return field.split(",").some((range) => {
    const [type = "", ...parameters] = range.split(";").map((part) => part.trim().toLowerCase());
    return type === mediaType && !parameters.some((part) => /^q=0(\.0*)?$/.test(part));
  });
}

/** `"3"`, `"3", "4"` or `*`. A weak or foreign tag matches no version, so it fails with 412. */
function parseVersionMatch(field: string): VersionMatch {
  if (field.trim() === "*") return { any: true, versions: [] };
  const versions = field.split(",").flatMap((tag) => {
    const version = /^\s*"(\d{1,15})"\s*$/.exec(tag)?.[1];
    return version === undefined ? [] : [Number(version)];
  });
  return { any: false, versions };
}
