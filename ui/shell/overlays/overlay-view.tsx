import { AskDialog } from "../../kit/dialogs/ask-dialog.tsx";
import { ChoiceDialog } from "../../kit/dialogs/choice-dialog.tsx";
import { ColumnChooser } from "../../kit/dialogs/column-chooser.tsx";
import { ConfirmDialog } from "../../kit/dialogs/confirm-dialog.tsx";
import { FileBrowser } from "../../kit/dialogs/file-browser.tsx";
import type { DialogProps, OverlayArea } from "../../kit/dialogs/overlay.tsx";
import { useStore } from "../../kit/state/store.ts";
import { useHost } from "../host.ts";
import type { Binding } from "../../kit/keys/key-bindings.ts";
import type { ShellParts } from "../parts.ts";
import { HelpOverlay } from "./help-overlay.tsx";
import { useNotices } from "../notices.ts";
import { NoticesOverlay } from "./notices-overlay.tsx";
import { useOverlays, type OverlayState } from "./overlays.ts";
import { usePaletteChoices } from "./use-palette-choices.ts";
import { WaitDialog } from "./wait-dialog.tsx";
import { WorkDialog } from "./work-dialog.tsx";

type OverlayParts = Pick<ShellParts, "Search" | "useFinds">;

export function OverlayView(props: OverlayArea & OverlayParts) {
  const overlays = useOverlays();
  const shown = useStore(overlays.shown);
  if (shown === undefined) return null;
  return <OpenOverlay key={shown.id} overlay={shown.overlay} {...props} onClose={overlays.close} />;
}

function Palette(
  props: DialogProps & Pick<ShellParts, "useFinds"> & { readonly bindings: readonly Binding[] },
) {
  const { bindings, ...area } = props;
  const { say } = useNotices();
  return (
    <ChoiceDialog
      title="Go to, or do"
      placeholder="a place, an action, a record, a member, or: type filter"
      onRefused={(words) => say("note", words)}
      choices={usePaletteChoices(bindings)}
      {...area}
    />
  );
}

function OpenOverlay(props: DialogProps & OverlayParts & { readonly overlay: OverlayState }) {
  const { overlay, Search, useFinds, ...area } = props;
  const folders = useHost();
  switch (overlay.kind) {
    case "choose":
      return (
        <ChoiceDialog
          title={overlay.title}
          placeholder={overlay.placeholder}
          choices={overlay.choices}
          more={overlay.more}
          {...area}
        />
      );
    case "palette":
      return <Palette bindings={overlay.bindings} useFinds={useFinds} {...area} />;
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
    case "file": {
      const { onPick, onOptions, note } = overlay;
      const closing = (next: (path: string) => void) => (path: string) => {
        area.onClose();
        next(path);
      };
      return (
        <FileBrowser
          title={overlay.title}
          currentDirectory={folders.currentDirectory}
          homeDirectory={folders.homeDirectory}
          note={note}
          onPick={closing(onPick)}
          onOptions={onOptions && closing(onOptions)}
          {...area}
        />
      );
    }
    case "notices":
      return <NoticesOverlay {...area} />;
    case "help":
      return <HelpOverlay bindings={overlay.bindings} {...area} />;
  }
}
