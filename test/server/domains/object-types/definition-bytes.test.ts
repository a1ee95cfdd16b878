import { expect, test } from "vitest";
import { describeOnEachDatabase } from "#test/support/databases.ts";
import { definition, newWorkspace, recordServices } from "#test/support/records.ts";

/** A definition of as many kilobytes. */
function large(number: number, kilobytes = 1_000) {
  const choices = Array.from({ length: kilobytes }, (_, at) => `${at}${"a".repeat(1_000)}`);
  return definition({
    name: `Large${number}`,
    slug: `large-${number}`,
    properties: { choice: { type: "enum", enum: choices } },
  });
}

describeOnEachDatabase("the definitions of a workspace", (open) => {
  test("are bounded together, and may become less when they are at the bound", async () => {
    const { work, objectTypes, indexes } = recordServices(await open());
    const workspace = newWorkspace();
    const creations = Array.from({ length: 33 }, (_, number) => large(number));
    const made = await objectTypes.createAll(work, workspace, [large(100, 300), ...creations]);
    const more = objectTypes.create(work, workspace, large(33));
    await expect(more).rejects.toMatchObject({ code: "conflict" });
    expect(await objectTypes.schema(work, workspace)).toHaveLength(34);
    const [first] = made;
    const change = (description: string) =>
      objectTypes.update(work, workspace, first?.id ?? "", { description });
    await expect(change("x".repeat(2_000))).resolves.toMatchObject({ version: 2 });
    const { properties } = large(100, 400);
    const grown = objectTypes.update(work, workspace, first?.id ?? "", { properties });
    await expect(grown).rejects.toMatchObject({ code: "conflict" });
    await expect(
      objectTypes.update(work, workspace, first?.id ?? "", { properties: {} }),
    ).resolves.toMatchObject({ version: 3 });
    await objectTypes.create(work, newWorkspace(), large(33));
    await indexes.settled();
  });
});
