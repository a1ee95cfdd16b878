import { useKeys } from "../kit/keys/use-keys.ts";
import { Pane, paneBorder } from "../kit/panes/pane.tsx";
import { TabbedPlace, type TabMoves } from "../kit/panes/tabbed-place.tsx";
import { useLayout, usePanes } from "../kit/panes/use-panes.ts";
import { useCopyCommand } from "../shell/use-copy.ts";
import { useRouter } from "../shell/use-router.ts";
import { AuditView } from "./audit-view.tsx";
import { HealthView } from "./platform-health.tsx";
import { StorageView } from "./storage-view.tsx";

const panes = ["operations"];

/** Health, storage and the audit log, as tabs. */
export function OperationsScreen() {
  return (
    <TabbedPlace
      name="operations"
      tabs={["health", "storage", "audit"]}
      draw={(tab, moves) =>
        tab === "audit" ? <AuditView moves={moves} /> : <StateView open={tab} moves={moves} />
      }
    />
  );
}

function StateView(props: { readonly open: "health" | "storage"; readonly moves: TabMoves }) {
  const { open, moves } = props;
  const layout = useLayout();
  const { back } = useRouter();
  const { focused } = usePanes(panes);
  const copyCommand = useCopyCommand();
  const command = open === "storage" ? ["resources", "storage", "doctor"] : ["verify"];
  useKeys("place", {
    nextTab: moves.nextTab,
    previousTab: moves.previousTab,
    goBack: moves.toFirst ?? back,
    copyCommand: () => copyCommand.inWorkspace(command),
  });
  const width = layout.width - paneBorder;
  const height = layout.height - paneBorder;
  const isFocused = focused === "operations";
  const title = open === "storage" ? "Storage" : "Health";
  const View = open === "storage" ? StorageView : HealthView;
  return (
    <Pane title={title} width={layout.width} height={layout.height} focused={isFocused}>
      <View width={width} height={height} focused={isFocused} />
    </Pane>
  );
}
