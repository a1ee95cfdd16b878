import { useKeys } from "../kit/keys/use-keys.tsx";
import { Pane, paneBorder } from "../kit/panes/pane.tsx";
import { Tabs } from "../kit/panes/tabs.tsx";
import { useLayout, usePanes } from "../kit/panes/use-panes.tsx";
import { useRemembered } from "../kit/state/use-remembered.tsx";
import { useCopyCommand } from "../shell/use-copy.ts";
import { useRouter } from "../shell/use-router.tsx";
import { HealthView } from "./platform-health.tsx";
import { StorageView } from "./storage-view.tsx";

const panes = ["operations"];
const tabs = ["health", "storage"];
const tabRows = 1;

export function OperationsScreen() {
  const layout = useLayout();
  const { back } = useRouter();
  const { focused } = usePanes(panes);
  const copyCommand = useCopyCommand();
  const [open, setOpen] = useRemembered("tab operations", "health");
  const isStorage = open === "storage";
  const openOther = () => setOpen(isStorage ? "health" : "storage");
  const command = isStorage ? ["resources", "storage", "doctor"] : ["verify"];
  useKeys("place", {
    nextTab: openOther,
    previousTab: openOther,
    goBack: back,
    copyCommand: () => copyCommand.inWorkspace(command),
  });
  const width = layout.width - paneBorder;
  const height = layout.height - paneBorder - tabRows;
  const isFocused = focused === "operations";
  const View = isStorage ? StorageView : HealthView;
  return (
    <Pane title="Operations" width={layout.width} height={layout.height} focused={isFocused}>
      <Tabs tabs={tabs} open={isStorage ? "storage" : "health"} />
      <View width={width} height={height} focused={isFocused} />
    </Pane>
  );
}
