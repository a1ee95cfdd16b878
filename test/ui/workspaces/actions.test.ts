import { expect, test } from "vitest";
import { workspaceDeletion, workspacePurge, workspaceRestoration } from "#ui/workspaces/actions.ts";
import { recorded } from "../support/recorded-action.ts";

const child = { id: "c", slug: "child" } as never;
const parent = { id: "p", slug: "parent" } as never;

test("a workspace is deleted after its slug is typed, and restored", async () => {
  expect(await recorded(workspaceDeletion, child)).toMatchObject({
    title: "Delete the workspace child",
    command: [["workspace", "delete", "c"], { force: true }],
    typed: "child",
    calls: [["workspaceRemoval.delete", { params: { tenantId: "c" }, body: {} }]],
  });
  expect((await recorded(workspaceRestoration, child)).calls).toEqual([
    ["workspaceRemoval.restore", { params: { tenantId: "c" } }],
  ]);
});

test("a purge is done by the parent, and counts what it removed", async () => {
  expect(
    await recorded(workspacePurge, { child, parent }, { removed: { records: 1 } }),
  ).toMatchObject({
    command: [["workspace", "delete", "c"], { parent: "p", "force-hard-purge": true }],
    typed: "child",
    calls: [["workspaceRemoval.purgeChild", { params: { parentId: "p", childId: "c" } }]],
    done: "purged child: 1 record, 0 documents",
  });
});
