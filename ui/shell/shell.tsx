import { Box, useWindowSize } from "ink";
import { useEffect, useMemo } from "react";
import { needsSignIn } from "../kit/answers/failure.ts";
import { isSmallForm } from "../kit/forms/form-fields.tsx";
import { layoutOf } from "../kit/panes/layout.ts";
import { LayoutContext } from "../kit/panes/use-panes.ts";
import { useStore } from "../kit/state/store.ts";
import { Footer, Toast } from "./footer.tsx";
import { FormView } from "./forms/form-view.tsx";
import { useForms } from "./forms/forms.ts";
import { Header } from "./header.tsx";
import { OverlayView } from "./overlays/overlay-view.tsx";
import type { ShellParts } from "./parts.ts";
import { places } from "./places.ts";
import { usePlatform } from "./platform/use-platform.ts";
import { useRole, useWorkspaces, workspaceTrail } from "./platform/use-workspaces.ts";
import { Sidebar } from "./sidebar.tsx";
import { useNotices } from "./notices.ts";
import { useRoute, useRouter, type Route } from "./router.ts";
import { useShellKeys } from "./use-shell-keys.ts";

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

export function Shell(props: { readonly parts: ShellParts }) {
  const { screenOf, PlaceCounts, Search } = props.parts;
  const { columns, rows } = useWindowSize();
  const route = useRoute();
  const { session } = usePlatform();
  const message = useStore(useNotices().message);
  const form = useStore(useForms().shown);
  const role = useRole();
  const trail = useTrail(route);
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
  const inHeader =
    hasPlaces && area.shape === "narrow"
      ? places.map(({ id, words }) => ({ words, open: id === route.place }))
      : undefined;
  // A form of the whole screen hides the screen below it, which then costs no time per key.
  const isCovered = form !== undefined && !isSmallForm(form.request.subject);
  // Memoised, so that the screen is not rendered again when only the shell changes.
  const openScreen = useMemo(() => screenOf(route), [screenOf, route]);
  return (
    <LayoutContext value={area}>
      <Box flexDirection="column" flexShrink={0} width={columns} height={rows} overflow="hidden">
        <Header width={columns} trail={trail} role={role} local={session.local} places={inHeader} />
        <Box flexShrink={0} width={columns} height={area.height} overflow="hidden">
          <Box flexShrink={0} height={area.height} display={isCovered ? "none" : "flex"}>
            {area.sidebar > 0 ? (
              <PlaceCounts>
                {(counts) => <Sidebar counts={counts} width={area.sidebar} height={area.height} />}
              </PlaceCounts>
            ) : null}
            <Box flexDirection="column" flexShrink={0} width={area.width} height={area.height}>
              {openScreen}
            </Box>
          </Box>
          <FormView columns={columns} rows={area.height} />
          <OverlayView Search={Search} columns={columns} rows={area.height} />
        </Box>
        <Footer width={columns} />
        {message === undefined ? null : <Toast message={message} width={columns} row={rows - 2} />}
      </Box>
    </LayoutContext>
  );
}
