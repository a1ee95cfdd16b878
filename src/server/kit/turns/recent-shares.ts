/** The time for which a request counts: longer than most requests take. */
const recentMs = 50;

/** The last two shares that have had requests, which is enough to know of another one. */
export class RecentShares {
  #last = { share: "", atMs: Number.NEGATIVE_INFINITY };
  #before = this.#last;

  note(share: string, atMs: number): void {
    if (this.#last.share === share) {
      this.#last.atMs = atMs;
      return;
    }
    this.#before = this.#last;
    this.#last = { share, atMs };
  }

  /** True if a share other than this one has had a request lately. */
  hasOther(share: string, nowMs: number): boolean {
    const other = this.#last.share === share ? this.#before : this.#last;
    const ageMs = nowMs - other.atMs;
    return other.share !== share && ageMs >= 0 && ageMs < recentMs;
  }
}
