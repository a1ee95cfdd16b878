import { Box } from "ink";
import { Text } from "../kit/theme/text.tsx";
import { fastMs, slowMs, type Connection } from "./platform/connection.ts";
import { useStyle } from "../kit/theme/use-look.tsx";
import { clipText, textWidth } from "../kit/text/text-layout.ts";
import { countWords, durationWords } from "../kit/text/words.ts";
import { useStore } from "../kit/state/store.ts";
import { usePlatformLink } from "./platform/use-platform.ts";
import { useShownAge } from "./platform/use-freshness.ts";
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

/**
 * The state of the connection as a status and a text. `live` means that everything visible is
 * younger than its refresh period; `oldMs` is the age of what is not.
 */
export function badgeOf(
  { state, latencyMs, waitedMs }: Connection,
  oldMs: number | undefined,
): { readonly status: string; readonly words: string } {
  const age = oldMs === undefined ? "" : `${durationWords(oldMs)} old`;
  if (state === "live" && age !== "") return { status: "stale", words: age };
  const status = state === "live" && (latencyMs ?? 0) >= slowMs ? "slow" : state;
  const measured =
    waitedMs === undefined
      ? latencyMs === undefined
        ? ""
        : ` ${latencyMs < fastMs ? `<${fastMs}` : countWords(latencyMs)} ms`
      : ` ${durationWords(waitedMs)}`;
  return { status, words: `${status}${measured}${age === "" ? "" : ` · ${age}`}` };
}

export function Header(props: {
  readonly width: number;
  /** The open place with its workspaces, outermost first. */
  readonly trail: readonly string[];
  readonly role: string | undefined;
  readonly local: boolean;
  readonly places: readonly { readonly words: string; readonly open: boolean }[] | undefined;
}) {
  const { width, trail, role, local, places } = props;
  const connection = useStore(usePlatformLink().meter);
  const title = useStyle("title");
  const { status, words: badge } = badgeOf(connection, useShownAge());
  const facts = [role?.replace("tenant-", ""), local ? "local" : undefined].filter(
    (fact) => fact !== undefined,
  );
  const right = `  ${facts.join("   ")}${facts.length > 0 ? " " : ""}`;
  const room = Math.max(0, width - textWidth(badge) - 2 - textWidth(right) - 2);
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
        <Box height={1} flexShrink={0} width={width}>
          <Text wrap="truncate-end">
            {places.map((place, index) => (
              <Paint key={place.words} as={place.open ? "selected" : "quiet"}>
                {place.open ? `[${index + 1} ${place.words}]` : ` ${index + 1} ${place.words} `}
              </Paint>
            ))}
          </Text>
        </Box>
      )}
    </>
  );
}
