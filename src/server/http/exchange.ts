import { callerNetwork } from "../kit/turns/caller-network.ts";
import { Refusal } from "#contract/problems.ts";
import type { Method } from "#contract/route.ts";
import type { Promisable } from "../kit/promisable.ts";
import type { Principal, VersionMatch, WorkspaceScope } from "../work/caller.ts";
import type {
  AnswerOptions,
  ChangeNote,
  Recording,
  Remembered,
  RequestRecord,
  Work,
} from "../work/work.ts";
import { Answer, type UploadContext } from "./handler.ts";
import { namedWorkspace } from "./named-workspace.ts";
import { accepts, ifMatch, withoutRange } from "./request-headers.ts";
import { jsonOf, JsonText } from "../kit/lists/json-text.ts";
import { withTag } from "./response/entity-tag.ts";
import type { ClaimedKey, KeptResponse } from "../work/ports.ts";
import type { Endpoint } from "./routing/endpoint.ts";

export interface Peer {
  readonly address: string;
  /** Suspends the connection's idle timeout. */
  expectSilence?(): void;
  /** Restores the connection's idle timeout. */
  expectTraffic?(): void;
}

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
  /** The work over the rows that the exchange may see now. */
  workOf(exchange: Exchange): Work;
}

/** One request in the pipeline, and its handler's context. Each step fills its part in order. */
export class Exchange implements UploadContext, RequestRecord {
  readonly request: Request;
  readonly headers: Headers;
  readonly peer: Peer | undefined;
  readonly method: string;
  /** The path as sent, percent-encoded. */
  readonly path: string;
  /** The text after the `?`; empty without a query. */
  readonly search: string;

  /** The time of the request's head on the clock of `performance.now()`. */
  readonly startedMs = performance.now();

  requestId = "";
  endpoint: Endpoint | undefined;
  pathValues: readonly string[] = [];
  params: unknown;
  query: unknown;
  body: unknown;
  /** Digest of the body's bytes; only computed for a request with an `Idempotency-Key`. */
  bodyDigest = "";
  /** The body that was read; only kept where the main thread may answer instead. */
  bodyBytes: Uint8Array<ArrayBuffer> | undefined;
  claimed: ClaimedKey | undefined;
  readonly recordings: Recording[] = [];
  note: ChangeNote | undefined;
  enteredWorkspaceId: string | undefined;
  /** The cursor of the feed of changes before a list's page. */
  feedCursor: string | undefined;
  /** The value that the handler has returned. */
  result: unknown;
  /** Ends the pipeline: the step that sets it is the last one. */
  response: Response | undefined;
  /** The code of the problem that answers it. */
  refusal: string | undefined;
  /** The response is that of an earlier request, or of another thread. */
  isRepeated = false;
  /** Header fields of any response to this request. */
  readonly responseFields: Record<string, string> = {};

  #principal: Principal | undefined;
  #workspace: WorkspaceScope | undefined;
  #work: Work | undefined;
  #controller: AbortController | undefined;
  #expectsSilence = false;
  /** The response is a stream, which continues after its handler. */
  isStreaming = false;
  onRelease: (() => void) | undefined;
  /** Called when the handler has entered the workspace of a form. */
  onEntered: ((workspaceId: string) => Promise<void>) | undefined;
  /** Called once, when the handler has succeeded or failed. */
  onHandled: ((isSuccess: boolean) => void) | undefined;
  readonly #host: ExchangeHost;

  constructor(host: ExchangeHost, request: Request, peer: Peer | undefined) {
    this.#host = host;
    // The runtime computes each of them at each access.
    const { method, headers, url } = request;
    this.request = request;
    this.headers = method === "HEAD" ? withoutRange(headers) : headers;
    this.peer = peer;
    this.method = method;
    // The runtime has normalised the URL.
    const start = url.indexOf("/", url.indexOf("//") + 2);
    const question = url.indexOf("?", start);
    this.path = start < 0 ? "/" : url.slice(start, question < 0 ? undefined : question);
    const fragment = question < 0 ? -1 : url.indexOf("#", question);
    this.search = question < 0 ? "" : url.slice(question + 1, fragment < 0 ? undefined : fragment);
  }

  get address(): string {
    return this.peer?.address ?? "in-process";
  }

