import type { CloudEvent } from "#contract/platform/realtime.ts";
import { isJsonObject } from "#lib/json/value.ts";
import { deferred } from "#lib/time/deferred.ts";
import { within } from "#lib/time/within.ts";
import type { AgentHost } from "../host.ts";
import { ResourceFault, workspaceOf } from "../resources.ts";

/** Resources that one connection may watch, and the workspaces that they are in. */
const maximumResources = 1_000;
const maximumWorkspaces = 8;
/** A slow platform has not refused a stream that is not open after this time. */
const longestOpeningMs = 10_000;
/** The kinds of changes that a resource can have. */
const kinds = ["record", "file", "document", "object-type"];

interface Watched {
  /** How often each resource is watched. */
  readonly counts: Map<string, number>;
  readonly opened: Promise<unknown>;
  readonly end: AbortController;
}

interface WatchListener {
  /** The resource has changed, or a change of it may have been missed. */
  updated(uri: string): void;
  /** Changes of these resources are no longer known, such as after the end of a right. */
  ended(uris: readonly string[], reason: string): void;
}

/** Watches resources by the changes of their workspaces, with the rights of the host's caller. */
export class ResourceWatch {
  readonly #workspaces = new Map<string, Watched>();

  constructor(
    private readonly host: Pick<AgentHost, "changes">,
    private readonly listener: WatchListener,
  ) {}

  /**
   * Resolves when changes of the resources are reported, until the returned function is called.
   * Throws {@link ResourceFault} for other addresses and for a workspace that cannot be read.
   */
  async add(uris: readonly string[]): Promise<() => void> {
    const byWorkspace = Map.groupBy(uris, workspaceOf);
    const all = new Set([...byWorkspace.keys(), ...this.#workspaces.keys()]);
    const known = [...this.#workspaces.values()].reduce((sum, { counts }) => sum + counts.size, 0);
    if (all.size > maximumWorkspaces || known + uris.length > maximumResources) {
      throw new ResourceFault(
        `A connection watches at most ${maximumResources} resources of ${maximumWorkspaces} workspaces`,
      );
    }
    const remove = (): void => {
      for (const [workspaceId, own] of byWorkspace) this.#remove(workspaceId, own);
    };
    const opened = [...byWorkspace].map(
      ([workspaceId, own]) => this.#join(workspaceId, own).opened,
    );
    try {
      await within(longestOpeningMs, Promise.all(opened), undefined);
    } catch (error) {
      remove();
      throw new ResourceFault(messageOf(error));
    }
    return remove;
  }

  /** Ends all watches without a report. */
  close(): void {
    for (const { end } of this.#workspaces.values()) end.abort();
    this.#workspaces.clear();
  }

  #join(workspaceId: string, uris: readonly string[]): Watched {
    let watched = this.#workspaces.get(workspaceId);
    if (watched === undefined) {
      const opening = deferred<void>();
      watched = { counts: new Map(), opened: opening.promise, end: new AbortController() };
      this.#workspaces.set(workspaceId, watched);
      void this.#follow(workspaceId, watched, opening);
    }
    for (const uri of uris) watched.counts.set(uri, (watched.counts.get(uri) ?? 0) + 1);
    return watched;
  }

  #remove(workspaceId: string, uris: readonly string[]): void {
    const watched = this.#workspaces.get(workspaceId);
    for (const uri of uris) {
      const left = (watched?.counts.get(uri) ?? 0) - 1;
      if (left > 0) watched?.counts.set(uri, left);
      else watched?.counts.delete(uri);
    }
    if (watched?.counts.size !== 0) return;
    this.#workspaces.delete(workspaceId);
    watched.end.abort();
  }

  /** Follows the changes of a workspace until the end of its watch or of the caller's right. */
  async #follow(
    workspaceId: string,
    { counts, end: { signal } }: Watched,
    opening: ReturnType<typeof deferred<void>>,
  ): Promise<void> {
    const onOpen = (): void => opening.resolve();
    const reported = (uris: Iterable<string>): void => {
      for (const uri of uris) this.listener.updated(uri);
    };
    try {
      let isReset = true;
      while (isReset) {
        isReset = false;
        for await (const event of this.host.changes(workspaceId, { kinds, signal, onOpen })) {
          isReset = event.type === "svc.feed.reset";
          reported(isReset ? [...counts.keys()] : changedResources(counts, workspaceId, event));
        }
      }
      throw new Error("the platform has ended the stream of changes");
    } catch (error) {
      // A refusal of the opening is that of `add`.
      opening.promise.catch(() => {});
      opening.reject(error);
      if (signal.aborted) return;
      if (this.#workspaces.get(workspaceId)?.counts === counts) {
        this.#workspaces.delete(workspaceId);
      }
      this.listener.ended([...counts.keys()], messageOf(error));
    }
  }
}

/** The watched resources that a change is about. */
export function changedResources(
  watched: ReadonlyMap<string, unknown>,
  workspaceId: string,
  { type, data }: CloudEvent,
): string[] {
  const { id, objectType } = isJsonObject(data) ? data : {};
  if (typeof id !== "string") return [];
  const base = `svc://${workspaceId}`;
  if (type.startsWith("svc.document.")) {
    const document = `${base}/documents/${encodeURIComponent(id)}`;
    return [...watched.keys()].filter((uri) => uri === document || uri.startsWith(`${document}/`));
  }
  const isType = type.startsWith("svc.objecttype.");
  const slug = isType ? id : objectType;
  if (typeof slug !== "string") return [];
  const list = `${base}/records/${encodeURIComponent(slug)}`;
  const all = isType ? [list] : [list, `${list}/${encodeURIComponent(id)}`];
  return all.filter((uri) => watched.has(uri));
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
