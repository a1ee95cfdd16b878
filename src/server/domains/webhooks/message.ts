import { Refusal } from "#contract/problems.ts";
import { isJsonObject } from "#lib/json/value.ts";
import { version } from "#lib/version.ts";
import type { Resource } from "#contract/resources/record.ts";
import type { WorkspaceScope } from "../../work/caller.ts";
import type { Work } from "../../work/work.ts";
import { workOfRole } from "../../work/works.ts";
import type { DeliveryRecord } from "./delivery-store.ts";
import type { EndpointSecrets } from "./signing/endpoint-secrets.ts";
import type { AlertReader, EventSource, KeptEvent } from "./event-source.ts";
import { keptEventOf } from "./fan-out.ts";
import { signedHeaders } from "./signing/signature.ts";
import type { EndpointRecord } from "./store.ts";
import { storedRole } from "../../work/held-role.ts";

/** Reads a record in a version by the rights of the work; it rejects with 404 without it. */
export type RecordReader = (
  work: Work,
  record: {
    readonly workspaceId: string;
    readonly slug: string;
    readonly id: string;
    readonly version: number | undefined;
  },
  signal: AbortSignal,
) => Promise<Resource>;

/** A request to an endpoint. */
export interface Message {
  readonly headers: Record<string, string>;
  readonly body: string;
}

/** Makes the request of a delivery when it is sent, so that no body is stored. */
export class Messages {
  constructor(
    private readonly parts: {
      readonly events: EventSource;
      readonly endpointSecrets: EndpointSecrets;
      readonly readRecord: RecordReader;
      readonly readAlert: AlertReader;
      readonly now: () => Date;
    },
  ) {}

  /** Undefined for a change that the endpoint's role may no longer read. */
  async of(
    work: Work,
    endpoint: EndpointRecord,
    delivery: DeliveryRecord,
    signal: AbortSignal,
  ): Promise<Message | undefined> {
    const { endpointSecrets, now } = this.parts;
    const event = await this.#event(work, endpoint, delivery, signal);
    if (event === undefined) return undefined;
    const body = JSON.stringify(event);
    const at = now();
    // A full stop separates the parts of what is signed.
    const id = delivery.event_id.replaceAll(".", "-");
    return {
      headers: {
        "content-type": "application/json",
        "user-agent": `svc/${version}`,
        ...signedHeaders({ id, at, body }, endpointSecrets.pairs(endpoint, at)),
      },
      body,
    };
  }

  async #event(
    work: Work,
    endpoint: EndpointRecord,
    delivery: DeliveryRecord,
    signal: AbortSignal,
  ): Promise<object | undefined> {
    // A replay has the type of what it repeats.
    if (ownTypes.has(delivery.event_type)) return ownEvent(delivery);
    const stored = keptEventOf(delivery);
    const visible = await this.parts.events.visible(roleOf(endpoint), stored);
    if (visible === undefined) return undefined;
    const { position, isLeft } = stored;
    const kept: KeptEvent = { ...visible, position, isLeft };
    const event = this.parts.events.cloudEvent(kept);
    if (endpoint.body !== "full") return event;
    if (kept.kind === "record") {
      return this.parts.events.cloudEvent(kept, await this.#record(work, endpoint, kept, signal));
    }
    if (event.type !== "svc.alert.raised") return event;
    const alert = await this.parts.readAlert(work, roleOf(endpoint), kept.subject);
    return { ...event, data: { ...objectOf(event.data), alert: alert ?? null } };
  }

  /** Null for a record that was erased, or that the endpoint's role may no longer read. */
  async #record(
    work: Work,
    endpoint: EndpointRecord,
    { type, subject, version: recordVersion }: KeptEvent,
    signal: AbortSignal,
  ): Promise<Resource | null> {
    if (type === undefined) return null;
    const workspace = roleOf(endpoint);
    const record = { workspaceId: workspace.id, slug: type, id: subject, version: recordVersion };
    try {
      return await this.parts.readRecord(workOfRole(work, workspace), record, signal);
    } catch (error) {
      if (error instanceof Refusal) return null;
      throw error;
    }
  }
}

/** Events of the endpoint itself. */
const ownTypes: ReadonlySet<string> = new Set(["svc.webhook.test", "svc.feed.reset"]);

function objectOf(value: unknown): object {
  return isJsonObject(value) ? value : {};
}

function roleOf(endpoint: EndpointRecord): WorkspaceScope {
  return { id: endpoint.workspace_id, role: storedRole(endpoint.role) };
}

/** An event of the endpoint itself: a test, or the end of what the feed knows. */
function ownEvent({ workspace_id: workspaceId, ...delivery }: DeliveryRecord): object {
  return {
    specversion: "1.0",
    id: delivery.event_id,
    source: `/v4/webhooks/endpoints/${delivery.endpoint_id}`,
    type: delivery.event_type,
    time: delivery.created_at,
    datacontenttype: "application/json",
    workspaceid: workspaceId,
    data: JSON.parse(delivery.event),
  };
}
