import { expect, it } from "vitest";
import { boxWords, datasetLines } from "#ui/geo/datasets/dataset-words.ts";

it("shows the facts that a dataset has", () => {
  const dataset = { dataset: "parks", features: 1_204, bbox: [-0.5, 51, 0.25, 52] };
  const lines = datasetLines(dataset, { width: 80, nowMs: 0 });
  const text = lines.map((line) => line.map((span) => span.text).join("")).join("\n");
  expect(text).toMatch(/features +1,204\narea +51 N, 0\.5 W to 52 N, 0\.25 E/);
  expect(text).not.toMatch(/licence|title/);
  expect(boxWords(null)).toBe("no places");
});
