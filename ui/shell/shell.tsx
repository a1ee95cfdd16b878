import { Box, useWindowSize } from "ink";
import { useEffect, useMemo } from "react";
import { isSmallForm } from "../kit/forms/form-fields.tsx";
import { FormView } from "./forms/form-view.tsx";
import { Footer } from "./footer.tsx";
import { Header } from "./header.tsx";
import { Toast } from "./toast.tsx";
import { needsSignIn } from "../kit/answers/failure.ts";
import { useEditor } from "./use-editor.ts";
import { useForms } from "./forms/use-forms.tsx";
import { useCurrentBindings, useKeys } from "../kit/keys/use-keys.tsx";
import { LayoutProvider } from "../kit/panes/use-layout.tsx";
import { useNotices } from "./use-notices.tsx";
import { useOverlays } from "./overlays/use-overlays.tsx";
import { PaneProvider } from "../kit/panes/use-panes.tsx";
import { usePlatform } from "./platform/use-platform.tsx";
import { useRouter } from "./use-router.tsx";
import { useUploads } from "./use-uploads.ts";
import { useRole, useWorkspaces, workspaceTrail } from "./platform/use-workspaces.ts";
import { layoutOf } from "../kit/panes/layout.ts";
import { places } from "./places.ts";
import type { Route } from "./router.ts";
import { useScreen } from "../screen.tsx";
import { sizeWords } from "../kit/text/words.ts";
import { OverlayView } from "./overlays/overlay-view.tsx";
import type { ShellParts } from "./parts.ts";
import { Sidebar } from "./sidebar.tsx";

/** Names from the outermost workspace to what is open. */
function useTrail(route: Route): string[] {
  const { session, tenantId } = usePlatform();
  const { value } = useWorkspaces();
  if (route.place === "signIn") return ["svc"];
  const above = workspaceTrail(value ?? [], tenantId).map((one) => one.slug);
  const { workspace } = session;
  const own =
    workspace === undefined ? [] : [workspace.slug ?? workspace.displayName ?? workspace.id];
  const names = above.length > 0 ? above : own;
  const last = route.place === "resources" ? (route.objectType ?? "resources") : route.place;
  return [...(names.length > 0 ? names : ["svc"]), last];
}

/** A session that has run out leads to the sign-in, which says why. */
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

/** Header, places, the open screen, footer, and whatever stands over them. */
export function Shell(props: { readonly parts: ShellParts }) {
  const { screenOf, PlaceCounts, Search } = props.parts;
  const { columns, rows } = useWindowSize();
  const layout = useMemo(() => layoutOf(columns, rows), [columns, rows]);
  const { route, go } = useRouter();
  const screen = useScreen();
  const platform = usePlatform();
  const overlays = useOverlays();
  const { message } = useNotices();
  const bindings = useCurrentBindings();
  const role = useRole();
  const editor = useEditor();
  const trail = useTrail(route);
  useSignInWhenNeeded();
  const { session, connection } = platform;
  const inWorkspace = session.signedIn && session.workspace !== undefined;
  const sidebar = inWorkspace && route.place !== "signIn" && route.place !== "workspaces";
  const { uploads } = useUploads();
  const quit = () => {
    const sending = uploads.filter(({ state }) => state === "sending");
    if (sending.length === 0) return screen.exit(0);
    overlays.show({
      kind: "confirm",
      question: {
        title: "Quit before all has been sent",
        effects: sending.map(
          ({ filename, sentBytes, totalBytes }) =>
            `${filename}: ${sizeWords(sentBytes)} of ${sizeWords(totalBytes)} have been sent; nothing of it is kept`,
        ),
        onConfirm: () => screen.exit(0),
      },
    });
  };
  const visit = (to: Route) => (inWorkspace ? () => go(to) : undefined);

  useKeys(
    "global",
    {
      refresh: platform.refresh,
      search: inWorkspace
        ? () =>
            overlays.show({
              kind: "search",
              objectType: route.place === "resources" ? route.objectType : undefined,
            })
        : undefined,
      ...Object.fromEntries(places.map(({ id, intent }) => [intent, visit({ place: id })])),
      goWorkspaces: session.signedIn ? () => go({ place: "workspaces" }) : undefined,
      palette: () => overlays.show({ kind: "palette", bindings: bindings() }),
      help: () => overlays.show({ kind: "help", bindings: bindings() }),
      quit,
    },
    { facts: { role, hasEditor: editor.available } },
  );
  useKeys("always", { quit: () => screen.exit(0), pause: () => screen.stop() });

  const shownLayout = useMemo(
    () => (sidebar ? layout : { ...layout, sidebar: 0, width: layout.columns }),
    [layout, sidebar],
  );
  const { shown: form } = useForms();
  // What lies under a form of the whole screen stays as it was, and costs no key anything.
  const covered = form !== undefined && !isSmallForm(form.request.subject);
  // Steady, so that what only the shell draws anew leaves the screen alone.
  const open = useMemo(() => screenOf(route), [screenOf, route]);
  const folded = layout.shape === "narrow" && sidebar;
  const height = layout.shape === "narrow" && !sidebar ? layout.height + 1 : layout.height;
  const area = useMemo(() => ({ ...shownLayout, height }), [shownLayout, height]);
  return (
    <LayoutProvider layout={area}>
      <PaneProvider sidebar={area.sidebar > 0} route={route}>
        <Box flexDirection="column" flexShrink={0} width={columns} height={rows} overflow="hidden">
          <Header
            width={columns}
            trail={trail}
            connection={connection}
            role={role}
            local={session.local}
            {...(folded
              ? { places: places.map(({ id, words }) => ({ words, open: id === route.place })) }
              : {})}
          />
          <Box flexShrink={0} width={columns} height={area.height} overflow="hidden">
            <Box flexShrink={0} height={area.height} display={covered ? "none" : "flex"}>
              {area.sidebar > 0 ? (
                <PlaceCounts>
                  {(counts) => (
                    <Sidebar counts={counts} width={area.sidebar} height={area.height} />
                  )}
                </PlaceCounts>
              ) : null}
              <Box flexDirection="column" flexShrink={0} width={area.width} height={area.height}>
                {open}
              </Box>
            </Box>
            <FormView columns={columns} rows={area.height} />
            <OverlayView Search={Search} columns={columns} rows={area.height} />
          </Box>
          {message === undefined ? (
            <Footer width={columns} />
          ) : (
            <Toast message={message} width={columns} />
          )}
        </Box>
      </PaneProvider>
    </LayoutProvider>
  );
}
