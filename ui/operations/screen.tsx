import { commandLine } from "../kit/text/command-line.ts";
import { Pane, paneBorder } from "../kit/panes/pane.tsx";
import { Tabs } from "../kit/panes/tabs.tsx";
import { useCopy } from "../shell/use-copy.ts";
import { useRemembered } from "../kit/state/use-remembered.tsx";
import { useKeys } from "../kit/keys/use-keys.tsx";
import { useLayout } from "../kit/panes/use-layout.tsx";
import { usePanes } from "../kit/panes/use-panes.tsx";
import { useRouter } from "../shell/use-router.tsx";
import { HealthView } from "./platform-health.tsx";
import { StorageView } from "./storage-view.tsx";

const panes = ["operations"];
const tabs = ["health", "storage"];
const tabRows = 1;

/** How the platform does, and how the workspace's storage does. */
export function OperationsScreen() {
  const layout = useLayout();
  const { back } = useRouter();
  const { focused } = usePanes(panes);
  const copy = useCopy();
  const [open, setOpen] = useRemembered("tab operations", "health");
  const isStorage = open === "storage";
  const turn = () => setOpen(isStorage ? "health" : "storage");
  const command = isStorage ? ["resources", "storage", "doctor"] : ["verify"];
  useKeys("place", {
    nextTab: turn,
    previousTab: turn,
    goBack: back,
    copyCommand: () => copy(commandLine(command)),
  });
  const inner = {
    width: layout.width - paneBorder,
    height: layout.height - paneBorder - tabRows,
  };
  const isFocused = focused === "operations";
  return (
    <Pane title="Operations" width={layout.width} height={layout.height} focused={isFocused}>
      <Tabs tabs={tabs} open={isStorage ? "storage" : "health"} />
      {isStorage ? (
        <StorageView {...inner} focused={isFocused} />
      ) : (
        <HealthView {...inner} focused={isFocused} />
      )}
    </Pane>
  );
}
