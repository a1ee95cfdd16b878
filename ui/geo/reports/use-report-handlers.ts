import type { GeoReport } from "#contract/geo/reports.ts";
import { given } from "#lib/given.ts";
import { textIn } from "#client/enrollments.ts";
import { initialData } from "../../kit/forms/form-model.ts";
import type { PlaceNow, PlaceTable } from "../../kit/places/list-place.tsx";
import { useForms } from "../../shell/forms/forms.ts";
import { useOverlays } from "../../shell/overlays/overlays.ts";
import { useAnswer } from "../../shell/platform/use-answer.ts";
import { useObjectTypes } from "../../shell/platform/use-object-types.ts";
import { usePlatform } from "../../shell/platform/use-platform.ts";
import { useRouter, type ShownReport } from "../../shell/router.ts";
import { useCommandLines } from "../../shell/use-copy.ts";
import {
  definitionOf,
  definitionOptions,
  kindOf,
  reportChanges,
  reportData,
  reportFaults,
  reportFields,
  reportKinds,
  type ReportKind,
  type ReportNames,
} from "./report-form.ts";
import { reportTitle } from "./report-words.ts";
import {
  scheduleData,
  scheduleFaults,
  scheduleFields,
  scheduleOf,
  scheduleOptions,
} from "./schedule-form.ts";

const mostDatasets = 500;

type ReportsNow = PlaceNow<GeoReport, PlaceTable<GeoReport>>;

/** The types and the datasets that a report may name. */
function useReportNames(): ReportNames {
  const { value: types = [] } = useObjectTypes();
  const { value } = useAnswer(["geoDatasets.list", "names"], (client, signal, tenantId) =>
    client.geoDatasets.list({ tenantId, signal, query: { limit: mostDatasets } }),
  );
  return { types, datasets: (value?.items ?? []).map(({ dataset }) => dataset) };
}

/** Returns functions that create and change reports by a form. */
function useReportForms({ list }: PlaceTable<GeoReport>) {
  const { client, tenantId } = usePlatform();
  const forms = useForms();
  const commands = useCommandLines();
  const names = useReportNames();

  const create = (kind: ReportKind): void => {
    if (client === undefined) return;
    const fields = reportFields(kind, names, "new");
    forms.open({
      title: `Create a report: ${reportKinds[kind]}`,
      subject: {
        fields,
        data: initialData(fields),
        check: (data) => reportFaults(kind, data),
      },
      save: async (data, { idempotencyKey }) => {
        const body = {
          report: textIn(data, "report") ?? "",
          ...given({ title: textIn(data, "title") }),
          ...definitionOf(kind, data),
        };
        const made = await client.geoReports.create({ tenantId, body, idempotencyKey });
        list.reveal(made.report);
        return `created ${reportTitle(made)}`;
      },
      command: (data) =>
        commands.inWorkspace(["geo", "report", "create", textIn(data, "report") ?? ""], {
          title: textIn(data, "title"),
          ...definitionOptions(definitionOf(kind, data)),
        }),
    });
  };

  const edit = (report: GeoReport): void => {
    const kind = kindOf(report);
    if (client === undefined || kind === undefined) return;
    const fields = reportFields(kind, names, "existing");
    const { report: name } = report;
    forms.open({
      title: `Change ${reportTitle(report)}`,
      subject: {
        fields,
        data: reportData(report),
        check: (data) => reportFaults(kind, data),
      },
      save: async (data) => {
        const body = reportChanges(kind, report, data);
        const changed = await client.geoReports.update({
          tenantId,
          params: { report: name },
          body,
        });
        list.refresh();
        return `changed ${reportTitle(changed)}`;
      },
      command: (data) => {
        const { title, where, metrics, source, by } = reportChanges(kind, report, data);
        // No option removes a filter or the figures.
        if (where === null || metrics === null) return undefined;
        const options = definitionOptions(given({ source, by, where, metrics }));
        return commands.inWorkspace(["geo", "report", "update", name], { title, ...options });
      },
    });
  };

  return { create, edit };
}

/** Returns a function that gives a report a schedule, or ends it, by a form. */
function useScheduleForm({ list }: PlaceTable<GeoReport>): (report: GeoReport) => void {
  const { client, tenantId } = usePlatform();
  const forms = useForms();
  const commands = useCommandLines();
  return (report) => {
    if (client === undefined) return;
    const { report: name, version } = report;
    forms.open({
      title: `Schedule ${reportTitle(report)}`,
      subject: { fields: scheduleFields, data: scheduleData(report), check: scheduleFaults },
      save: async (data) => {
        const next = scheduleOf(data);
        const body = { schedule: next, ...given({ version }) };
        await client.geoReports.update({ tenantId, params: { report: name }, body });
        list.refresh();
        return next === null
          ? `${reportTitle(report)} has no schedule`
          : `scheduled ${reportTitle(report)}`;
      },
      command: (data) =>
        commands.inWorkspace(["geo", "report", "update", name], scheduleOptions(scheduleOf(data))),
    });
  };
}

const shownOf = (row: GeoReport): ShownReport => ({ id: row.report, title: reportTitle(row) });

/** The keys of the reports: forms, runs, and the way to their stored results. */
export function useReportHandlers({ table, opened }: ReportsNow) {
  const { go } = useRouter();
  const overlays = useOverlays();
  const { create, edit } = useReportForms(table);
  const schedule = useScheduleForm(table);
  const chooseKind = () =>
    overlays.choose({
      title: "Create a report",
      placeholder: "what it counts or lists",
      choices: Object.entries(reportKinds).map(([id, words]) => ({
        id,
        words,
        choose: () => create(id as ReportKind),
      })),
    });
  return {
    createReport: chooseKind,
    editReport: opened.act(edit),
    scheduleReport: opened.act(schedule),
    runReport: opened.act((row) => go({ place: "geo", report: shownOf(row), rows: "run" })),
    results: opened.act((row) => go({ place: "geo", report: shownOf(row) })),
  };
}