  /** The key by which anonymous requests are limited: see `callerNetwork`. */
  get network(): string {
    return callerNetwork(this.address);
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

  get workspace(): WorkspaceScope | undefined {
    return this.#workspace;
  }
  set workspace(workspace: WorkspaceScope) {
    this.#workspace = workspace;
    this.#work = undefined;
  }

  get livingWorkspaceId(): string | undefined {
    if (this.endpoint?.definition.deletedToo === true) return undefined;
    return this.#workspace?.id;
  }

  get work(): Work {
    return (this.#work ??= this.#host.workOf(this));
  }

  /** The workspace that the request names, whether it exists or not. */
  get namedWorkspaceId(): string | undefined {
    if (this.endpoint === undefined || this.endpoint.definition.workspace === "none") {
      return undefined;
    }
    try {
      return namedWorkspace(this);
    } catch {
      return undefined;
    }
  }

  /** The body that the handler has returned, unless it is already JSON text. */
  get resultBody(): unknown {
    const body: unknown = this.result instanceof Answer ? this.result.body : this.result;
    return body instanceof JsonText ? undefined : body;
  }

  /** The header fields that the handler has returned. */
  get resultFields(): Readonly<Record<string, string>> | undefined {
    return this.result instanceof Answer ? this.result.options.headers : undefined;
  }

  /** The matched route; set for every step after routing. */
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

  /** Signals of `AbortSignal.any` would live as long as the platform once they have a listener. */
  get signal(): AbortSignal {
    if (this.#controller === undefined) {
      const controller = new AbortController();
      this.#controller = controller;
      const { signal } = this.request;
      if (signal.aborted) controller.abort(signal.reason);
      else {
        signal.addEventListener("abort", () => controller.abort(signal.reason), { once: true });
        // An aborted upload loses the bytes sent so far, so the drain does not abort it.
        const body = this.endpoint?.definition.body?.type;
        if (body !== "multipart" && body !== "bytes") this.#host.hold(controller);
      }
      // A handler that asks for the signal works for long, or streams.
      this.mayTakeLong();
    }
    return this.#controller.signal;
  }

  mayTakeLong(): void {
    const body = this.endpoint?.definition.body?.type;
    // A client that uploads sends all the time.
    if (this.#expectsSilence || body === "multipart" || body === "bytes") return;
    this.#expectsSilence = true;
    this.peer?.expectSilence?.();
  }

  /** Aborts the signal: the reader of the response has left. */
  leave(): void {
    this.#controller?.abort(new DOMException("the caller has disconnected", "AbortError"));
  }

  release(): void {
    if (this.#controller !== undefined) this.#host.release(this.#controller);
    if (this.#expectsSilence) this.peer?.expectTraffic?.();
    this.onRelease?.();
    this.onRelease = undefined;
  }

  get wantsEvents(): boolean {
    return accepts(this.headers, "text/event-stream");
  }

  get lastEventId(): string | undefined {
    return this.headers.get("last-event-id")?.slice(0, 8_192) ?? undefined;
  }

  get ifMatch(): VersionMatch | undefined {
    return ifMatch(this.headers);
  }

  async enterWorkspace(tenantId: string): Promise<WorkspaceScope> {
    const entered = await this.#host.enterWorkspace(this, tenantId, ["tenant_id"]);
    await this.onEntered?.(entered.id);
    return entered;
  }

  async claim(fingerprint: string): Promise<void> {
    await this.#host.claimKey(this, fingerprint);
  }

  remember(body: unknown, options: AnswerOptions = {}): void {
    this.keep({ body, options });
  }

  keep(answer: Remembered): void {
    this.claimed?.remember(this.responseOf(answer));
  }

  /** The response to keep for a remembered answer. */
  responseOf({ body, options }: Remembered): KeptResponse {
    const status = options.status ?? this.route.definition.reply.status;
    return { status, headers: withTag(body, options.headers), body: jsonOf(body) };
  }
}

const methods: readonly Method[] = ["GET", "POST", "PUT", "PATCH", "DELETE"];

/** The contract's method for a request's method: HEAD is answered by GET. */
export function routedMethod(method: string): Method {
  const routed = methods.find((known) => known === (method === "HEAD" ? "GET" : method));
  if (routed !== undefined) return routed;
  throw new Refusal("method-not-allowed", { detail: `The method ${method} is not supported` });
}
