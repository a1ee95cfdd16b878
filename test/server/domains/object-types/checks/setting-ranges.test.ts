import { expect, test } from "vitest";
import { settingRanges } from "#contract/apps/setting-ranges.ts";
import { compileRecordCheck } from "#contract/object-types/record.ts";
import { withSettingRanges } from "#server/domains/object-types/checks/setting-ranges.ts";

const check = compileRecordCheck({
  properties: {
    config: { type: "object" },
    stages: { type: "array", items: { type: "object" } },
  },
});

function faultsOf(slug: string, data: Parameters<typeof check>[0]) {
  const { faults } = withSettingRanges(slug, check)(data, { isCreation: true, base: ["data"] });
  return faults.map(({ pointer, detail }) => `${pointer} ${detail}`);
}

test("settings of answers out of their range are refused, each with its pointer", () => {
  const config = { temperature: 99, max_tokens: -5, time_limit_seconds: 0, prompt: "Be brief" };
  expect(faultsOf("shared-ai-profile", { config })).toEqual([
    "#/data/config/temperature must be a number from 0 to 2",
    "#/data/config/max_tokens must be a number from 1 to 8192",
    "#/data/config/time_limit_seconds must be a number from 1 to 300",
  ]);
});

test("the settings of a stage too, and texts in the place of numbers", () => {
  const stages = [{ id: "chat" }, { id: "review", sources: "many" }];
  expect(faultsOf("shared-workflow-config", { stages })).toEqual([
    "#/data/stages/1/sources must be a number from 1 to 20",
  ]);
});

test("both ends of a range and missing settings are allowed", () => {
  const ends = (end: "least" | "most") =>
    Object.fromEntries(Object.entries(settingRanges).map(([name, range]) => [name, range[end]]));
  for (const config of [ends("least"), ends("most"), { temperature: null }, {}]) {
    expect(faultsOf("shared-ai-profile", { config })).toEqual([]);
  }
});

test("records of other types have any settings", () => {
  expect(faultsOf("boiler", { config: { temperature: 99 } })).toEqual([]);
});
