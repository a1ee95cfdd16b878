import { useCurrentBindings, useKeys } from "../kit/keys/use-keys.tsx";
import { sizeWords } from "../kit/text/words.ts";
import { useScreen } from "../screen.tsx";
import { useOverlays } from "./overlays/use-overlays.tsx";
import { places } from "./places.ts";
import { usePlatform } from "./platform/use-platform.tsx";
import { useRole } from "./platform/use-workspaces.ts";
import type { Route } from "./router.ts";
import { useEditor } from "./use-editor.ts";
import { useRouter } from "./use-router.tsx";
import { useUploads } from "./use-uploads.ts";

/** Quits the dashboard, after a question while files are still being sent. */
function useQuit(): () => void {
  const screen = useScreen();
  const overlays = useOverlays();
  const { uploads } = useUploads();
  return () => {
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
}

/** Handles the keys that work in every place; those of a workspace only while one is open. */
export function useShellKeys(inWorkspace: boolean): void {
  const { route, go } = useRouter();
  const { session, refresh } = usePlatform();
  const overlays = useOverlays();
  const screen = useScreen();
  const bindings = useCurrentBindings();
  const editor = useEditor();
  const role = useRole();
  const quit = useQuit();
  const visit = (to: Route) => (inWorkspace ? () => go(to) : undefined);
  const search = () => {
    const objectType = route.place === "resources" ? route.objectType : undefined;
    overlays.show({ kind: "search", objectType });
  };
  useKeys(
    "global",
    {
      refresh,
      search: inWorkspace ? search : undefined,
      ...Object.fromEntries(places.map(({ id, intent }) => [intent, visit({ place: id })])),
      goWorkspaces: session.signedIn ? () => go({ place: "workspaces" }) : undefined,
      palette: () => overlays.show({ kind: "palette", bindings: bindings() }),
      help: () => overlays.show({ kind: "help", bindings: bindings() }),
      quit,
    },
    { facts: { role, hasEditor: editor.available } },
  );
  useKeys("always", { quit: () => screen.exit(0), pause: () => screen.stop() });
}
