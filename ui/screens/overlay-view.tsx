import { AskDialog } from "../components/ask-dialog.tsx";
import { ColumnChooser } from "../components/column-chooser.tsx";
import { ConfirmDialog } from "../components/confirm-dialog.tsx";
import { FileBrowser } from "../components/file-browser.tsx";
import { HelpOverlay } from "../components/help-overlay.tsx";
import { Palette } from "../components/palette.tsx";
import { WorkDialog } from "../components/work-dialog.tsx";
import { useFolders } from "../hooks/use-folders.tsx";
import { useOverlays } from "../hooks/use-overlays.tsx";
import { SearchView } from "./search.tsx";

/** What stands over the screen right now. */
export function OverlayView(props: { readonly columns: number; readonly rows: number }) {
  const { shown, close } = useOverlays();
  const folders = useFolders();
  if (shown === undefined) return null;
  const area = { ...props, onClose: close };
  switch (shown.kind) {
    case "choose":
      return (
        <Palette
          key={shown.title}
          title={shown.title}
          placeholder={shown.placeholder}
          choices={shown.choices}
          {...area}
        />
      );
    case "confirm":
      return <ConfirmDialog question={shown.question} {...area} />;
    case "search":
      return <SearchView objectType={shown.objectType} {...area} />;
    case "work":
      return <WorkDialog key={shown.work.title} work={shown.work} {...area} />;
    case "columns":
      return <ColumnChooser question={shown.question} {...area} />;
    case "ask":
      return <AskDialog question={shown.question} {...area} />;
    case "file":
      return (
        <FileBrowser
          title={shown.title}
          currentDirectory={folders.currentDirectory}
          homeDirectory={folders.homeDirectory}
          onPick={(path) => {
            close();
            shown.onPick(path);
          }}
          {...area}
        />
      );
    case "help":
      return <HelpOverlay bindings={shown.bindings} {...area} />;
  }
}
