import { roleIncludes } from "#contract/access/roles.ts";
import * as z from "zod";
import type { Job } from "../../jobs/job.ts";
import type { JobContext, JobWork } from "../../jobs/runner.ts";
import type { PlatformWork } from "../../work/works.ts";
import { type AccessService } from "../members/service.ts";
import { sendEffect, type Answering, type EffectOutcome } from "./effects.ts";
import { mappedBody, MappingError, type Mappings } from "./mapping.ts";
import type { Sources } from "./sources.ts";
import { receivedById, sourceOf, updateReceived, type ReceivedRecord } from "./store.ts";
import { headersOf, isUsable } from "./wire.ts";
import { storedRole } from "../../work/held-role.ts";

const payload = z.object({ receivedId: z.string() });

/** The refusal may pass, so the job is tried again. */
class NotYetError extends Error {
  override readonly name = "NotYetError";
}

const skipped: Ended = { state: "skipped", effect: null, error: null, subject: null };
type Ended = Pick<ReceivedRecord, "state" | "effect" | "error" | "subject">;

/** Lets received calls take effect, as a job that continues after a crash. */
export class CallProcessing {
  readonly #opened = Promise.withResolvers<Answering>();

  constructor(
    private readonly parts: {
      readonly platformWork: PlatformWork;
      readonly access: Pick<AccessService, "actingIn" | "isMemberNear">;
      readonly sources: Sources;
      readonly mappings: Mappings;
      readonly now: () => Date;
    },
  ) {}

  /** Sets the platform's own requests, before which no call takes effect. */
  open(fetch: Answering): void {
    this.#opened.resolve(fetch);
  }

  readonly work: JobWork = async (job, context) => {
    const { receivedId } = payload.parse(job.payload);
    const { workspaceId } = job;
    const work = this.parts.platformWork("a received call").within(workspaceId);
    const call = await receivedById(work.read, workspaceId, receivedId);
    if (call === undefined || call.state !== "waiting") return;
    const ended = await this.#end(call, job, context);
    const at = this.parts.now().toISOString();
    await work.write(async (tx) => {
      await updateReceived(tx, call, { ...ended, processed_at: at });
      // Only admins read these; no rule raises an alert of them.
      const type = "webhook-source";
      if (ended.state === "failed") {
        tx.event("alert", call.source_id, workspaceId, { op: "updated", type });
      } else if (Number(call.attempts) > 1) {
        // A replay may end the failure that readers know of.
        tx.event("setting", call.source_id, workspaceId, { op: "updated", type });
      }
    });
  };

  async #end(call: ReceivedRecord, job: Job, { signal }: JobContext): Promise<Ended> {
    try {
      const outcome = await this.#effect(call, signal);
      if (outcome === undefined) return skipped;
      const { kind: effect, subject, error, mayPass } = outcome;
      if (mayPass && job.attempt < job.maxAttempts) throw new NotYetError(error ?? "");
      return { state: error === null ? "done" : "failed", effect, error, subject };
    } catch (error) {
      if (!(error instanceof MappingError)) throw error;
      return { state: "failed", effect: null, error: error.message, subject: null };
    }
  }

  /** The outcome of a call; undefined if its mapping gives nothing. Throws MappingError. */
  async #effect(call: ReceivedRecord, signal: AbortSignal): Promise<EffectOutcome | undefined> {
    const { workspace_id: workspaceId, id, body, attempts } = call;
    const { platformWork, sources, mappings } = this.parts;
    const { read } = platformWork("the source of a received call").within(workspaceId);
    const source = await sourceOf(read, workspaceId, call.source_id);
    if (source === undefined || !isUsable(source)) throw new MappingError("The source is disabled");
    if (body === null) throw new MappingError("The body was erased");
    await this.#requireMaker(workspaceId, source.created_by, storedRole(source.role ?? ""));
    const headers = headersOf(call);
    const input = { id, receivedAt: call.created_at, headers, body: mappedBody(headers, body) };
    const effect = await mappings.effect(source.mapping, input, { workspaceId, signal });
    if (effect === null) return undefined;
    const token = sources.tokenOf(source);
    const caller = { workspaceId, token, key: `webhook-${id}-${Number(attempts)}`, signal };
    return sendEffect(await this.#opened.promise, caller, effect);
  }

  /** A demoted maker lowers the key at once; a disabled one stops the source. */
  async #requireMaker(
    workspaceId: string,
    maker: string,
    role: ReturnType<typeof storedRole>,
  ): Promise<void> {
    const { access, now } = this.parts;
    const held = await access.actingIn(workspaceId, maker, now());
    if (held !== undefined && roleIncludes(held.role, role)) return;
    const isMember = held !== undefined || (await access.isMemberNear(workspaceId, maker));
    // A maker who was removed has ended the key, unless the admin kept it.
    if (!isMember) return;
    throw new MappingError(`The admin who made the source no longer has the role ${role}`);
  }
}
