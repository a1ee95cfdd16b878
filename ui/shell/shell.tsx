import { Box, useWindowSize } from "ink";
import { useEffect, useMemo } from "react";
import { needsSignIn } from "../kit/answers/failure.ts";
import { isSmallForm } from "../kit/forms/form-fields.tsx";
import { layoutOf } from "../kit/panes/layout.ts";
import { LayoutContext } from "../kit/panes/use-panes.ts";
import { useStore } from "../kit/state/store.ts";
import { spokenPart } from "../kit/spoken/spoken.ts";
import { usePart } from "../kit/state/part.ts";
import { ClickedFooter, Toast } from "./footer.tsx";
import { FormView } from "./forms/form-view.tsx";
import { useForms } from "./forms/forms.ts";
import { Header } from "./header.tsx";
import { OverlayView } from "./overlays/overlay-view.tsx";
import { useOverlays } from "./overlays/overlays.ts";
import type { ShellParts } from "./parts.ts";
import { useFailureBadge } from "./platform/feed/place-failures.ts";
import { places, quietPlaces } from "./places.ts";
import { useOpenAlerts } from "./platform/feed/use-open-alerts.ts";
import { usePlatform } from "./platform/use-platform.ts";
import { useRole, useWorkspaces, workspaceTrail } from "./platform/use-workspaces.ts";
import { Sidebar } from "./sidebar.tsx";
import { useNotices } from "./notices.ts";
import { useRoute, useRouter, type Route } from "./router.ts";
import { useShellKeys } from "./use-shell-keys.ts";
import { useScreen } from "../screen.tsx";
import { cellText } from "#lib/text/terminal.ts";

const maximumTitle = 200;

/** The title of the terminal's window for a place, e.g. `planning › documents · svc`. */
function titleOf(trail: readonly string[]): string {
  const words = cellText(trail.join(" › ")).slice(0, maximumTitle);
  return words === "svc" ? words : `${words} · svc`;
}

function useTrail(route: Route): string[] {
  const { session, tenantId } = usePlatform();
  const { value } = useWorkspaces();
  if (route.place === "signIn") return ["svc"];
  const above = workspaceTrail(value ?? [], tenantId).map(({ slug }) => slug);
  const { workspace } = session;
  const own =
    workspace === undefined ? "svc" : (workspace.slug ?? workspace.displayName ?? workspace.id);
  const last = route.place === "resources" ? (route.objectType ?? "resources") : route.place;
  return [...(above.length > 0 ? above : [own]), last];
}

/** Opens the sign-in when the session has expired, and shows the reason. */
function useSignInWhenNeeded(): void {
  const { session } = usePlatform();
  const { failure } = useWorkspaces();
  const { go } = useRouter();
  const { say } = useNotices();
  const reason =
    session.signedIn && failure !== undefined && needsSignIn(failure) ? failure.message : undefined;
  useEffect(() => {
    if (reason === undefined) return;
    say("failed", reason);
    go({ place: "signIn" });
  }, [reason, say, go]);
}

/** Opens the chooser when the workspace of an earlier start is no longer one of the user's. */
function useChooserWhenLost(route: Route): void {
  const { session, tenantId } = usePlatform();
  const { value } = useWorkspaces();
  const { restart } = useRouter();
  const { say } = useNotices();
  const { kept, workspace, defaultWorkspaceId } = session;
  const isKept = tenantId !== defaultWorkspaceId && kept?.workspace?.id === tenantId;
  const isOpen = route.place !== "workspaces" && route.place !== "signIn";
  const isLost = isKept && isOpen && value?.every(({ id }) => id !== tenantId) === true;
  const name = isLost ? (workspace?.slug ?? workspace?.id) : undefined;
  useEffect(() => {
    if (name === undefined) return;
    say("failed", `${name} is no longer one of your workspaces: choose another one`);
    restart({ place: "workspaces" });
  }, [name, say, restart]);
}

