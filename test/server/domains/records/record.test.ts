import { expect, test } from "vitest";
import { Refusal } from "#contract/problems.ts";
import type { JsonObject } from "#contract/values.ts";
import { describeOnEachDatabase } from "#test/support/databases.ts";
import { definition, typedWorkspace } from "#test/support/records.ts";

const thing = definition({
  properties: {
    zeta: { type: "string" },
    lines: {
      type: "array",
      items: {
        type: "object",
        properties: { sku: { type: "string" }, qty: { type: "integer" } },
      },
    },
    a: { type: "object", properties: { yes: { type: "boolean" }, no: { type: "boolean" } } },
    beta: { type: "string" },
  },
});

/** jsonb keeps names by their length; a patch brings them back in the order of its operations. */
describeOnEachDatabase("names are in the definition's order", (open) => {
  test("in a record, its versions, its history and its changes", async () => {
    const { work, resources, workspace } = await typedWorkspace(await open(), thing);
    const first: JsonObject = {
      zeta: "z",
      lines: [{ sku: "s", qty: 1 }],
      a: { yes: true, no: false },
      beta: "b",
    };
    const { id } = await resources.create(work, workspace, "thing", first);
    const update = (version: number, data: JsonObject) =>
      resources.update(work, workspace, "thing", { id, version, data });
    await update(1, { beta: "c" });
    await update(2, { beta: "c", a: { no: true, yes: false }, zeta: "y" });

    const signal = AbortSignal.timeout(10_000);
    const textOf = async (version: number): Promise<string> =>
      JSON.stringify(
        (
          await resources.getSelected(
            work,
            { workspaceId: workspace, slug: "thing", id },
            { version },
            signal,
          )
        ).data,
      );
    expect(await textOf(1)).toBe(JSON.stringify(first));
    expect(await textOf(3)).toBe('{"zeta":"y","a":{"yes":false,"no":true},"beta":"c"}');
    const now = await resources.get(work, workspace, "thing", id);
    expect(JSON.stringify(now.data)).toBe(await textOf(3));
    const { items } = await resources.history(
      work,
      { workspaceId: workspace, slug: "thing", id },
      {},
      signal,
    );
    expect(JSON.stringify(items[2]?.changes)).toBe(
      JSON.stringify([{ op: "add", path: "", value: first }]),
    );
    const paths = items[1]?.changes.filter(({ op }) => op !== "test").map(({ path }) => path);
    expect(paths).toEqual(["/zeta", "/lines", "/a", "/beta"]);
    const late = await update(1, {}).catch((error: unknown) => error);
    expect(late).toBeInstanceOf(Refusal);
    expect(late).toMatchObject({
      options: { members: { changedFields: ["zeta", "lines", "a", "beta"] } },
    });
  });
});
