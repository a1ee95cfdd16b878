import type { Alert } from "#contract/events/alerts.ts";
import { alertStates } from "#contract/events/alert-values.ts";
import { given } from "#lib/given.ts";
import { counted } from "#lib/text/counted.ts";
import { listKeys } from "../kit/keys/base-keys.ts";
import { keyName } from "../kit/keys/keys.ts";
import { chosenRows } from "../kit/lists/use-row-marks.ts";
import { lineDetail } from "../kit/places/line-detail.tsx";
import { listPlace, type ListTable, type PlaceNow } from "../kit/places/list-place.tsx";
import { statusColumn } from "../kit/table/status-column.ts";
import { ageWords } from "../kit/text/words.ts";
import { memberNamesPart } from "../shell/platform/member-names.ts";
import { useNames, type NameOf } from "../shell/platform/names.ts";
import { usePlatform, usePlatformLink } from "../shell/platform/use-platform.ts";
import { useRouter } from "../shell/router.ts";
import { useEach } from "../shell/overlays/use-each.ts";
import { acknowledge } from "./actions.ts";
import type { AlertFacts, AlertKeys } from "./keys.ts";
import { alertLines, recipientWords } from "./words.ts";

type AlertsNow = PlaceNow<Alert, ListTable<Alert>>;

const keyOf = ({ id }: Alert) => id;
const messageOf = ({ message, ruleName, id }: Alert) => message ?? ruleName ?? id;
const stateOf = (text: string | undefined) => alertStates.find((state) => state === text);
const isOfRecord = ({ objectType, subject }: Alert) => Boolean(objectType) && Boolean(subject);

function useAlertHandlers({ table, panes, opened }: AlertsNow) {
  const { client, tenantId } = usePlatform();
  const { refresh } = usePlatformLink();
  const { marks } = table;
  const { go } = useRouter();
  const each = useEach();
  const acknowledgeChosen = (alert: Alert): void => {
    if (client === undefined) return;
    const rows = chosenRows(alert, marks, panes);
    each({
      title: `Acknowledge ${counted(rows.length, "alert")}`,
      thing: "alert",
      done: "acknowledged",
      rows,
      nameOf: messageOf,
      command: ({ id }) => [["alert", "ack", id]],
      run: acknowledge(client, tenantId),
      onEnd: (left) => {
        marks?.keepOnly(new Set(left.map(keyOf)));
        // The badge counts open alerts too.
        refresh();
      },
    });
  };
  return {
    acknowledge: opened.act(acknowledgeChosen),
    openSubject: opened.act(({ objectType, subject }) => {
      if (!objectType || !subject) return;
      go({ place: "resources", objectType, recordId: subject });
    }),
  };
}

function useAlertState(row: Alert | undefined): { readonly facts: AlertFacts } {
  const facts: AlertFacts = {
    isAcknowledged: row?.status === "acknowledged",
    hasRecord: row && isOfRecord(row),
  };
  return { facts };
}

/** The names of the members that an alert names. */
function useNamesOf(row: Alert | undefined) {
  const nameOf = useNames(memberNamesPart, [row?.userId, row?.acknowledgedBy]);
  return { value: nameOf, failure: undefined };
}

/** The alerts for the user, the newest first. */
export const Alerts = listPlace<Alert, AlertKeys>({
  name: "alerts",
  title: "Alerts",
  loading: "Loading the alerts",
  hasMarks: true,
  listFacts: ["newest first"],
  search: {
    key: "state of alerts",
    label: "state",
    placeholder: alertStates.join(", "),
    fact: "only",
    noMatch: "No alert has this state.",
    values: alertStates,
  },
  list: {
    question: "alerts.list",
    keyOf,
    ask: (client, { tenantId, signal, query, text }) => {
      const status = given({ status: stateOf(text) });
      return client.alerts.list({ tenantId, signal, query: { ...query, ...status } });
    },
  },
  columns: (nowMs) => [
    {
      id: "message",
      title: "alert",
      value: messageOf,
      priority: 0,
      pinned: true,
      minimum: 24,
      maximum: 80,
    },
    statusColumn({ priority: 1, title: "state", minimum: 14, of: ({ status }) => status }),
    { id: "age", title: "raised", value: ({ raisedAt }) => ageWords(raisedAt, nowMs), priority: 2 },
    { id: "rule", title: "rule", value: ({ ruleName }) => ruleName ?? "", priority: 3 },
    { id: "for", title: "for", value: (alert) => recipientWords(alert, () => "you"), priority: 4 },
  ],
  useHandlers: useAlertHandlers,
  useRowKeys: useAlertState,
  copied: messageOf,
  command: (_, { filter }) => [["alert", "list"], given({ status: stateOf(filter.text) })],
  missing: { words: "This platform has no alerts." },
  empty: {
    words: "No alert was raised for you.",
    next: `${keyName(listKeys.nextTab)} leads to the rules, which raise alerts.`,
  },
  Detail: lineDetail<Alert, NameOf>({
    kind: "alert",
    title: ({ ruleName, id }) => ruleName ?? id,
    keyOf,
    useFurther: useNamesOf,
    lines: (alert, { value, ...area }) => alertLines(alert, area, value),
  }),
});
