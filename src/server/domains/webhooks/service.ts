import { ListCursors } from "../../kit/lists/cursors.ts";
import type { AddressRules } from "../../kit/outbound/checked-address.ts";
import type { PlatformBase } from "../base.ts";
import type { Feed } from "../feed/service.ts";
import type { ObjectTypeService } from "../object-types/service.ts";
import { forgetAnswers } from "./delivery-store.ts";
import { Deliveries } from "./deliveries.ts";
import { EndpointSecrets } from "./signing/endpoint-secrets.ts";
import { EventSource, type AlertReader } from "./event-source.ts";
import { FanOut } from "./fan-out.ts";
import { LaneTurns } from "./lanes/lane-turns.ts";
import { Messages, type RecordReader } from "./message.ts";
import { Sender, type SentAttempt } from "./sender.ts";
import { WebhookEndpoints, type RuleTest } from "./endpoints.ts";
import { WebhookWorker } from "./worker.ts";

export { lowerMadeEndpoints, settleMadeEndpoints, type SettledEndpoint } from "./made-endpoints.ts";

interface WebhookParts {
  readonly feed: Feed;
  readonly objectTypes: Pick<ObjectTypeService, "find">;
  readonly readRecord: RecordReader;
  readonly readAlert: AlertReader;
  readonly isRuleOfRole: RuleTest;
  readonly address: AddressRules;
  readonly timeoutMs: number;
  /** Numbers from 0 to 1 that spread retries. */
  readonly random?: () => number;
}

/** Outbound webhooks: endpoints, the deliveries to them, and the worker that sends these. */
export class Webhooks {
  readonly endpoints: WebhookEndpoints;
  readonly deliveries: Deliveries;
  readonly worker: WebhookWorker;

  constructor(
    private readonly base: PlatformBase,
    { feed, objectTypes, readRecord, readAlert, isRuleOfRole, address, ...times }: WebhookParts,
  ) {
    const { platformWork, secrets, now, logger } = base;
    const cursors = new ListCursors(secrets.for("webhooks"));
    const events = new EventSource(feed, objectTypes);
    const endpointSecrets = new EndpointSecrets(secrets);
    const messages = new Messages({ events, endpointSecrets, readRecord, readAlert, now });
    const onSent = (sent: SentAttempt): void => this.worker.noteSent(sent);
    const { timeoutMs, random = Math.random } = times;
    const turns = new LaneTurns(platformWork("the kind of the database").read.dialect);
    const sending = { messages, address, timeoutMs, random, turns, onSent };
    const sender = new Sender({ platformWork, now, logger, ...sending });
    const fanOut = new FanOut({ platformWork, events, readAlert, now });
    this.worker = new WebhookWorker({ ...base, changes: feed, fanOut, sender, turns });
    this.deliveries = new Deliveries({ messages, cursors, onDue: this.worker.wake, now });
    this.endpoints = new WebhookEndpoints({
      events,
      endpointSecrets,
      cursors,
      allowedHosts: address.allowedHosts,
      isRuleOfRole,
      onActive: this.worker.noteActive,
      now,
    });
  }

  /** Removes the answers that endpoints gave to events of erased records and documents. */
  async eraseAnswers(workspaceId: string, ids: readonly string[]): Promise<void> {
    const work = this.base.platformWork("answers of webhook endpoints").within(workspaceId);
    await work.write((tx) => forgetAnswers(tx, workspaceId, ids));
  }
}
