import fc from "fast-check";
import { expect, test } from "vitest";
import { plainValue, unclear } from "#client/answer/plain-value.ts";
import { readAnswer } from "#client/answer/reading.ts";
import { partsOf, valuesOf } from "../contract-values.ts";
import { readAnswer as readBySchema } from "./schema-reader/reading.ts";

test("every answer is read by its plain shape as by its schema", async () => {
  const counts = { plain: 0, same: 0, changed: 0, refused: 0 };
  for (const { name, form, schema } of await partsOf("received")) {
    const property = fc.property(valuesOf(form), (given) => {
      const answer: unknown = JSON.parse(JSON.stringify(given) ?? "null");
      const expected = readBySchema(schema, answer);
      const reading = readAnswer(form, answer);
      counts[!expected.fits ? "refused" : expected.value === answer ? "same" : "changed"] += 1;
      expect(reading, name).toEqual(expected);
      // `JSON.stringify` of an answer gives what was sent.
      expect(JSON.stringify(reading), name).toBe(JSON.stringify(expected));
      if (plainValue(form, answer) === unclear) return;
      counts.plain += 1;
      expect(expected.fits && expected.value, name).toBe(answer);
    });
    fc.assert(property, { numRuns: 20, seed: 31 });
  }
  for (const count of Object.values(counts)) expect(count).toBeGreaterThan(200);
});
