import { trackWork } from "../../kit/state/work.ts";
import type { DashboardActions } from "../../surface.ts";
import { places } from "../places.ts";
import type { Route } from "../router.ts";
import type { KeptChange, KeptRoute } from "./kept-state.ts";

const writeMs = 300;

/** Collects changes of the kept state, and writes those of a moment together. */
export class Keeper {
  readonly #write: DashboardActions["keep"];
  readonly #onFailure: (error: unknown) => void;
  #pending: { readonly baseUrl: string; readonly change: KeptChange } | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #hasFailed = false;

  constructor(write: DashboardActions["keep"], onFailure: (error: unknown) => void) {
    this.#write = write;
    this.#onFailure = onFailure;
  }

  keep(baseUrl: string, change: KeptChange): void {
    if (this.#pending !== undefined && this.#pending.baseUrl !== baseUrl) this.flush();
    const before = this.#pending?.change;
    const views = new Map([...(before?.views ?? []), ...(change.views ?? [])]);
    this.#pending = { baseUrl, change: { ...before, ...change, views } };
    this.#timer ??= setTimeout(() => this.flush(), writeMs);
  }

  flush(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const pending = this.#pending;
    this.#pending = undefined;
    if (pending === undefined) return;
    trackWork(this.#write(pending.baseUrl, pending.change)).catch((error: unknown) => {
      // A read-only folder refuses each write: one message is enough.
      if (!this.#hasFailed) this.#onFailure(error);
      this.#hasFailed = true;
    });
  }
}

/** The part of a route that the next start opens again. */
export function keptRoute(route: Route): KeptRoute | undefined {
  const place = places.find(({ id }) => id === route.place)?.id;
  if (place === undefined) return undefined;
  if (route.place !== "resources") return { place };
  return { place, objectType: route.objectType, bars: route.bars };
}
