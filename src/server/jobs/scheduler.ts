import { jsonValue } from "../database/dialect.ts";
import { statement } from "../database/statement.ts";
import type { Lifetime } from "../kit/lifetime.ts";
import { keptPromise } from "../kit/background.ts";
import { installation } from "../work/change-event.ts";
import type { Work } from "../work/work.ts";
import type { PlatformWork } from "../work/works.ts";

/** Work that is due from time to time, of which one platform of the database does each run. */
export interface ScheduledTask {
  readonly name: string;
  /** A cheap read: an idle platform writes nothing. */
  isDue(): Promise<boolean>;
  /** Runs all due work; `extend` renews the lease, and returns false once it is lost. */
  run(extend: () => Promise<boolean>): Promise<void>;
}

const leaseMs = 30_000;
const defaultPollMs = 1_000;

/**
 * Runs a task on one platform of a database at a time. Its row in the table of jobs has the lease;
 * the row never ends, and belongs to no workspace.
 */
export class Scheduler {
  readonly #work: Work;
  #run: Promise<void> | undefined;
  #isAgain = false;
  #isStopped = false;
  #isStored = false;

  constructor(
    private readonly parts: {
      readonly platformWork: PlatformWork;
      readonly task: ScheduledTask;
      readonly worker: { readonly id: string; readonly earlierId: string | undefined };
      readonly now: () => Date;
      readonly lifetime: Lifetime;
    },
  ) {
    this.#work = parts.platformWork(`the schedule of ${parts.task.name}`);
  }

  start(pollMs = defaultPollMs): void {
    const { lifetime, task } = this.parts;
    const stop = async (): Promise<void> => {
      this.#isStopped = true;
      await this.#run?.catch(() => {});
    };
    lifetime.onDrain(stop);
    lifetime.onClose(stop);
    lifetime.every(pollMs, `${task.name}-not-run`, () => this.look());
  }

  /**
   * Runs the task if it is due and no other platform runs it, one run at a time. The promise is
   * that of a run that has begun after the call.
   */
  look(): Promise<void> {
    this.#isAgain = true;
    this.#run ??= keptPromise(
      this.#lookAgain().finally(() => {
        this.#run = undefined;
      }),
    );
    return this.#run;
  }

  async #lookAgain(): Promise<void> {
    while (this.#isAgain && !this.#isStopped) {
      this.#isAgain = false;
      await this.#look();
    }
  }

  async #look(): Promise<void> {
    const { task } = this.parts;
    if (!(await task.isDue()) || !(await this.#take())) return;
    try {
      await task.run(() => this.#take());
    } finally {
      await this.#release();
    }
  }

  /** Takes or extends the lease; false if another platform has it, or this one stops. */
  async #take(): Promise<boolean> {
    if (this.#isStopped) return false;
    const { now, worker, task } = this.parts;
    const at = now();
    await this.#store(at.toISOString());
    const until = new Date(at.getTime() + leaseMs).toISOString();
    const { changedRows } = await this.#work.write((tx) =>
      tx.run(statement`update jobs set lease_until = ${until}, claimed_by = ${worker.id},
          updated_at = ${at.toISOString()}
        where workspace_id = ${installation} and id = ${task.name}
          and (lease_until is null or lease_until < ${at.toISOString()}
            or claimed_by = ${worker.id} or claimed_by = ${worker.earlierId ?? worker.id})`),
    );
    return changedRows === 1;
  }

  async #release(): Promise<void> {
    const { worker, task } = this.parts;
    await this.#work.write((tx) =>
      tx.run(statement`update jobs set lease_until = null
        where workspace_id = ${installation} and id = ${task.name} and claimed_by = ${worker.id}`),
    );
  }

  /** The state has ended and the row never expires, so that no runner of jobs takes it. */
  async #store(at: string): Promise<void> {
    if (this.#isStored) return;
    await this.#work.write((tx) =>
      tx.run(statement`insert into jobs (workspace_id, id, kind, state, attempt, max_attempts,
          run_at, payload, stages, percent_completed, counts, revision, created_by, created_at,
          updated_at)
        values (${installation}, ${this.parts.task.name}, 'schedule', 'succeeded', 0, 0, ${at},
          ${jsonValue({})}, ${jsonValue([])}, 0, ${jsonValue({})}, 1, '', ${at}, ${at})
        on conflict (workspace_id, id) do nothing`),
    );
    this.#isStored = true;
  }
}
