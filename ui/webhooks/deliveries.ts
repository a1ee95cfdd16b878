import { deliveryStates } from "#contract/events/webhook-values.ts";
import type { WebhookDelivery, WebhookDeliveryDetails } from "#contract/events/webhooks.ts";
import { given } from "#lib/given.ts";
import { counted } from "#lib/text/counted.ts";
import { commonKeys } from "../kit/keys/base-keys.ts";
import { keyName } from "../kit/keys/keys.ts";
import { chosenRows } from "../kit/lists/use-row-marks.ts";
import { useAct } from "../kit/places/action.ts";
import { lineDetail } from "../kit/places/line-detail.tsx";
import { listPlace, type ListTable, type PlaceNow } from "../kit/places/list-place.tsx";
import { statusColumn } from "../kit/table/status-column.ts";
import { countWords } from "../kit/text/words.ts";
import { useAnswer } from "../shell/platform/use-answer.ts";
import { usePlatform } from "../shell/platform/use-platform.ts";
import { useEach } from "../shell/overlays/use-each.ts";
import { failedReplay, replayDelivery, type NamedEndpoint } from "./actions.ts";
import { webhookKeys, type WebhookFacts, type WebhookKeys } from "./keys.ts";
import { ageOf, deliveryAnswer, deliveryLines } from "./words.ts";

interface Props {
  readonly endpoint: NamedEndpoint;
}

type DeliveriesNow = PlaceNow<WebhookDelivery, ListTable<WebhookDelivery>, Props>;

const keyOf = ({ id }: WebhookDelivery) => id;
const nameOf = ({ type, subject, id }: WebhookDelivery) => `${type ?? id} ${subject ?? ""}`.trim();
const stateOf = (text: string | undefined) => deliveryStates.find((state) => state === text);

function useDeliveryHandlers({ props, table, panes, opened }: DeliveriesNow) {
  const { endpoint } = props;
  const { client, tenantId } = usePlatform();
  const { list, marks } = table;
  const act = useAct();
  const each = useEach();

  const replay = (row: WebhookDelivery): void => {
    if (client === undefined) return;
    const rows = chosenRows(row, marks, panes);
    each({
      title: `Send ${counted(rows.length, "event")} again`,
      thing: "event",
      done: "resent",
      rows,
      nameOf,
      command: ({ id }) => [["webhook", "replay", endpoint.id], { delivery: id }],
      run: replayDelivery(client, endpoint.id, tenantId),
      onEnd: (left) => {
        marks?.keepOnly(new Set(left.map(keyOf)));
        list.refresh();
      },
    });
  };

  return {
    replayDelivery: opened.act(replay),
    replayFailed: () => act(failedReplay, endpoint, list.refresh),
  };
}

function useDeliveryState(row: WebhookDelivery | undefined): { readonly facts: WebhookFacts } {
  return { facts: { callStatus: row?.status } };
}

/** The delivery with its attempts. */
function useDelivery(row: WebhookDelivery | undefined) {
  const { endpointId = "", id = "" } = row ?? {};
  return useAnswer<WebhookDeliveryDetails>(
    ["webhooks.delivery", endpointId, id],
    (client, signal, tenantId) =>
      client.webhooks.delivery({ tenantId, params: { endpointId, deliveryId: id }, signal }),
    { enabled: row?.endpointId !== undefined, shown: true },
  );
}

/** The log of an endpoint's deliveries, the newest first. */
export const Deliveries = listPlace<WebhookDelivery, WebhookKeys, Props>({
  name: ({ endpoint }) => `deliveries ${endpoint.id}`,
  title: ({ props }) => `Deliveries to ${props.endpoint.name}`,
  loading: "Loading the deliveries",
  hasMarks: true,
  listFacts: ["newest first"],
  search: {
    key: "state of deliveries",
    label: "state",
    placeholder: deliveryStates.join(", "),
    fact: "only",
    noMatch: "No delivery has this state.",
    values: deliveryStates,
  },
  list: ({ endpoint }) => ({
    question: "webhooks.deliveries",
    of: endpoint.id,
    keyOf,
    ask: (client, { tenantId, signal, query, text }) =>
      client.webhooks.deliveries({
        tenantId,
        signal,
        params: { endpointId: endpoint.id },
        query: { ...query, ...given({ status: stateOf(text) }) },
      }),
  }),
  columns: (nowMs) => [
    {
      id: "type",
      title: "event",
      value: ({ type }) => type ?? "",
      priority: 0,
      pinned: true,
      minimum: 20,
    },
    statusColumn({ priority: 1, title: "state", of: ({ status }) => status }),
    {
      id: "answer",
      title: "answer",
      value: deliveryAnswer,
      shorter: (row) => (row.responseStatus ? String(row.responseStatus) : deliveryAnswer(row)),
      priority: 2,
      minimum: 8,
    },
    {
      id: "attempts",
      title: "attempts",
      align: "right",
      value: ({ attempts }) => countWords(attempts ?? 0),
      priority: 4,
    },
    {
      id: "made",
      title: "made",
      value: ({ created_at: at }) => ageOf(at, nowMs),
      priority: 3,
    },
    { id: "origin", title: "origin", value: ({ origin }) => origin ?? "", priority: 5 },
    { id: "subject", title: "subject", value: ({ subject }) => subject ?? "", priority: 6 },
  ],
  useHandlers: useDeliveryHandlers,
  useRowKeys: useDeliveryState,
  copied: keyOf,
  command: (_, { props, filter }) => [
    ["webhook", "deliveries", props.endpoint.id],
    given({ status: stateOf(filter.text) }),
  ],
  missing: { words: "This platform has no log of deliveries." },
  empty: {
    words: "Nothing was sent to this endpoint yet.",
    next: `${keyName(commonKeys.goBack)} leads back, where ${keyName(webhookKeys.testEndpoint)} sends a test event.`,
  },
  Detail: lineDetail<WebhookDelivery, WebhookDeliveryDetails>({
    kind: "delivery",
    title: nameOf,
    keyOf,
    useFurther: useDelivery,
    lines: (row, { value = row, ...area }) => deliveryLines(value, area),
  }),
});
