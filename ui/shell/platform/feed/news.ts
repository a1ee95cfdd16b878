import { useEffect } from "react";
import { isJsonObject } from "#lib/json/value.ts";
import { ownMember } from "#lib/own-member.ts";
import { Part, usePart } from "../../../kit/state/part.ts";
import { Store, useSelected, useStore } from "../../../kit/state/store.ts";
import type { Platform } from "../use-platform.ts";
import type { ChangeEvent } from "./changes.ts";

type IdsByPlace = ReadonlyMap<string, ReadonlySet<string>>;

const nothing: IdsByPlace = new Map();
const noIds: ReadonlySet<string> = new Set();
/** The ids of one place that are kept; a list with more new rows has them all at its top. */
const maximumIds = 500;
/** Changes that one looks at are marked as seen once in this time. */
const seeMs = 10_000;

const placesOfNouns: Readonly<Record<string, string>> = {
  document: "documents",
  review: "documents",
  "document.job": "jobs",
  member: "members",
};

/** The changed thing of an event, by the places of marks; undefined for other events. */
export function newsOf({ type, data }: Pick<ChangeEvent, "type" | "data">) {
  const [, noun = "", op = ""] = /^svc\.(.+)\.([^.]+)$/.exec(type) ?? [];
  if (!isJsonObject(data)) return undefined;
  const textOf = (name: string) => {
    const value = ownMember(data, name);
    return typeof value === "string" ? value : undefined;
  };
  const objectType = textOf("objectType");
  const isOfRecord = noun === "resource" || noun === "file";
  const place = isOfRecord ? objectType && `records/${objectType}` : placesOfNouns[noun];
  const id = textOf("id");
  // The lists have jobs of documents and no invitations; an older platform gives no kind.
  const kind = textOf("kind");
  const isOther =
    (noun === "document.job" && kind !== undefined && kind !== "document") ||
    (noun === "member" && kind !== undefined);
  if (place === undefined || id === undefined || op === "invited" || isOther) return undefined;
  const isEnd = noun !== "file" && (op === "deleted" || op === "erased");
  return { place, id, isEnd, actor: textOf("actor") };
}

/** The changes of others in the lists of the open workspace since the user's last look. */
export class News {
  readonly ids = new Store<IdsByPlace>(nothing);
  readonly #platform: Platform;
  #of: { readonly tenantId: string; readonly own: string | undefined } | undefined;
  /** The place that the user looks at. */
  #shown: string | undefined;
  #cursor: string | undefined;
  #entered: string | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(platform: Platform) {
    this.#platform = platform;
  }

  /** Reads the marks of each workspace that opens; returns a function that ends it. */
  readonly start = (): (() => void) => {
    const { state, changes, attention } = this.#platform;
    const ends = [
      state.subscribe(() => this.#enter()),
      changes.watch((event) => this.#take(event)),
      attention.subscribe(() => this.#seeLater()),
    ];
    this.#enter();
    return () => {
      clearTimeout(this.#timer);
      for (const end of ends) end();
    };
  };

  /** The user looks at a place; the returned function ends that, and with it what was new. */
  readonly look = (place: string): (() => void) => {
    this.#shown = place;
    this.#see();
    return () => {
      if (this.#shown !== place) return;
      if (this.#timer !== undefined) this.#see();
      this.#shown = undefined;
      this.#change(place, () => []);
    };
  };

  #enter(): void {
    const { client, tenantId, session } = this.#platform.state.get();
    const key = client && tenantId && JSON.stringify([session.baseUrl, session.user, tenantId]);
    if (key === this.#entered) return;
    this.#entered = key;
    this.#of = undefined;
    this.#cursor = undefined;
    this.ids.set(nothing);
    if (client === undefined || tenantId === undefined) return;
    const query = { tenant_id: tenantId };
    const own = client.identity.me().then(
      ({ oid }) => oid,
      () => undefined,
    );
    void Promise.all([own, client.marks.list({ query })]).then(
      ([oid, { items }]) => {
        if (this.#entered !== key) return;
        this.#of = { tenantId, own: oid };
        for (const { place, unseen = [] } of items) {
          this.#change(place, (now) => [...unseen, ...now]);
        }
        this.#see();
      },
      // A platform without marks has nothing that is new since the last look.
      () => {},
    );
  }

  #take(event: ChangeEvent): void {
    const news = newsOf(event);
    this.#cursor = event.svccursor ?? this.#cursor;
    if (news === undefined || this.#of === undefined) return;
    const { place, id, isEnd, actor } = news;
    if (place === this.#shown) this.#seeLater();
    const isSeen = place === this.#shown && this.#platform.attention.isLooking();
    const isNew = this.ids.get().get(place)?.has(id) === true;
    if (isEnd && isNew) this.#change(place, (now) => now.filter((one) => one !== id));
    if (isEnd || isNew || isSeen || actor === this.#of.own) return;
    this.#change(place, (now) => [...now, id]);
  }

  #change(place: string, next: (now: readonly string[]) => readonly string[]): void {
    this.ids.set((all) => {
      const before = all.get(place) ?? noIds;
      const after = new Set(next([...before]).slice(-maximumIds));
      const isSame = after.size === before.size && [...after].every((id) => before.has(id));
      return isSame ? all : new Map([...all, [place, after]]);
    });
  }

  #seeLater(): void {
    if (this.#shown === undefined || !this.#platform.attention.isLooking()) return;
    this.#timer ??= setTimeout(() => this.#see(), seeMs);
    this.#timer.unref();
  }

  /** Keeps on the platform that the shown place was seen; without an answer it is new again. */
  #see(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const { client } = this.#platform.state.get();
    const place = this.#shown;
    if (client === undefined || place === undefined || this.#of === undefined) return;
    const cursor = this.#cursor === undefined ? {} : { cursor: this.#cursor };
    const body = { tenant_id: this.#of.tenantId, place, ...cursor };
    client.marks.set({ body }).catch(() => {});
  }
}

export const newsPart = new Part<News>("news of places");

/** The new ids of a place, while a component shows it; the look ends with the component. */
export function useNews(place: string): ReadonlySet<string> {
  const news = usePart(newsPart);
  useEffect(() => news.look(place), [news, place]);
  return useSelected(news.ids, (ids) => ids.get(place)) ?? noIds;
}

/** Returns the number of new things of a place. */
export function useNewCounts(): (place: string) => number {
  const ids = useStore(usePart(newsPart).ids);
  return (place) => ids.get(place)?.size ?? 0;
}
