import { expect, it } from "vitest";
import { shownTypes } from "#ui/shell/platform/shown-types.ts";

const types = ["licence", "shared-ai-profile", "shared-workflow-config"].map((slug) => ({ slug }));
const slugs = (...args: Parameters<typeof shownTypes>) =>
  shownTypes(...args).map((each) => each.slug);

it("are those of work, and an open one of configuration", () => {
  expect(slugs(types, { configuration: false })).toEqual(["licence"]);
  expect(slugs(types, { configuration: false }, "shared-ai-profile")).toEqual([
    "licence",
    "shared-ai-profile",
  ]);
});

it("are all where they are to be shown, or where there are no others", () => {
  expect(slugs(types, { configuration: true })).toHaveLength(3);
  expect(slugs(types.slice(1), { configuration: false })).toHaveLength(2);
});
