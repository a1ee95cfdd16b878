import { limitExceeded } from "../../extraction-error.ts";
import type { ExtractionLimits } from "../../extraction-limits.ts";

type StepLimits = Pick<ExtractionLimits, "pageSteps" | "documentSteps">;

/** The steps that the pages of one document may still take. */
export class StepBudget {
  #left: number;

  constructor(private readonly limits: StepLimits) {
    this.#left = limits.documentSteps;
  }

  ofPage(number: number): PageSteps {
    const { pageSteps, documentSteps } = this.limits;
    let left = pageSteps;
    return {
      take: (steps) => {
        left -= steps;
        this.#left -= steps;
        if (left < 0) {
          throw limitExceeded(
            `page ${number} has more than ${pageSteps} pieces, with those of its forms`,
          );
        }
        if (this.#left < 0) {
          throw limitExceeded(
            `its pages up to ${number} have more than ${documentSteps} pieces, with those of their forms`,
          );
        }
      },
    };
  }
}

export interface PageSteps {
  /** Refuses the document when the page, or all pages so far, have too many steps. */
  take(steps: number): void;
}
