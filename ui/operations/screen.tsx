import type { ReactElement } from "react";
import { useKeys } from "../kit/keys/use-keys.ts";
import type { Size } from "../kit/panes/layout.ts";
import { Pane, paneBorder } from "../kit/panes/pane.tsx";
import { useLayout, usePanes } from "../kit/panes/use-panes.ts";
import { tabbedPlace, type TabScreen } from "../kit/places/tabbed-place.tsx";
import { useCopyCommand } from "../shell/use-copy.ts";
import { useRouter } from "../shell/router.ts";
import { HealthView } from "./platform-health.tsx";
import { StorageView } from "./storage-view.tsx";
import { audit } from "./audit.ts";

const panes = ["operations"];

/** A tab that shows the state of the platform in one pane. */
function stateTab(
  title: string,
  command: readonly string[],
  View: (props: Size & { readonly focused: boolean }) => ReactElement,
): TabScreen {
  return function StateTab({ tab }) {
    const whole = useLayout();
    const { width, height } = tab?.layout ?? whole;
    const { back } = useRouter();
    const focused = usePanes(panes).focused === "operations";
    const copyCommand = useCopyCommand();
    useKeys("place", {
      nextTab: tab?.nextTab,
      previousTab: tab?.previousTab,
      goBack: tab?.toFirst ?? back,
      copyCommand: () => copyCommand.inWorkspace(command),
    });
    return (
      <Pane title={title} width={width} height={height} focused={focused}>
        <View width={width - paneBorder} height={height - paneBorder} focused={focused} />
      </Pane>
    );
  };
}

/** Health, storage and the audit log, as tabs. */
export const OperationsScreen = tabbedPlace("operations", {
  health: stateTab("Health", ["verify"], HealthView),
  storage: stateTab("Storage", ["resources", "storage", "doctor"], StorageView),
  audit,
});
