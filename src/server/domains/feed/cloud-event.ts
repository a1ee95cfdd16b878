import type { CloudEvent } from "#contract/platform/realtime.ts";
import { given } from "#lib/given.ts";
import { isOfRecord, type FeedEvent } from "./feed-event.ts";

/** The part of an event's `type` for a kind whose name differs. */
const typeNames: Readonly<Record<string, string>> = {
  record: "resource",
  job: "document.job",
  "object-type": "objecttype",
};

/** Changes whose events name the kind of their job, alert, invitation or setting. */
const kindsWithKind: ReadonlySet<string> = new Set(["job", "alert", "member", "setting"]);

export interface CloudEventOptions {
  /** The signed cursor that continues after the event. */
  readonly cursor: string;
  /** The record left the reader's filter with this change. */
  readonly isLeft?: boolean;
  /** The record as of the event's version, for full events; null after an erasure. */
  readonly record?: unknown;
}

/** The event as CloudEvents 1.0; give it one that {@link visibleTo} has returned. */
export function cloudEvent(event: FeedEvent, options: CloudEventOptions): CloudEvent {
  const { id, workspaceId, at, kind, subject, op, version } = event;
  const { type, changed, before, after, actor, request } = event;
  const objectType = isOfRecord(event) ? type : undefined;
  const ofKind = kindsWithKind.has(kind) ? type : undefined;
  const { cursor, isLeft = false, record } = options;
  return {
    specversion: "1.0",
    id,
    source: `/v4/workspaces/${workspaceId}`,
    type: `svc.${typeNames[kind] ?? kind}.${isLeft ? "left" : op}`,
    subject: objectType === undefined ? subject : `${objectType}/${subject}`,
    time: at,
    datacontenttype: "application/json",
    workspaceid: workspaceId,
    svccursor: cursor,
    ...given({ version }),
    data: {
      id: subject,
      ...given({ objectType, kind: ofKind, version, actor, requestId: request, record }),
      ...given({ changed: changed && [...changed], before, after }),
    },
  };
}
