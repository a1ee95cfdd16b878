import type { ShellFacts, ShellKeys } from "./keys.ts";
import { useRef } from "react";
import { counted } from "#lib/text/counted.ts";
import type { Question } from "../kit/dialogs/questions.ts";
import { useCurrentBindings, useKeys } from "../kit/keys/use-keys.ts";
import { mousePart } from "../kit/mouse/mouse.ts";
import { useNotices } from "./notices.ts";
import { usePart } from "../kit/state/part.ts";
import { unsavedPart } from "../kit/state/use-unsaved.ts";
import { sizeWords } from "../kit/text/words.ts";
import { useScreen } from "../screen.tsx";
import { useOverlays } from "./overlays/overlays.ts";
import { places } from "./places.ts";
import { useShownTypesCell } from "./platform/shown-types.ts";
import { usePlatform, usePlatformLink } from "./platform/use-platform.ts";
import { useMakeDefault, useRefusals, useRole } from "./platform/use-workspaces.ts";
import { useEditor } from "./use-editor.ts";
import { useRouter, type Route } from "./router.ts";
import { useUploads } from "./use-uploads.ts";

/**
 * Quits the dashboard: `ask` after a question about unsaved texts and running uploads, `askOnce`
 * about unsaved texts only. `askOnce` quits while the question is shown.
 */
function useQuit(): { readonly ask: () => void; readonly askOnce: () => void } {
  const screen = useScreen();
  const overlays = useOverlays();
  const { list, waiting } = useUploads();
  const unsavedTexts = usePart(unsavedPart);
  const asked = useRef<Question | undefined>(undefined);
  const quit = () => screen.exit(0);
  const ask = () => {
    const unsaved = unsavedTexts.texts();
    const sending = list.get().filter(({ state }) => state === "sending");
    if (unsaved.length === 0 && sending.length === 0) return quit();
    asked.current = {
      title: unsaved.length === 0 ? "Quit before all has been sent" : "Quit without saving",
      effects: [
        ...sending.map(
          ({ filename, sentBytes, totalBytes }) =>
            `${filename}: ${sizeWords(sentBytes)} of ${sizeWords(totalBytes)} have been sent; nothing of it is kept`,
        ),
        ...(waiting.get() === 0 ? [] : [`${counted(waiting.get(), "file")} more to send`]),
        ...unsaved.map((words) => `${words}: it is lost`),
      ],
      onConfirm: quit,
    };
    overlays.confirm(asked.current);
  };
  const askOnce = () => {
    const { overlay } = overlays.shown.get() ?? {};
    const isAsked = overlay?.kind === "confirm" && overlay.question === asked.current;
    if (isAsked || unsavedTexts.texts().length === 0) quit();
    else ask();
  };
  return { ask, askOnce };
}

/** Handles the keys that work in every place; those of a workspace only while one is open. */
export function useShellKeys(inWorkspace: boolean): void {
  const { route, go } = useRouter();
  const { session } = usePlatform();
  const { refresh } = usePlatformLink();
  const overlays = useOverlays();
  const screen = useScreen();
  const bindings = useCurrentBindings();
  const editor = useEditor();
  const role = useRole();
  const refusals = useRefusals();
  const mouse = usePart(mousePart);
  const { say } = useNotices();
  const quit = useQuit();
  const makeDefault = useMakeDefault();
  const types = useShownTypesCell();
  const { workspace } = session;
  const visit = (to: Route) => (inWorkspace ? () => go(to) : undefined);
  const search = () => {
    const open = route();
    const objectType = open.place === "resources" ? open.objectType : undefined;
    overlays.show({ kind: "search", objectType });
  };
  useKeys<ShellKeys, ShellFacts>(
    "global",
    {
      refresh,
      search: inWorkspace ? search : undefined,
      ...Object.fromEntries(places.map(({ id, intent }) => [intent, visit({ place: id })])),
      goArchives: visit({ place: "archives" }),
      goWorkspaces: session.signedIn ? () => go({ place: "workspaces" }) : undefined,
      makeDefault: workspace === undefined ? undefined : () => makeDefault(workspace),
      palette: () => overlays.show({ kind: "palette", bindings: bindings() }),
      help: () => overlays.show({ kind: "help", bindings: bindings() }),
      showConfiguration: inWorkspace
        ? () => types.set(({ configuration }) => ({ configuration: !configuration }))
        : undefined,
      mouse: () => {
        const isOn = !mouse.isOn.get();
        mouse.turn(isOn);
        say("done", isOn ? "the mouse selects; shift and the mouse copy" : "the mouse is off");
      },
      showNotices: () => overlays.show({ kind: "notices" }),
      quit: quit.ask,
    },
    {
      facts: {
        role,
        refusals,
        readOnly: session.readOnly,
        hasEditor: editor.available,
        isTemporary: session.inProcess,
      },
    },
  );
  useKeys("always", { quit: quit.askOnce, pause: () => screen.stop() });
}