/** The parts that are hidden by others, which then cost no time per key. */
function useCover() {
  const isSpoken = usePart(spokenPart).isSpoken;
  const form = useStore(useForms().shown);
  const overlay = useStore(useOverlays().shown);
  // Lines that are read aloud are those of the uppermost part alone.
  const isBelow = isSpoken && overlay !== undefined;
  const isWhole = form !== undefined && (isSpoken || !isSmallForm(form.request.subject));
  return { isSpoken, isBelow, isCovered: isBelow || isWhole };
}

/** The places for the header of a narrow screen; undefined where the sidebar has them. */
function useHeaderPlaces(route: Route, openAlerts: string, isNarrow: boolean) {
  const failures = useFailureBadge();
  if (!isNarrow) return undefined;
  return [...places, ...quietPlaces.filter(({ id }) => failures(id) !== "")].map(
    ({ id, key, words, short }) => ({
      key,
      words,
      short,
      open: id === route.place,
      badge: id === "alerts" ? openAlerts : failures(id),
    }),
  );
}

export function Shell(props: { readonly parts: ShellParts }) {
  const { screenOf, PlaceCounts, ...overlayParts } = props.parts;
  const { columns, rows } = useWindowSize();
  const route = useRoute();
  const { session } = usePlatform();
  const message = useStore(useNotices().message);
  const role = useRole();
  const trail = useTrail(route);
  const { setTitle } = useScreen();
  const title = titleOf(trail);
  useEffect(() => setTitle(title), [setTitle, title]);
  useSignInWhenNeeded();
  useChooserWhenLost(route);
  const inWorkspace = session.signedIn && session.workspace !== undefined;
  useShellKeys(inWorkspace);
  const hasPlaces = inWorkspace && route.place !== "signIn" && route.place !== "workspaces";
  const area = useMemo(() => {
    const layout = layoutOf(columns, rows);
    if (hasPlaces) return layout;
    // The header of a narrow screen needs no row for places that it does not have.
    const height = layout.shape === "narrow" ? layout.height + 1 : layout.height;
    return { ...layout, sidebar: 0, width: columns, height };
  }, [columns, rows, hasPlaces]);
  const openAlerts = useOpenAlerts(hasPlaces);
  const isNarrow = hasPlaces && area.shape === "narrow";
  const inHeader = useHeaderPlaces(route, openAlerts, isNarrow);
  const { isSpoken, isBelow, isCovered } = useCover();
  // Memoised, so that the screen is not rendered again when only the shell changes.
  const openScreen = useMemo(() => screenOf(route), [screenOf, route]);
  const formArea = { position: "absolute", width: columns, height: area.height } as const;
  return (
    <LayoutContext value={area}>
      <Box
        flexDirection="column"
        flexShrink={0}
        width={columns}
        // A message that is read aloud has a line below the footer, which it would hide.
        height={isSpoken ? rows + 1 : rows}
        overflow="hidden"
      >
        <Header width={columns} trail={trail} role={role} local={session.local} places={inHeader} />
        <Box flexShrink={0} width={columns} height={area.height} overflow="hidden">
          <Box flexShrink={0} height={area.height} display={isCovered ? "none" : "flex"}>
            {area.sidebar > 0 ? (
              <PlaceCounts>
                {(counts) => (
                  <Sidebar
                    counts={{ ...counts, alerts: openAlerts }}
                    width={area.sidebar}
                    height={area.height}
                  />
                )}
              </PlaceCounts>
            ) : null}
            <Box flexDirection="column" flexShrink={0} width={area.width} height={area.height}>
              {openScreen}
            </Box>
          </Box>
          <Box {...formArea} display={isBelow ? "none" : "flex"}>
            <FormView columns={columns} rows={area.height} />
          </Box>
          <OverlayView {...overlayParts} columns={columns} rows={area.height} />
        </Box>
        <ClickedFooter width={columns} />
        {message === undefined ? null : <Toast message={message} width={columns} row={rows - 2} />}
      </Box>
    </LayoutContext>
  );
}
