import { useCallback, useEffect, useRef, useState, type ReactNode } from "react";
import { RememberedProvider } from "../../kit/state/use-remembered.tsx";
import { trackWork } from "../../kit/state/work.ts";
import { useSkinChoice } from "../../kit/theme/use-theme.tsx";
import type { DashboardActions } from "../../surface.ts";
import { places } from "../places.ts";
import { useHostActions } from "../platform/use-host-actions.ts";
import { usePlatform } from "../platform/use-platform.tsx";
import type { Route } from "../router.ts";
import { useNotices } from "../use-notices.tsx";
import { useRouter } from "../use-router.tsx";
import { isKeptView, type KeptChange, type KeptRoute } from "./kept-state.ts";

const writeMs = 300;

/** Collects changes of the kept state, and writes those of a moment together. */
class Keeper {
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

function keptRoute(route: Route): KeptRoute | undefined {
  const place = places.find(({ id }) => id === route.place)?.id;
  if (place === undefined) return undefined;
  if (route.place !== "resources") return { place };
  return { place, objectType: route.objectType, bars: route.bars };
}

/** Remembers lists, and keeps place, workspace, filters, orders and skin for the next start. */
export function KeepingProvider(props: { readonly children: ReactNode }) {
  const { session, tenantId } = usePlatform();
  const { baseUrl, workspace, kept } = session;
  const { route } = useRouter();
  const { skin } = useSkinChoice();
  const { sayFailure } = useNotices();
  const actions = useHostActions();
  const [keeper] = useState(() => new Keeper(actions.keep, sayFailure));
  const firstSkin = useRef(skin);
  useEffect(() => {
    const place = keptRoute(route);
    if (workspace === undefined || place === undefined) return;
    keeper.keep(baseUrl, { workspace, route: place });
  }, [keeper, baseUrl, workspace, route]);
  useEffect(() => {
    if (skin === firstSkin.current) return;
    firstSkin.current = skin;
    keeper.keep(baseUrl, { skin });
  }, [keeper, baseUrl, skin]);
  useEffect(() => () => keeper.flush(), [keeper]);
  const onChange = useCallback(
    (key: string, value: unknown) => {
      if (isKeptView(key, value)) keeper.keep(baseUrl, { views: new Map([[key, value]]) });
    },
    [keeper, baseUrl],
  );
  return (
    <RememberedProvider scope={tenantId ?? ""} start={kept?.views} onChange={onChange}>
      {props.children}
    </RememberedProvider>
  );
}
