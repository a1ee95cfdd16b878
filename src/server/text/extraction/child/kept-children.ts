import { type ChildLine, crashed } from "./child-lines.ts";
import type { ChildWork } from "./child-request.ts";
import { ExtractionError } from "../extraction-error.ts";
import { WatchedChild, type ChildLimits } from "./watched-child.ts";

/** Children of a kind, over all shares, that wait for their next document. */
const keptAtMost = 2;
const idleMs = 1_000;
/** The longest idle time of a child whose share has work that may need it again. */
const heldAtMostMs = 60_000;
/** A child that has read more, or for longer, is not kept. */
const documentsAtMost = 50;
const busyAtMostMs = 30_000;
/** A page of a child that reads pictures takes longer than most documents. */
const busyWithPicturesAtMostMs = 120_000;
/** Part of the memory limit that a kept child may hold between two documents. */
const restingShare = 1 / 2;

interface KeptChild {
  readonly share: string;
  readonly readsPictures: boolean;
  readonly child: WatchedChild;
  documents: number;
  busyMs: number;
  /** When it began to wait. */
  idleAtMs: number;
  timer?: ReturnType<typeof setTimeout>;
}

/**
 * Children that read several documents of one share, one after the other: to start one and to
 * compile its readers takes longer than most documents. One share's document never meets a child
 * that has read another's. A child waits while its share has work, or for a second without. One
 * that reads pictures, which needs more memory, reads nothing else.
 */
export class KeptChildren {
  #waiting: KeptChild[] = [];
  /** How many works of each share run. */
  readonly #works = new Map<string, number>();
  #isClosed = false;

  constructor(readonly command: readonly string[]) {}

  /** True if the next document of this share meets a child that has read one. */
  has(share: string, readsPictures = false): boolean {
    return this.#waiting.some(
      (kept) => kept.share === share && kept.readsPictures === readsPictures,
    );
  }

  /**
   * Passes on the lines for one file, from a kept child or, if `isFresh`, from a new one. Throws as
   * {@link WatchedChild.read} does.
   */
  async read(
    { share, work, isFresh }: { share: string; work: ChildWork; isFresh: boolean },
    limits: ChildLimits,
    onLine: (line: ChildLine) => void,
  ): Promise<void> {
    limits.signal?.throwIfAborted();
    const readsPictures = work.pictures !== undefined;
    const kept =
      (isFresh ? undefined : this.#take(share, readsPictures)) ??
      this.#start({ share, readsPictures }, limits);
    const startedAt = performance.now();
    let hasEnded = false;
    try {
      const { path, filename, mediaType, pictures } = work;
      kept.child.send(JSON.stringify({ path, filename, mediaType, pictures }));
      await kept.child.read(limits, onLine, ({ type }) => (hasEnded = type === "end"));
      if (!hasEnded) throw crashed();
    } catch (error) {
      await kept.child.kill();
      throw error;
    }
    kept.documents += 1;
    kept.busyMs += performance.now() - startedAt;
    await this.#keep(kept, limits.memoryBytes);
  }

  /** Keeps the children of a share for the next document while this work runs. */
  async during<T>(share: string, work: () => Promise<T>): Promise<T> {
    this.#works.set(share, (this.#works.get(share) ?? 0) + 1);
    try {
      return await work();
    } finally {
      const left = (this.#works.get(share) ?? 0) - 1;
      if (left > 0) this.#works.set(share, left);
      else this.#works.delete(share);
    }
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await Promise.all(this.#waiting.map((kept) => this.#end(kept)));
  }

  #start(
    of: Pick<KeptChild, "share" | "readsPictures">,
    { timeoutMs, mostMs = timeoutMs }: ChildLimits,
  ): KeptChild {
    const cpuMs = mostMs + busyLimit(of);
    const child = new WatchedChild([...this.command, "-"], { cpuMs, input: "pipe" });
    return { ...of, child, documents: 0, busyMs: 0, idleAtMs: 0 };
  }

  #take(share: string, readsPictures: boolean): KeptChild | undefined {
    const kept = this.#waiting.find(
      (one) => one.share === share && one.readsPictures === readsPictures,
    );
    if (kept !== undefined) this.#remove(kept);
    return kept;
  }

  #remove(kept: KeptChild): void {
    clearTimeout(kept.timer);
    this.#waiting = this.#waiting.filter((one) => one !== kept);
  }

  async #keep(kept: KeptChild, memoryBytes: number): Promise<void> {
    const resident = (await kept.child.residentBytes()) ?? Number.POSITIVE_INFINITY;
    const isTired =
      kept.documents >= documentsAtMost ||
      kept.busyMs >= busyLimit(kept) ||
      resident > memoryBytes * restingShare;
    if (isTired || this.#isClosed) return await this.#end(kept);
    this.#waiting.push(kept);
    kept.idleAtMs = performance.now();
    this.#watch(kept);
    const others = this.#waiting.filter((one) => one.readsPictures === kept.readsPictures);
    const [longest] = others.length > keptAtMost ? others : [];
    if (longest !== undefined) await this.#end(longest);
  }

  #watch(kept: KeptChild): void {
    kept.timer = setTimeout(() => {
      const isHeld = this.#works.has(kept.share);
      if (isHeld && performance.now() - kept.idleAtMs < heldAtMostMs) this.#watch(kept);
      else this.#end(kept).catch(() => {});
    }, idleMs);
    kept.timer.unref();
  }

  async #end(kept: KeptChild): Promise<void> {
    this.#remove(kept);
    await kept.child.kill();
  }
}

function busyLimit({ readsPictures }: Pick<KeptChild, "readsPictures">): number {
  return readsPictures ? busyWithPicturesAtMostMs : busyAtMostMs;
}

/** True for a failure for which what a kept child has read before may be the reason. */
export function mayComeFromOthers(error: unknown): boolean {
  return (
    error instanceof ExtractionError && (error.code === "crashed" || error.code === "out-of-memory")
  );
}
