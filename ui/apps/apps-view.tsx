import type { AppKeys } from "./keys.ts";
import { appKeys } from "./keys.ts";
import { useMemo } from "react";
import { keyOffer } from "../kit/keys/keys.ts";
import { useAgeTime, useKeys } from "../kit/keys/use-keys.ts";
import { ListDetail } from "../kit/lists/list-detail.tsx";
import { listRows } from "../kit/lists/list-pane.tsx";
import { useOpenedRow } from "../kit/lists/use-opened-row.ts";
import { DetailPane } from "../kit/panes/detail-pane.tsx";
import type { Size } from "../kit/panes/layout.ts";
import type { TabMoves } from "../kit/panes/tabbed-place.tsx";
import { useMasterDetail } from "../kit/panes/use-master-detail.ts";
import { useRole, useWorkspaces } from "../shell/platform/use-workspaces.ts";
import { useCopy, useCopyCommand } from "../shell/use-copy.ts";
import { useRouter } from "../shell/use-router.ts";
import { useEnrolling, useProvisioningActions } from "./use-app-actions.ts";
import { useApps, useProvisioning, useProvisioningJobs, type App } from "./use-apps.ts";
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
  const opened = useOpenedRow("apps", list, panes.detailChosen);
  const { jobIdOf, follow } = useProvisioningJobs();
  const nowMs = useAgeTime(list.sample);
  const enroll = useEnrolling((id) => (id === undefined ? list.refresh() : list.reveal(id)));
  const actions = useProvisioningActions(follow, list.refresh);
  const columns = useMemo(() => appColumns(nowMs, memberships), [nowMs, memberships]);
  useKeys<AppKeys>(
    "place",
    {
      enrollApp: enroll,
      provisionApp: opened.act(actions.provision),
      readProvisioning: opened.act(actions.readJob),
      copyText: opened.act(({ key }) => copy(jobIdOf(key) ?? "")),
      copyCommand: () => {
        const key = opened.get().row?.key;
        if (key === undefined) return copyCommand.inWorkspace(["app", "list"]);
        copyCommand.inWorkspace(["app", "provision", key], { "job-id": jobIdOf(key) });
      },
      nextTab: moves.nextTab,
      previousTab: moves.previousTab,
      goBack: panes.detailFocused ? panes.close : back,
    },
    { facts: { role, rows: list.count } },
  );
  return (
    <ListDetail<App>
      panes={panes}
      opened={opened}
      title="Apps"
      list={list}
      columns={columns}
      loading="Loading the apps"
      empty={{
        words: "No app is enrolled in this workspace.",
        next: keyOffer(appKeys.enrollApp, "enrolls one.", role),
      }}
      detail={({ row }, area, focused) => <AppDetail app={row} area={area} focused={focused} />}
    />
  );
}

function AppDetail(props: {
  readonly app: App | undefined;
  readonly area: Size;
  readonly focused: boolean;
}) {
  const { app, ...pane } = props;
  const role = useRole();
  const { value: memberships } = useWorkspaces();
  const { job, failure } = useProvisioning(app);
  const nowMs = useAgeTime(job);
  const offer = keyOffer(appKeys.provisionApp, "provisions it, step by step.", role);
  const views = useMemo(
    () => ({
      app: (one: App, width: number) =>
        appLines(one, { width, nowMs, job, failure, memberships, offer }),
    }),
    [nowMs, job, failure, memberships, offer],
  );
  return (
    <DetailPane<App>
      {...pane}
      kind="app"
      title={app === undefined ? "details" : appName(app)}
      item={app}
      keyOf={appId}
      views={views}
    />
  );
}
