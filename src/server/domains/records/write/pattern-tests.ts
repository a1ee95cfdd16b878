import { maximumPatternSteps, type PatternBudget } from "#contract/object-types/record-run.ts";
import type { Stepwise } from "#lib/time/stepwise.ts";
import { TickShare } from "../../../kit/turns/tick-share.ts";
import type { Piece } from "./outcomes.ts";

/**
 * The tests of patterns and areas of one request, the long ones in parts, between which others are
 * answered.
 */
export class PatternTests {
  readonly #later: Stepwise<void>[] = [];
  readonly budget: PatternBudget;

  constructor(
    private readonly share: string,
    private readonly piece?: Piece,
  ) {
    this.budget = { left: piece?.steps ?? maximumPatternSteps, later: this.#later };
  }

  /** Runs the long tests of the checks so far, which add their faults. */
  run(): Promise<void> | undefined {
    if (this.piece !== undefined) this.piece.stepsLeft = this.budget.left;
    return this.#later.length === 0 ? undefined : this.#runLong();
  }

  async #runLong(): Promise<void> {
    const ticks = new TickShare(this.share);
    await ticks.begin();
    for (const test of this.#later.splice(0)) await ticks.run(test);
  }
}
