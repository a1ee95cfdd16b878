import { expect, test } from "vitest";
import {
  givenStages,
  requirePairs,
  stageVariables,
  standardStages,
  storedStages,
  withPrompts,
} from "#commands/workflow/stages.ts";

test("stages have an id and a name", () => {
  expect(givenStages(["intake", "review:Review: second"])).toEqual([
    { id: "intake", display_name: "intake" },
    { id: "review", display_name: "Review: second" },
  ]);
  expect(storedStages([{ id: "a" }, { name: "b" }, 7])).toEqual([{ id: "a" }]);
  expect([storedStages([]), storedStages("x")]).toEqual([undefined, undefined]);
});

test("prompts and variables belong to stages", () => {
  expect(withPrompts(standardStages, ["chat=Be brief = always"])).toEqual([
    { id: "chat", display_name: "Chat", prompt: "Be brief = always" },
  ]);
  expect(stageVariables(["STAGE=chat"], standardStages)).toEqual({ STAGE: "chat" });
});

test.each([
  [() => givenStages(["a", "a"]), "--stage a is given twice"],
  [() => withPrompts(standardStages, ["other=x"]), 'there is no stage "other"'],
  [() => stageVariables(["STAGE=other"], standardStages), 'there is no stage "other"'],
  [() => stageVariables(["lower=chat"], standardStages), "lower"],
  [() => requirePairs(["no-pair"], []), "--stage-prompt"],
])("case %#: wrong words are refused", (call, message) => {
  expect(call).toThrow(expect.objectContaining({ exitCode: 2 }));
  expect(call).toThrow(message);
});
