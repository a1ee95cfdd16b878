import type { CloudEvent } from "#contract/platform/realtime.ts";
import type { Method } from "#contract/route.ts";

/** One request to the platform, before it has a token. */
export interface AgentRequest {
  readonly method: Method;
  /** Percent-encoded path without a query. */
  readonly path: string;
  readonly query: readonly (readonly [name: string, value: string])[];
  readonly tenantId: string | undefined;
  readonly headers: Readonly<Record<string, string>>;
  readonly idempotencyKey: string | undefined;
  readonly body: Uint8Array<ArrayBuffer> | undefined;
  readonly contentType: string | undefined;
  readonly signal: AbortSignal;
}

/** The platform as an agent's connection sees it: the caller's token, and nothing more. */
export interface AgentHost {
  /** Workspace of calls that name none. */
  readonly workspaceId: string | undefined;
  /** Sends with the caller's token; resolves with any status. */
  send(request: AgentRequest): Promise<Response>;
  /**
   * The changes of a workspace from now on, which the caller may read; they continue after a break.
   * Ends after `svc.feed.reset`; throws where the stream is refused or no longer allowed.
   */
  changes(workspaceId: string, options: ChangeOptions): AsyncIterable<CloudEvent>;
  /** Texts that no answer may hold, e.g. the caller's token. */
  readonly secrets: readonly string[];
}

export interface ChangeOptions {
  readonly kinds: readonly string[];
  readonly signal: AbortSignal;
  /** Called when the changes that follow are reported. */
  readonly onOpen: () => void;
}
