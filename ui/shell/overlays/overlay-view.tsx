import { AskDialog } from "../../kit/dialogs/ask-dialog.tsx";
import { ColumnChooser } from "../../kit/dialogs/column-chooser.tsx";
import { ConfirmDialog } from "../../kit/dialogs/confirm-dialog.tsx";
import { FileBrowser } from "../../kit/dialogs/file-browser.tsx";
import { HelpOverlay } from "./help-overlay.tsx";
import type { DialogProps, OverlayArea } from "../../kit/dialogs/overlay.tsx";
import { ChoiceDialog } from "../../kit/dialogs/choice-dialog.tsx";
import { WaitDialog } from "./wait-dialog.tsx";
import { WorkDialog } from "./work-dialog.tsx";
import type { ShellParts } from "../parts.ts";
import { useRouter } from "../use-router.tsx";
import { useFolders } from "../../kit/files/use-folders.tsx";
import { useBindingsBelow } from "../../kit/keys/use-keys.tsx";
import { useOverlays, type OverlayState } from "./use-overlays.tsx";
import { usePaletteChoices } from "./use-palette-choices.ts";
import type { Binding } from "../../kit/keys/key-bindings.ts";

/** What stands over the screen right now. */
export function OverlayView(props: OverlayArea & Pick<ShellParts, "Search">) {
  const { shown, close } = useOverlays();
  if (shown === undefined) return null;
  const { id, overlay } = shown;
  return <OpenOverlay key={id} overlay={overlay} {...props} onClose={close} />;
}

/** `:`: places, types, workspaces and actions. */
function EverythingPalette(props: DialogProps & { readonly bindings: readonly Binding[] }) {
  const { bindings, ...area } = props;
  const { route } = useRouter();
  const choices = usePaletteChoices(useBindingsBelow("picker", bindings, route));
  return (
    <ChoiceDialog
      title="Go to, or do"
      placeholder="a place, a type, a workspace, an action"
      choices={choices}
      {...area}
    />
  );
}

/** `?`: the keys of the place that is open, and all others. */
function KeysHelp(props: DialogProps & { readonly bindings: readonly Binding[] }) {
  const { bindings, ...area } = props;
  const { route } = useRouter();
  return <HelpOverlay bindings={useBindingsBelow("help", bindings, route)} {...area} />;
}

function OpenOverlay(
  props: DialogProps & Pick<ShellParts, "Search"> & { readonly overlay: OverlayState },
) {
  const { overlay, Search, ...area } = props;
  const folders = useFolders();
  switch (overlay.kind) {
    case "choose":
      return (
        <ChoiceDialog
          title={overlay.title}
          placeholder={overlay.placeholder}
          choices={overlay.choices}
          {...area}
        />
      );
    case "palette":
      return <EverythingPalette bindings={overlay.bindings} {...area} />;
    case "confirm":
      return <ConfirmDialog question={overlay.question} {...area} />;
    case "search":
      return <Search objectType={overlay.objectType} {...area} />;
    case "work":
      return <WorkDialog work={overlay.work} {...area} />;
    case "wait":
      return <WaitDialog pending={overlay.pending} {...area} />;
    case "columns":
      return <ColumnChooser question={overlay.question} {...area} />;
    case "ask":
      return <AskDialog question={overlay.question} {...area} />;
    case "file":
      return (
        <FileBrowser
          title={overlay.title}
          currentDirectory={folders.currentDirectory}
          homeDirectory={folders.homeDirectory}
          onPick={(path) => {
            area.onClose();
            overlay.onPick(path);
          }}
          {...area}
        />
      );
    case "help":
      return <KeysHelp bindings={overlay.bindings} {...area} />;
  }
}
