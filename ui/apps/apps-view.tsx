import { useMemo } from "react";
import { keyOffer } from "../kit/keys/key-table.ts";
import { useAgeTime } from "../kit/keys/use-age-time.ts";
import { useKeys } from "../kit/keys/use-keys.tsx";
import { ListDetail } from "../kit/lists/list-detail.tsx";
import { listRows } from "../kit/lists/list-pane.tsx";
import { useOpenedRow } from "../kit/lists/use-opened-row.ts";
import { DetailPane } from "../kit/panes/detail-pane.tsx";
import type { TabMoves } from "../kit/panes/tabbed-place.tsx";
import { useMasterDetail } from "../kit/panes/use-master-detail.ts";
import { useRole, useWorkspaces } from "../shell/platform/use-workspaces.ts";
import { useCopy, useCopyCommand } from "../shell/use-copy.ts";
import { useRouter } from "../shell/use-router.tsx";
import { useEnrolling, useProvisioningActions } from "./use-app-actions.ts";
import { useApps, useProvisioning, type App } from "./use-apps.ts";
import { appColumns, appLines, appName } from "./words.ts";

const appId = ({ id }: App) => id;

/** The enrolled apps with the provisioning of the selected one. */
export function AppsView({ moves }: { readonly moves: TabMoves }) {
  const { back } = useRouter();
  const role = useRole();
  const copy = useCopy();
  const copyCommand = useCopyCommand();
  const { value: memberships } = useWorkspaces();
  const panes = useMasterDetail(true);
  const list = useApps(listRows(panes.listHeight));
  const { row: selected } = useOpenedRow("apps", list, panes.detailChosen);
  const { job, answer, follow } = useProvisioning(selected);
  const nowMs = useAgeTime(job ?? list.sample);
  const enroll = useEnrolling((id) => (id === undefined ? list.refresh() : list.reveal(id)));
  const actions = useProvisioningActions(follow, list.refresh);
  const columns = useMemo(() => appColumns(nowMs, memberships), [nowMs, memberships]);
  const offer = keyOffer("provisionApp", "provisions it, step by step.", role);
  const { failure } = answer;
  const views = useMemo(
    () => ({
      app: (app: App, width: number) =>
        appLines(app, { width, nowMs, job, failure, memberships, offer }),
    }),
    [nowMs, job, failure, memberships, offer],
  );
  useKeys(
    "place",
    {
      enrollApp: enroll,
      provisionApp: () => selected !== undefined && actions.provision(selected),
      readProvisioning: () => selected !== undefined && actions.readJob(selected),
      copyText: () => job !== undefined && copy(job.jobId),
      copyCommand: () =>
        selected === undefined
          ? copyCommand.inWorkspace(["app", "list"])
          : copyCommand.inWorkspace(["app", "provision", selected.key], { "job-id": job?.jobId }),
      nextTab: moves.nextTab,
      previousTab: moves.previousTab,
      goBack: panes.detailFocused ? panes.close : back,
    },
    { facts: { role, rows: list.count } },
  );
  return (
    <ListDetail<App>
      panes={panes}
      title="Apps"
      list={list}
      columns={columns}
      loading="Loading the apps"
      empty={{
        words: "No app is enrolled in this workspace.",
        next: keyOffer("enrollApp", "enrolls one.", role),
      }}
      detail={(area, focused) => (
        <DetailPane<App>
          key="detail"
          area={area}
          kind="app"
          title={selected === undefined ? "details" : appName(selected)}
          item={selected}
          keyOf={appId}
          views={views}
          focused={focused}
        />
      )}
    />
  );
}
