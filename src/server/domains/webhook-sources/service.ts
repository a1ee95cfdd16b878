import type { MappingTrial, TrialOutcome } from "#contract/events/webhook-sources.ts";
import { ListCursors } from "../../kit/lists/cursors.ts";
import type { QuotaPort } from "../../work/ports.ts";
import type { Work } from "../../work/work.ts";
import type { PlatformBase } from "../base.ts";
import type { AccessService, ServiceKeys } from "../members/service.ts";
import { mappedBody, MappingError, Mappings, type MappingInput } from "./mapping.ts";
import { CallProcessing } from "./process.ts";
import { ReceivedCalls, receivedJobKind } from "./received.ts";
import { required, Sources } from "./sources.ts";
import { receivedById, sourceOf } from "./store.ts";
import { headersOf } from "./wire.ts";

export { receivedJobKind } from "./received.ts";

/** Sources of calls from outside, the calls that they receive, and their effects. */
export class WebhookSources {
  readonly sources: Sources;
  readonly received: ReceivedCalls;
  readonly processing: CallProcessing;
  readonly #mappings: Mappings;
  readonly #now: () => Date;
  #wake: () => void = () => {};

  constructor(
    base: PlatformBase,
    uses: {
      readonly access: AccessService;
      readonly keys: ServiceKeys;
      readonly admit: QuotaPort["admit"];
    },
  ) {
    const { secrets, now } = base;
    this.#now = now;
    const cursors = new ListCursors(secrets.for("webhook sources"));
    this.sources = new Sources({ keys: uses.keys, secrets, cursors, now });
    this.#mappings = new Mappings(base);
    const parts = { ...base, admit: uses.admit, sources: this.sources, cursors };
    const unknownSecret = secrets.for("unknown webhook source");
    this.received = new ReceivedCalls({ ...parts, unknownSecret, wake: () => this.#wake() });
    this.processing = new CallProcessing({
      ...parts,
      access: uses.access,
      mappings: this.#mappings,
    });
  }

  /** Makes the service, which forgets calls after 30 days. */
  static begin(
    base: PlatformBase,
    uses: {
      readonly access: AccessService;
      readonly keys: ServiceKeys;
      readonly admit: QuotaPort["admit"];
    },
  ): WebhookSources {
    const made = new WebhookSources(base, uses);
    made.received.startSweep(base.lifetime);
    return made;
  }

  /** The kind of job that lets a call take effect. */
  get kinds() {
    return { [receivedJobKind]: this.processing.work };
  }

  /** Starts due jobs after the commit of a call. */
  wakeWith(wake: () => void): void {
    this.#wake = wake;
  }

  /** The effect that a call would have; changes nothing. */
  async test(
    { read }: Work,
    workspaceId: string,
    sourceId: string,
    { trial, signal }: { readonly trial: MappingTrial; readonly signal: AbortSignal },
  ): Promise<TrialOutcome> {
    const source = required(await sourceOf(read, workspaceId, sourceId));
    const input = await this.#input(read, workspaceId, sourceId, trial);
    const mapping = trial.mapping ?? source.mapping;
    try {
      const effect = await this.#mappings.effect(mapping, input, { workspaceId, signal });
      return { effect, error: null };
    } catch (error) {
      if (!(error instanceof MappingError)) throw error;
      return { effect: null, error: error.message };
    }
  }

  async #input(
    read: Work["read"],
    workspaceId: string,
    sourceId: string,
    { receivedId, body, headers }: MappingTrial,
  ): Promise<MappingInput> {
    if (receivedId === undefined) {
      return { id: "test", receivedAt: this.#now().toISOString(), headers, body };
    }
    const found = await receivedById(read, workspaceId, receivedId);
    const call = required(found?.source_id === sourceId ? found : undefined);
    const kept = headersOf(call);
    const content = call.body === null ? null : mappedBody(kept, call.body);
    return { id: call.id, receivedAt: call.created_at, headers: kept, body: content };
  }
}
