import { expect, it } from "vitest";
import { objectTypeCreation } from "#contract/object-types/object-types.ts";
import { typeDefinition, typeFaults } from "#ui/records/types/type-form.ts";

const data = {
  name: "SiteVisit",
  fields: ["reference string!", "stage enum planned|done!", "due date", "notes text"],
};

it("describes a type that the platform takes, with a title, a status and a due date", () => {
  const definition = typeDefinition(data);
  expect(definition).toEqual({
    name: "SiteVisit",
    slug: "site-visit",
    displayName: "Site visit",
    properties: {
      reference: { type: "string", required: true, searchable: true, meaning: "title" },
      stage: {
        type: "enum",
        required: true,
        indexed: true,
        enum: ["planned", "done"],
        meaning: "status",
      },
      due: { type: "date", indexed: true, meaning: "due" },
      notes: { type: "text" },
    },
  });
  expect(objectTypeCreation.parse(definition)).toMatchObject({ slug: "site-visit" });
  expect(typeFaults(data)).toEqual([]);
});

it("names each line that is no field, and a name that is none of a type", () => {
  const fields = ["reference string", "reference text", "stage enum", "fee money", "x"];
  expect(typeFaults({ name: "visits", fields })).toMatchObject([
    { pointer: "/name" },
    { pointer: "/fields/1", detail: "is given twice" },
    { pointer: "/fields/2", detail: "must have its values: stage enum open|closed" },
    { pointer: "/fields/3", detail: expect.stringContaining('"money" is not one of string, ') },
    { pointer: "/fields/4", detail: "must be a name and a type: due date" },
  ]);
  expect(typeFaults({ name: "Visit" })).toMatchObject([{ pointer: "/fields" }]);
});
