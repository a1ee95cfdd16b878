import { describe, test } from "vitest";
import { mustNotSkip } from "./environment.ts";

/**
 * A block of tests that needs something of the machine. Where that is missing they count as
 * skipped and their name says why; with CI=true a missing thing is a failure instead.
 */
export function describeNeeding(name: string, missing: string | undefined, body: () => void): void {
  if (missing === undefined) describe(name, body);
  else if (!mustNotSkip) describe.skip(`${name} [${missing}]`, body);
  else {
    describe(name, () => {
      test("has what it needs", () => {
        throw new Error(missing);
      });
    });
  }
}
