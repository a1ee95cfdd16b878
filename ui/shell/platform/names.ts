import { useEffect, useEffectEvent } from "react";
import type { Client } from "#client/index.ts";
import { usePart, type Part } from "../../kit/state/part.ts";
import { Store, useStore, type Followed } from "../../kit/state/store.ts";
import type { Platform } from "./use-platform.ts";

export type NamesById = readonly (readonly [id: string, name: string])[];
/** The name of an id; `undefined` while it is not known. */
export type NameOf = (id: string) => string | undefined;

export interface NameRequest<Wanted> {
  readonly client: Client;
  readonly tenantId: string;
  readonly wanted: readonly Wanted[];
  /** Whether names that are known are requested again. */
  readonly isRefresh: boolean;
  readonly signal: AbortSignal;
}

/** While the user moves through a list, no names are requested. */
const settledMs = 150;
/** Period of the refreshes of what is shown. */
export const namesRefreshMs = 300_000;
/** Beyond this many names, earlier ones are dropped and requested again. */
const maximumNames = 2_000;

const noName: NameOf = () => undefined;

/** Names by id for what the screen shows. Known names stay while the next ones load. */
export class Names<Wanted> implements Followed<NameOf> {
  readonly #platform: Platform;
  readonly #request: (request: NameRequest<Wanted>) => Promise<NamesById>;
  readonly #nameOf = new Store<NameOf>(noName);
  #known = new Map<string, string>();
  #owner: string | undefined;
  #wantedAtMs = 0;
  readonly get = this.#nameOf.get;
  readonly subscribe = this.#nameOf.subscribe;

  constructor(platform: Platform, request: (request: NameRequest<Wanted>) => Promise<NamesById>) {
    this.#platform = platform;
    this.#request = request;
    this.#owner = this.#ownerNow();
    platform.state.subscribe(() => this.#changeOwner());
  }

  /** Requests these names, and again with each refresh, until the returned function is called. */
  want(wanted: readonly Wanted[]): () => void {
    const { state, refreshes } = this.#platform;
    let aborter = new AbortController();
    const ask = (isRefresh: boolean) => {
      aborter.abort();
      aborter = new AbortController();
      void this.#ask({ wanted, isRefresh, signal: aborter.signal });
    };
    const refresh = () => ask(true);
    const now = performance.now();
    const delayMs = now - this.#wantedAtMs < settledMs ? settledMs : 0;
    this.#wantedAtMs = now;
    const first = setTimeout(ask, delayMs, false);
    const later = setInterval(refresh, namesRefreshMs);
    const ends = [state.subscribe(() => ask(false)), refreshes.add(refresh)];
    return () => {
      clearTimeout(first);
      clearInterval(later);
      aborter.abort();
      for (const end of ends) end();
    };
  }

  async #ask(request: Omit<NameRequest<Wanted>, "client" | "tenantId">): Promise<void> {
    const { client, tenantId } = this.#platform.state.get();
    if (client === undefined || tenantId === undefined) return;
    try {
      const names = await this.#request({ client, tenantId, ...request });
      if (!request.signal.aborted) this.#add(names);
    } catch {
      // An id without a name is shown as it is.
    }
  }

  #add(names: NamesById): void {
    // An id without a name in this answer may have had one before.
    const news = names.filter(([id, name]) => this.#known.get(id) !== name);
    const changed = news.filter(([id, name]) => name !== id || !this.#known.has(id));
    if (changed.length === 0) return;
    const isFull = this.#known.size + changed.length > maximumNames;
    this.#show(new Map(isFull ? names : [...this.#known, ...changed]));
  }

  #show(known: Map<string, string>): void {
    this.#known = known;
    this.#nameOf.set(() => (id: string) => known.get(id));
  }

  #changeOwner(): void {
    const owner = this.#ownerNow();
    if (owner === this.#owner) return;
    this.#owner = owner;
    this.#show(new Map());
  }

  #ownerNow(): string {
    const { session, tenantId } = this.#platform.state.get();
    return JSON.stringify([session.baseUrl, session.user, tenantId]);
  }
}

/** The names so far; requests those of `wanted`. */
export function useNames<Wanted extends {}>(
  part: Part<Names<Wanted>>,
  wanted: readonly (Wanted | null | undefined)[],
): NameOf {
  const names = usePart(part);
  const key = wanted.length === 0 ? "" : JSON.stringify(wanted);
  const want = useEffectEvent(() => {
    const given = wanted.filter((each) => each !== null && each !== undefined);
    return given.length === 0 ? undefined : names.want(given);
  });
  useEffect(() => want(), [names, key]);
  return useStore(names);
}
