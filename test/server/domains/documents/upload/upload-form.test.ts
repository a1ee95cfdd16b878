import { describe, expect, test } from "vitest";
import { UploadForm } from "#server/domains/documents/upload/upload-form.ts";

const tenant = "0192f000-0000-7000-8000-000000000001";
const good: readonly [string, string][] = [
  ["tenant_id", tenant],
  ["storage_target", "resourceapi"],
  ["processing_mode", "full"],
];

function read(fields: readonly (readonly [string, string])[]): unknown {
  const form = new UploadForm();
  for (const [name, value] of fields) form.add({ name, value });
  return form.finish();
}

function faults(fields: readonly (readonly [string, string])[]): unknown {
  try {
    return read(fields);
  } catch (error) {
    if (error instanceof Error && "options" in error) {
      const { errors } = error.options as { errors: { pointer: string; detail: string }[] };
      return Object.fromEntries(errors.map(({ pointer, detail }) => [pointer, detail]));
    }
    throw error;
  }
}

describe("the fields of an upload", () => {
  test("are read with the known metadata", () => {
    expect(read([...good, ["category", "plans"], ["async_mode", ""]])).toEqual({
      tenant_id: tenant,
      storage_target: "resourceapi",
      processing_mode: "full",
      category: "plans",
      async_mode: "",
    });
  });

  test.each([
    ["app_key", "workflow_key"],
    ["appKey", "workflowKey"],
    ["verticalKey", "workflow_key"],
    ["vertical_key", "workflowKey"],
  ])("%s and %s are names of the key pair", (app, workflow) => {
    expect(read([...good, [app, " portal "], [workflow, "assistant"]])).toMatchObject({
      vertical_key: "portal",
      workflow_key: "assistant",
    });
  });

  test("two names of one key may have the same value, but not different ones", () => {
    const pair = [...good, ["vertical_key", "a"], ["workflow_key", "w"]] as const;
    expect(read([...pair, ["appKey", "a"]])).toMatchObject({ vertical_key: "a" });
    expect(faults([...pair, ["appKey", "b"]])).toEqual({
      "#/appKey": "conflicts with another value of the same field",
    });
  });

  test.each([
    ["a second tenant", [["tenant_id", tenant]], { "#/tenant_id": "is given more than once" }],
    [
      "another tenant",
      [["tenant_id", tenant.replace("1", "2")]],
      { "#/tenant_id": "conflicts with another value of the same field" },
    ],
    [
      "a second mode",
      [["processing_mode", "rag"]],
      { "#/processing_mode": "conflicts with another value of the same field" },
    ],
    [
      "application_id",
      [["application_id", tenant]],
      { "#/application_id": "is not another name for planning_application_id" },
    ],
    ["a lifecycle", [["lifecycle", "planning-assist-v1"]], { "#/lifecycle": "is not known here" }],
    [
      "a nested name",
      [["metadata[category]", "x"]],
      { "#/metadata%5Bcategory%5D": "is not known here" },
    ],
    ["a prototype", [["__proto__", "x"]], { "#/__proto__": "is not known here" }],
    [
      "one key alone",
      [["workflow_key", "w"]],
      { "#/vertical_key": "is required: the two keys are a pair" },
    ],
    [
      "a blank key",
      [
        ["vertical_key", "  "],
        ["workflow_key", "w"],
      ],
      { "#/vertical_key": "is blank" },
    ],
    [
      "an id that is none",
      [["planning_application_id", "PA-1"]],
      { "#/planning_application_id": "must be a UUID" },
    ],
    [
      "endless metadata",
      [["category", "x".repeat(16_385)]],
      { "#/category": "must have at most 16,384 characters" },
    ],
  ])("%s is refused", (_what, added, expected) => {
    expect(faults([...good, ...(added as [string, string][])])).toEqual(expected);
  });

  test("each fault is reported, not only the first", () => {
    expect(
      faults([
        ["storage_target", "blob"],
        ["owner", "me"],
      ]),
    ).toEqual({
      "#/tenant_id": "is required",
      "#/storage_target": 'must be "resourceapi"',
      "#/processing_mode": 'must be "classification" or "rag" or "full" or "store_only"',
      "#/owner": "is not known here",
    });
  });
});
