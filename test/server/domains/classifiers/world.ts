import { expect } from "vitest";
import { field, type Answered, type TestPlatform, type TestUser } from "#test/support/platform.ts";
import { eventually } from "#test/support/eventually.ts";

const classifiers = "/v4/data/documents/classifiers";

/** Labels with a rule for one of them. */
export const definition = {
  displayName: "Harbour papers",
  status: "active",
  labels: [
    { key: "mooring-permit", displayName: "Mooring permit" },
    { key: "catch-return" },
    { key: "notice", rule: { phrases: ["notice to mariners", "by order of"], minimum: 2 } },
  ],
};

const words = {
  "mooring-permit": "permit moor boat quay berth length draught harbour master pontoon fee vessel",
  "catch-return": "landed fish species weight kilograms gear area cod haddock declaration port",
  notice: "mariners warned buoy light channel dredging navigation speed caution wreck bridge",
} as const;

/** Different texts of each label. */
export const examples = Object.entries(words).flatMap(([label, list]) => {
  const all = list.split(" ");
  return Array.from({ length: 6 }, (_, at) => ({
    label,
    text: [...all.slice(at), ...all.slice(0, at)].slice(0, 9).join(" "),
  }));
});

export const mooringText = "The harbour master permits the boat to moor at the pontoon; berth 7.";

let count = 0;

/** A new classifier of `tenant`. */
export async function newClassifier(the: TestPlatform): Promise<{ readonly key: string }> {
  count += 1;
  const key = `harbour-${count}`;
  const made = await the.as("tenant-builder").put(`${classifiers}/${key}`, definition, of(the));
  expect(made.status, made.text).toBe(200);
  return { key };
}

export async function newTrainedClassifier(the: TestPlatform): Promise<{ readonly key: string }> {
  const { key } = await newClassifier(the);
  const path = `${classifiers}/${key}/examples`;
  const added = await the.as("tenant-builder").post(path, { examples }, of(the));
  expect(added.status, added.text).toBe(201);
  await trained(the, key);
  return { key };
}

/** Reads a classifier until its model has learnt everything. */
export async function trained(the: TestPlatform, key: string): Promise<Answered> {
  return eventually(async () => {
    const read = await the.as("tenant-viewer").get(`${classifiers}/${key}`, of(the));
    expect(field(field(read.json, "training"), "status")).toBe("trained");
    return read;
  });
}

export function of(the: TestPlatform, user: TestUser = "tenant-staff") {
  const { tenant, other } = the.workspaces;
  return { headers: { "x-tenant-id": user === "outsider" ? other : tenant } };
}
