import { describe, expect, test } from "vitest";
import { eventually } from "#test/support/eventually.ts";
import { describePlatform, field } from "#test/support/platform.ts";
import {
  examples,
  mooringText,
  newClassifier,
  newTrainedClassifier,
  of,
  trained,
} from "./world.ts";

const classifiers = "/v4/data/documents/classifiers";

const some = { examples: examples.slice(0, 4) };

describePlatform("classifiers", (the) => {
  describe("learn", () => {
    test("from examples, and say how well", async () => {
      const { key } = await newTrainedClassifier(the());
      const read = await trained(the(), key);
      expect(read.json).toMatchObject({
        training: { modelVersion: 1, examples: 18, heldOut: 18, accuracy: expect.any(Number) },
      });
      const found = await the()
        .as("tenant-viewer")
        .post(`${classifiers}/${key}/classifications`, { text: mooringText }, of(the()));
      expect(found.json).toMatchObject({
        label: "mooring-permit",
        method: "model",
        classifier: key,
        modelVersion: 1,
      });
    });

    test("from fewer examples after one is removed", async () => {
      const { key } = await newTrainedClassifier(the());
      const builder = the().as("tenant-builder");
      const path = `${classifiers}/${key}/examples`;
      const { json } = await builder.get(`${path}?limit=1`, of(the()));
      const [first] = field(json, "items") as { id: string }[];
      const removed = await builder.delete(`${path}/${first?.id}`, of(the()));
      expect(removed.status, removed.text).toBe(200);
      const read = await trained(the(), key);
      expect(read.json).toMatchObject({ training: { modelVersion: 2, examples: 17 } });
    });

    test("from an example once, also when it is added again", async () => {
      const { key } = await newTrainedClassifier(the());
      const more = { label: "mooring-permit", text: "Permit for a berth at the east quay." };
      const builder = the().as("tenant-builder");
      const again = { examples: [...examples.slice(0, 4), more, more] };
      const path = `${classifiers}/${key}/examples`;
      const added = await builder.post(path, again, of(the()));
      expect(added.json).toMatchObject({ added: 1, total: 19 });
      await eventually(async () => {
        const { json } = await builder.get(`${classifiers}/${key}`, of(the()));
        expect(json).toMatchObject({ training: { modelVersion: 2, examples: 19 } });
      });
      const nothing = await builder.post(path, { examples: [more] }, of(the()));
      expect(nothing.json).toMatchObject({ added: 0, total: 19 });
      const read = await trained(the(), key);
      expect(read.json).toMatchObject({ training: { status: "trained", modelVersion: 2 } });
    });

    test("not from one label, and say so", async () => {
      const { key } = await newClassifier(the());
      const ofOne = { examples: some.examples.filter(({ label }) => label === "mooring-permit") };
      const builder = the().as("tenant-builder");
      await builder.post(`${classifiers}/${key}/examples`, ofOne, of(the()));
      await eventually(async () => {
        const read = await builder.get(`${classifiers}/${key}`, of(the()));
        expect(read.json).toMatchObject({
          training: { status: "failed", error: expect.stringContaining("2 or more") },
        });
      });
    });
  });
});
