import { useKeys } from "../kit/keys/use-keys.tsx";
import { Pane, paneBorder } from "../kit/panes/pane.tsx";
import { Tabs } from "../kit/panes/tabs.tsx";
import { useLayout, usePanes } from "../kit/panes/use-panes.tsx";
import { useRemembered } from "../kit/state/use-remembered.tsx";
import { useCopyCommand } from "../shell/use-copy.ts";
import { useRouter } from "../shell/use-router.tsx";
import { AuditView } from "./audit-view.tsx";
import { HealthView } from "./platform-health.tsx";
import { StorageView } from "./storage-view.tsx";

const panes = ["operations"];
const tabs = ["health", "storage", "audit"] as const;
type Tab = (typeof tabs)[number];
const tabRows = 1;

/** The tab `steps` after another one; the last is followed by the first. */
function tabAfter(tab: Tab, steps: number): Tab {
  return tabs[(tabs.indexOf(tab) + steps + tabs.length) % tabs.length] ?? tab;
}

/** Health, storage and the audit log, as tabs. */
export function OperationsScreen() {
  const { back } = useRouter();
  const [open, setOpen] = useRemembered<Tab>("tab operations", "health");
  const moves = {
    onNext: () => setOpen(tabAfter(open, 1)),
    onPrevious: () => setOpen(tabAfter(open, -1)),
    onBack: back,
  };
  return open === "audit" ? <AuditView {...moves} /> : <StateView open={open} {...moves} />;
}

function StateView(props: {
  readonly open: "health" | "storage";
  readonly onNext: () => void;
  readonly onPrevious: () => void;
  readonly onBack: () => void;
}) {
  const { open } = props;
  const layout = useLayout();
  const { focused } = usePanes(panes);
  const copyCommand = useCopyCommand();
  const command = open === "storage" ? ["resources", "storage", "doctor"] : ["verify"];
  useKeys("place", {
    nextTab: props.onNext,
    previousTab: props.onPrevious,
    goBack: props.onBack,
    copyCommand: () => copyCommand.inWorkspace(command),
  });
  const width = layout.width - paneBorder;
  const height = layout.height - paneBorder - tabRows;
  const isFocused = focused === "operations";
  const View = open === "storage" ? StorageView : HealthView;
  return (
    <Pane title="Operations" width={layout.width} height={layout.height} focused={isFocused}>
      <Tabs tabs={tabs} open={open} />
      <View width={width} height={height} focused={isFocused} />
    </Pane>
  );
}
