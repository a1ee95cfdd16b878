import { filledText, isJsonObject, membersOf } from "#lib/json/value.ts";
import { mostSteps } from "../../kit/panes/layout.ts";
import { isSkinName } from "../../kit/theme/theme.ts";
import { places, type Place } from "../places.ts";

/** The parts of a route that the next start opens again. */
export interface KeptRoute {
  readonly place: Place;
  readonly objectType?: string | undefined;
  readonly bars?: boolean | undefined;
}

interface KeptWorkspace {
  readonly id: string;
  readonly slug?: string | undefined;
  readonly displayName?: string | undefined;
}

/** Filters and orders by workspace and list, as `useRemembered` has them. */
export type KeptViews = ReadonlyMap<string, unknown>;

/** The state of one platform. */
export interface KeptPlatform {
  readonly workspace?: KeptWorkspace | undefined;
  readonly route?: KeptRoute | undefined;
  readonly views: KeptViews;
}

export interface KeptState {
  /** The last platform: an address, or `local`. */
  readonly platform?: string | undefined;
  readonly skin?: string | undefined;
  /** The profile's own choices when this was written; a later `svc workspace select` wins. */
  readonly profileChoice?: string | undefined;
  readonly platforms: ReadonlyMap<string, KeptPlatform>;
}

/** A change of the kept state at one platform; absent parts stay. */
export interface KeptChange extends Partial<KeptPlatform> {
  readonly skin?: string | undefined;
}

const maximumPlatforms = 20;
const maximumViews = 200;
const maximumText = 500;
const maximumFilter = 2_000;
const maximumViewJson = 8_000;

function shortText(value: unknown): string | undefined {
  const text = filledText(value);
  return text === undefined || text.length > maximumText ? undefined : text;
}

/** Whether the values of this key are kept: filters, orders, views and sizes of panes. */
export function isKeptKey(key: string): boolean {
  return key.length <= maximumText && /^[^ ]* (?:filter|sort|panes|views)(?: |$)/.test(key);
}

/** Whether a remembered value is kept, and valid: any program may have written the file. */
export function isKeptView(key: string, value: unknown): boolean {
  if (!isKeptKey(key) || !isJsonObject(value)) return false;
  if (JSON.stringify(value).length > maximumViewJson) return false;
  if (key.split(" ")[1] === "sort") {
    return shortText(value["id"]) !== undefined && typeof value["descending"] === "boolean";
  }
  // The list that has the views ignores those that do not fit.
  if (key.split(" ")[1] === "views") return Array.isArray(value["views"]);
  if (key.split(" ")[1] === "panes") {
    const { by, isZoomed } = value;
    return typeof by === "number" && Math.abs(by) <= mostSteps && typeof isZoomed === "boolean";
  }
  const { text, parsed } = value;
  const isFilter = typeof text === "string" && text.length <= maximumFilter;
  return isFilter && (parsed === undefined || isJsonObject(parsed));
}

function readRoute(value: unknown): KeptRoute | undefined {
  const members = membersOf(value);
  const place = places.find(({ id }) => id === members?.get("place"))?.id;
  if (place === undefined) return undefined;
  const objectType = shortText(members?.get("objectType"));
  return place === "resources" && objectType !== undefined
    ? { place, objectType, bars: members?.get("bars") === true }
    : { place };
}

function readPlatform(value: unknown): KeptPlatform {
  const members = membersOf(value);
  const workspace = membersOf(members?.get("workspace"));
  const [id, slug, displayName] = ["id", "slug", "displayName"].map((name) =>
    shortText(workspace?.get(name)),
  );
  const views = [...(membersOf(members?.get("views")) ?? [])].filter(([key, view]) =>
    isKeptView(key, view),
  );
  return {
    workspace: id === undefined ? undefined : { id, slug, displayName },
    route: readRoute(members?.get("route")),
    views: new Map(views.slice(-maximumViews)),
  };
}

function keptSkin(value: unknown): string | undefined {
  return typeof value === "string" && isSkinName(value) ? value : undefined;
}

/** Reads the stored state and ignores what does not fit. */
export function readKeptState(value: unknown): KeptState {
  const members = membersOf(value);
  const platforms = [...(membersOf(members?.get("platforms")) ?? [])].slice(-maximumPlatforms);
  return {
    platform: shortText(members?.get("platform")),
    skin: keptSkin(members?.get("skin")),
    profileChoice: filledText(members?.get("profileChoice")),
    platforms: new Map(platforms.map(([key, platform]) => [key, readPlatform(platform)])),
  };
}

/** The state after a change at a platform, the latest one last; bounded. */
export function withKept(
  state: KeptState,
  platform: string,
  { skin, ...change }: KeptChange,
): KeptState {
  const before: KeptPlatform = state.platforms.get(platform) ?? { views: new Map() };
  const views = new Map(before.views);
  for (const [key, value] of change.views ?? []) {
    views.delete(key);
    if (isKeptView(key, value)) views.set(key, value);
  }
  const after: KeptPlatform = {
    workspace: change.workspace ?? before.workspace,
    route: change.route ?? before.route,
    views: new Map([...views].slice(-maximumViews)),
  };
  const others = [...state.platforms].filter(([key]) => key !== platform);
  return {
    ...state,
    platform,
    skin: skin ?? state.skin,
    platforms: new Map([...others, [platform, after] as const].slice(-maximumPlatforms)),
  };
}

/** The state as JSON; `readKeptState` reads it. */
export function keptJson({ platforms, ...state }: KeptState): unknown {
  const entries = [...platforms].map(([key, { views, ...platform }]) => [
    key,
    { ...platform, views: Object.fromEntries(views) },
  ]);
  return { ...state, platforms: Object.fromEntries(entries) };
}
