import { expect, test } from "vitest";
import { keyPairOf } from "#ui/shell/platform/workflow-bindings.ts";

test.each([
  [
    { vertical_key: "a", workflow_key: "w" },
    { appKey: "a", workflowKey: "w" },
  ],
  [{ vertical_key: " ", workflow_key: "w" }, undefined],
])("the binding %j gives %j", (data, pair) => {
  expect(keyPairOf(data)).toEqual(pair);
});
