import { receivedStates } from "#contract/events/webhook-source-values.ts";
import type { ReceivedCall, ReceivedCallDetails } from "#contract/events/webhook-sources.ts";
import { given } from "#lib/given.ts";
import { counted } from "#lib/text/counted.ts";
import { commonKeys } from "../kit/keys/base-keys.ts";
import { keyName } from "../kit/keys/keys.ts";
import { chosenRows } from "../kit/lists/use-row-marks.ts";
import { lineDetail } from "../kit/places/line-detail.tsx";
import { listPlace, type ListTable, type PlaceNow } from "../kit/places/list-place.tsx";
import { statusColumn } from "../kit/table/status-column.ts";
import { sizeWords } from "../kit/text/words.ts";
import { useAnswer } from "../shell/platform/use-answer.ts";
import { usePlatform } from "../shell/platform/use-platform.ts";
import { useEach } from "../shell/overlays/use-each.ts";
import { replayCall } from "./actions.ts";
import { webhookKeys, type WebhookFacts, type WebhookKeys } from "./keys.ts";
import { useMappingTrial } from "./use-mapping-trial.ts";
import { ageOf, callEffect, callLines } from "./words.ts";

interface Props {
  readonly source: {
    readonly id: string;
    readonly name: string;
    readonly mapping?: string | undefined;
  };
}

type ReceivedNow = PlaceNow<ReceivedCall, ListTable<ReceivedCall>, Props>;

const keyOf = ({ id }: ReceivedCall) => id;
const nameOf = ({ eventId, id }: ReceivedCall) => eventId ?? id;
const stateOf = (text: string | undefined) => receivedStates.find((state) => state === text);

function useReceivedHandlers({ props, table, panes, opened }: ReceivedNow) {
  const { source } = props;
  const { client, tenantId } = usePlatform();
  const { list, marks } = table;
  const each = useEach();
  const tryMapping = useMappingTrial();

  const replay = (row: ReceivedCall): void => {
    if (client === undefined) return;
    const rows = chosenRows(row, marks, panes);
    each({
      title: `Let ${counted(rows.length, "call")} take effect again`,
      thing: "call",
      done: "replayed",
      rows,
      nameOf,
      command: ({ id }) => [["webhook", "source", "replay", source.id, id]],
      run: replayCall(client, source.id, tenantId),
      onEnd: (left) => {
        marks?.keepOnly(new Set(left.map(keyOf)));
        list.refresh();
      },
    });
  };

  return {
    replayCall: opened.act(replay),
    tryMapping: opened.act(({ id: receivedId }) => {
      const { id, name, mapping } = source;
      tryMapping({ source: id, name, mapping, receivedId });
    }),
  };
}

function useCallState(row: ReceivedCall | undefined): { readonly facts: WebhookFacts } {
  return { facts: { callStatus: row?.status } };
}

/** The headers and the body of a call. */
function useCall(row: ReceivedCall | undefined) {
  const { source = "", id = "" } = row ?? {};
  return useAnswer<ReceivedCallDetails>(
    ["webhookSources.receivedCall", source, id],
    (client, signal, tenantId) =>
      client.webhookSources.receivedCall({ tenantId, params: { source, receivedId: id }, signal }),
    { enabled: row?.source !== undefined },
  );
}

/** The calls that a source has received, the newest first. */
export const Received = listPlace<ReceivedCall, WebhookKeys, Props>({
  name: ({ source }) => `received ${source.id}`,
  title: ({ props }) => `Calls from ${props.source.name}`,
  loading: "Loading the received calls",
  hasMarks: true,
  listFacts: ["newest first"],
  search: {
    key: "state of received calls",
    label: "state",
    placeholder: receivedStates.join(", "),
    fact: "only",
    noMatch: "No call has this state.",
    values: receivedStates,
  },
  list: ({ source }) => ({
    question: "webhookSources.received",
    of: source.id,
    keyOf,
    ask: (client, { tenantId, signal, query, text }) =>
      client.webhookSources.received({
        tenantId,
        signal,
        params: { source: source.id },
        query: { ...query, ...given({ status: stateOf(text) }) },
      }),
  }),
  columns: (nowMs) => [
    { id: "id", title: "call", value: nameOf, priority: 0, pinned: true, minimum: 16, maximum: 32 },
    statusColumn({ priority: 1, title: "state", of: ({ status }) => status }),
    {
      id: "effect",
      title: "effect",
      value: callEffect,
      token: ({ error }) => (error ? "bad" : undefined),
      priority: 3,
      minimum: 8,
    },
    {
      id: "received",
      title: "received",
      value: ({ received_at: at }) => ageOf(at, nowMs),
      priority: 2,
    },
    {
      id: "size",
      title: "size",
      align: "right",
      value: ({ size }) => sizeWords(size),
      priority: 4,
    },
  ],
  useHandlers: useReceivedHandlers,
  useRowKeys: useCallState,
  copied: keyOf,
  command: (row, { props, filter }) =>
    row === undefined
      ? [
          ["webhook", "source", "received", props.source.id],
          given({ status: stateOf(filter.text) }),
        ]
      : [["webhook", "source", "call", props.source.id, row.id]],
  missing: { words: "This platform receives no calls from outside." },
  empty: {
    words: "This source has received no call yet.",
    next: `${keyName(commonKeys.goBack)} leads back, where ${keyName(webhookKeys.tryMapping)} tries the mapping.`,
  },
  Detail: lineDetail<ReceivedCall, ReceivedCallDetails>({
    kind: "call",
    title: nameOf,
    keyOf,
    useFurther: useCall,
    lines: callLines,
  }),
});
