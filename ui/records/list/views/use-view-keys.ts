import type { ObjectType } from "#client/index.ts";
import { roleReason } from "../../../kit/keys/reasons.ts";
import type { Choice } from "../../../kit/dialogs/questions.ts";
import { tabAfter } from "../../../kit/panes/tabs.tsx";
import { useNotices, useReportedWork } from "../../../shell/notices.ts";
import { useOverlays } from "../../../shell/overlays/overlays.ts";
import { knownType } from "../../../shell/platform/use-object-types.ts";
import { viewType } from "../../../shell/platform/shown-types.ts";
import { usePlatform, usePlatformLink } from "../../../shell/platform/use-platform.ts";
import { useRole } from "../../../shell/platform/use-workspaces.ts";
import { useCommandLines } from "../../../shell/use-copy.ts";
import { useChangeLog } from "../../undo/change-log.ts";
import { useRecordClient } from "../../use-resources.ts";
import type { Views } from "./use-views.ts";
import {
  allName,
  nameProblem,
  viewData,
  viewTypeDefinition,
  type NamedView,
  type ShownView,
} from "./views.ts";

/** Shares views of a type with the workspace, and ends that. */
function useSharing({ slug }: ObjectType, views: Views) {
  const { client, tenantId } = usePlatform();
  const platform = usePlatformLink();
  const records = useRecordClient(viewType);
  const overlays = useOverlays();
  const commands = useCommandLines();
  const noteChange = useChangeLog();
  const report = useReportedWork(platform.refresh);
  const role = useRole();
  const hasType = knownType(platform, viewType) !== undefined;

  const share = (view: NamedView) => {
    const data = { ...viewData(view), objectType: slug };
    const start = () =>
      report(async () => {
        if (client === undefined || records === undefined) return undefined;
        if (!hasType) {
          await client.objectTypes.create({ tenantId, body: viewTypeDefinition(viewType) });
        }
        const { id, version } = await records.create(data);
        const write = { objectType: viewType, id, name: view.name, version } as const;
        noteChange(`share the view ${view.name}`, [{ ...write, kind: "made" }]);
        views.forget(view.name);
        return `all of this workspace have the view ${view.name}`;
      });
    if (hasType) return start();
    overlays.confirm({
      title: `Share the view ${view.name}`,
      effects: [
        `creates the Object Type ${viewType}, whose records are the views of this workspace`,
        `all of this workspace have the tab ${view.name} of ${slug}`,
      ],
      command: commands.inWorkspace(["resources", "create", viewType], {
        data: JSON.stringify(data),
      }),
      onConfirm: start,
    });
  };

  const unshare = ({ name, record }: ShownView) => {
    if (record === undefined) return;
    const { id, version } = record;
    overlays.confirm({
      title: `Remove the view ${name}`,
      effects: [`the tab ${name} of ${slug} is gone for all of this workspace`],
      command: commands.inWorkspace(["resources", "delete", viewType, id], { force: true }),
      onConfirm: () =>
        report(async () => {
          await records?.delete(id, { headers: { "if-match": `"${version}"` } });
          noteChange(`remove the view ${name}`, [
            { objectType: viewType, id, name, kind: "deleted" },
          ]);
          return `removed the view ${name}`;
        }),
    });
  };

  const reason = roleReason(hasType ? "tenant-staff" : "tenant-builder", role);
  return { share, unshare, reason };
}

/** The keys of the named views of a list. */
export function useViewKeys(type: ObjectType, views: Views) {
  const overlays = useOverlays();
  const { say } = useNotices();
  const { share, unshare, reason } = useSharing(type, views);
  const { all, tabs, open, shown, now } = views;

  const save = () =>
    overlays.ask({
      title: "Save this view",
      words: "Its filter, order and columns get a tab above the list.",
      initial: "",
      placeholder: "a name",
      problemOf: nameProblem,
      onAnswer: (name) => {
        views.keep({ ...now, name: name.trim() });
        say("done", `saved the view ${name.trim()}`);
      },
    });

  const forget = (view: ShownView) => {
    if (view.record !== undefined) return unshare(view);
    views.forget(view.name);
    say("done", `removed the view ${view.name}`);
  };

  const actions = (): Choice[] => {
    if (shown === undefined) {
      return open === allName ? [] : [{ id: "save", words: "save this as a view …", choose: save }];
    }
    const { name, record } = shown;
    const sharing: Choice = {
      id: "share",
      words: `share ${name} with the workspace`,
      reason,
      choose: () => share(shown),
    };
    const removal: Choice = {
      id: "remove",
      words: `remove the view ${name}`,
      reason: record === undefined ? undefined : reason,
      choose: () => forget(shown),
    };
    return record === undefined ? [sharing, removal] : [removal];
  };

  const choose = () =>
    overlays.choose({
      title: `Views of ${type.slug}`,
      placeholder: "a view, or what to do with this one",
      choices: [
        ...(shown === undefined ? actions() : []),
        ...[{ name: allName, record: undefined }, ...all].map(({ name, record }): Choice => ({
          id: `view ${name}`,
          words: name === allName ? "all records" : name,
          note: name === allName ? undefined : record === undefined ? "yours" : "shared",
          isCurrent: name === open,
          choose: () => views.show(name),
        })),
        ...(shown === undefined ? [] : actions()),
      ],
    });

  const step = (by: number) => views.show(tabAfter(tabs?.names ?? [], open ?? allName, by));
  const moves =
    tabs === undefined
      ? {}
      : {
          nextView: (count: number) => step(count),
          previousView: (count: number) => step(-count),
        };
  return { views: choose, ...moves };
}
