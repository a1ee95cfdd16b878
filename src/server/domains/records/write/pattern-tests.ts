import {
  maximumPatternSteps,
  type PatternBudget,
  type PatternTest,
} from "#contract/object-types/record-run.ts";
import { TickShare } from "../../../kit/turns/tick-share.ts";
import type { Piece } from "./outcomes.ts";

/** The pattern tests of one request, the long ones in parts, between which others are answered. */
export class PatternTests {
  readonly #later: PatternTest[] = [];
  readonly budget: PatternBudget;

  constructor(
    private readonly share: string,
    private readonly piece?: Piece,
  ) {
    this.budget = { left: piece?.steps ?? maximumPatternSteps, later: this.#later };
  }

  /** Runs the long tests of the checks so far; a text without a match adds its fault. */
  run(): Promise<void> | undefined {
    if (this.piece !== undefined) this.piece.stepsLeft = this.budget.left;
    return this.#later.length === 0 ? undefined : this.#runLong();
  }

  async #runLong(): Promise<void> {
    const ticks = new TickShare(this.share);
    await ticks.begin();
    for (const { parts, fail } of this.#later.splice(0)) {
      let part = parts.next();
      // A part takes about a millisecond, and the next one waits for its turn in another tick.
      for (; part.done !== true; part = parts.next()) await ticks.begin();
      if (!part.value) fail();
    }
  }
}
