import { TabbedPlace } from "../kit/panes/tabbed-place.tsx";
import { AppsView } from "./apps-view.tsx";
import { WorkflowsView } from "./workflows-view.tsx";

/** The apps that are enrolled in the workspace, and its workflows. */
export function AppsScreen() {
  return (
    <TabbedPlace
      name="apps"
      tabs={["apps", "workflows"]}
      draw={(tab, moves) =>
        tab === "apps" ? <AppsView moves={moves} /> : <WorkflowsView moves={moves} />
      }
    />
  );
}
