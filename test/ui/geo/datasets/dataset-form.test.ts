import { expect, it } from "vitest";
import {
  datasetChanges,
  datasetCreation,
  datasetData,
  datasetFields,
  datasetOptions,
} from "#ui/geo/datasets/dataset-form.ts";

const dataset = { dataset: "parks", title: "Parks", source: "", nameProperties: ["label"] };

it("sends the changed settings alone, and empties those that were removed", () => {
  const before = datasetData(dataset);
  expect(before).toEqual({ title: "Parks", nameProperties: ["label"] });
  expect(datasetChanges(dataset, before)).toEqual({});
  const changes = datasetChanges(dataset, { licence: "ODbL" });
  expect(changes).toEqual({ title: "parks", licence: "ODbL", nameProperties: [] });
  expect(datasetOptions(changes)).toEqual({ title: "parks", licence: "ODbL", names: [""] });
});

it("asks for the name of a new dataset alone", () => {
  expect(datasetFields("new")[0]?.name).toBe("dataset");
  expect(datasetFields("existing").some(({ name }) => name === "dataset")).toBe(false);
  expect(datasetCreation({ dataset: "trees" })).toEqual({ dataset: "trees" });
});
