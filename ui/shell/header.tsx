import { Box } from "ink";
import { spokenPart } from "../kit/spoken/spoken.ts";
import { usePart } from "../kit/state/part.ts";
import { Text } from "../kit/theme/text.tsx";
import { fastMs, slowMs, type Connection } from "./platform/connection.ts";
import { useStyle } from "../kit/theme/use-look.tsx";
import { clipText, textWidth } from "../kit/text/text-layout.ts";
import { clockWords, countWords, durationWords } from "../kit/text/words.ts";
import { mousePart, useMouse } from "../kit/mouse/mouse.ts";
import { useStore } from "../kit/state/store.ts";
import type { FeedState } from "./platform/feed/changes.ts";
import { usePlatform, usePlatformLink } from "./platform/use-platform.ts";
import { useOldTime } from "./platform/use-freshness.ts";
import { Paint, StatusBadge } from "../kit/theme/paint.tsx";

/** The trail in at most `width` columns; outer names are dropped first. */
export function trailWords(trail: readonly string[], width: number): string {
  const separator = " › ";
  for (let from = 0; from < trail.length; from += 1) {
    const words = [...(from > 0 ? ["…"] : []), ...trail.slice(from)].join(separator);
    if (textWidth(words) <= width) return words;
  }
  return clipText(trail.at(-1) ?? "", width);
}

export interface HeaderPlace {
  readonly key: string;
  readonly words: string;
  readonly short: string;
  readonly open: boolean;
  /** A number next to the place that calls for attention. */
  readonly badge: string;
}

/**
 * The places of a narrow screen in one line: with short names where the others do not fit, and
 * then with the keys alone of the last ones that are closed and have no badge.
 */
export function placeLine(places: readonly HeaderPlace[], width: number) {
  const lineOf = (nameOf: (place: HeaderPlace) => string, end: string) =>
    places.map((place) => {
      const words = [place.key, nameOf(place), place.badge].filter((part) => part !== "").join(" ");
      return {
        text: place.open ? `[${words}]` : ` ${words}${end}`,
        token: place.open ? "selected" : place.badge === "" ? "quiet" : "warn",
      } as const;
    });
  const fits = (line: ReturnType<typeof lineOf>) =>
    line.reduce((sum, { text }) => sum + textWidth(text), 0) <= width;
  const whole = lineOf(({ words }) => words, " ");
  if (fits(whole)) return whole;
  const quiet = places.filter(({ open, badge }) => !open && badge === "");
  for (let named = quiet.length; named > 0; named -= 1) {
    const nameless = new Set(quiet.slice(named));
    const line = lineOf((place) => (nameless.has(place) ? "" : place.short), "");
    if (fits(line)) return line;
  }
  return lineOf(({ open, badge, short: name }) => (open || badge !== "" ? name : ""), "");
}

/**
 * The state of the connection as a status and a text. `live` means that everything visible is
 * younger than its refresh period, or confirmed by the stream of changes; `oldAtMs` is the time
 * of what is not, which is `stale` in each state. `polls`: the platform has no stream of changes.
 */
export function badgeOf(
  { state, latencyMs, waitedMs }: Connection,
  oldAtMs: number | undefined,
  feed: FeedState = "following",
): { readonly status: string; readonly words: string } {
  const age = oldAtMs === undefined ? "" : `as of ${clockWords(oldAtMs)}`;
  if (state === "live" && age !== "") return { status: "stale", words: age };
  const status = state === "live" && (latencyMs ?? 0) >= slowMs ? "slow" : state;
  const measured =
    waitedMs === undefined
      ? latencyMs === undefined
        ? ""
        : ` ${latencyMs < fastMs ? `<${fastMs}` : countWords(latencyMs)} ms`
      : ` ${durationWords(waitedMs)}`;
  const polls = state === "live" && feed === "polling" ? " · polls" : "";
  if (age === "") return { status, words: `${status}${measured}${polls}` };
  return { status: "stale", words: `${status}${measured} · ${age}` };
}

export function Header(props: {
  readonly width: number;
  /** The open place with its workspaces, outermost first. */
  readonly trail: readonly string[];
  readonly role: string | undefined;
  readonly local: boolean;
  readonly places: readonly HeaderPlace[] | undefined;
}) {
  const { width, trail, role, local, places } = props;
  const { readOnly } = usePlatform().session;
  const { meter, changes } = usePlatformLink();
  const connection = useStore(meter);
  const feed = useStore(changes.state);
  const title = useStyle("title");
  const { status, words } = badgeOf(connection, useOldTime(), feed);
  // The time of an answer changes with each one, and would be read aloud again.
  const isOld = status === "stale" && connection.state !== "live";
  const spoken = isOld ? connection.state : status;
  const badge = usePart(spokenPart).isSpoken ? spoken : words;
  const facts = [
    readOnly === undefined ? undefined : "read-only",
    role?.replace("tenant-", ""),
    local ? "local" : undefined,
  ].filter((fact) => fact !== undefined);
  const right = `  ${facts.join("   ")}${facts.length > 0 ? " " : ""}`;
  const room = Math.max(0, width - textWidth(badge) - 2 - textWidth(right) - 2);
  const mouse = usePart(mousePart);
  const line = places === undefined ? [] : placeLine(places, width);
  const node = useMouse({
    scope: "place",
    press: (x) => {
      let end = 0;
      const at = line.findIndex(({ text }) => (end += textWidth(text)) > x);
      const place = places?.[at];
      if (place !== undefined) mouse.key(place.key);
    },
  });
  return (
    <>
      <Box height={1} flexShrink={0} width={width} justifyContent="space-between">
        <Text wrap="truncate-end" {...title}>
          {" "}
          {trailWords(trail, room)}
        </Text>
        <Text wrap="truncate-end">
          <StatusBadge status={status} words={badge} />
          <Paint as="quiet">{right}</Paint>
        </Text>
      </Box>
      {places === undefined ? null : (
        <Box ref={node} height={1} flexShrink={0} width={width}>
          <Text wrap="truncate-end">
            {line.map(({ text, token }) => (
              <Paint key={text} as={token}>
                {text}
              </Paint>
            ))}
          </Text>
        </Box>
      )}
    </>
  );
}
