import { describe, expect, it } from "vitest";
import { initialData } from "#ui/kit/forms/form-model.ts";
import {
  creationOptions,
  endpointChanges,
  endpointCreation,
  endpointData,
  endpointFaults,
  endpointFields,
  endpointOptions,
} from "#ui/webhooks/endpoint-form.ts";

const defaults = initialData(endpointFields([]));
const url = "https://hooks.example.org/svc";

describe("the form of a webhook endpoint", () => {
  it("creates one with the settings that were typed", () => {
    expect(endpointCreation({ ...defaults, url, kinds: ["file", "record"] })).toEqual({
      url,
      description: "",
      kinds: ["record", "file"],
      body: "thin",
      role: "tenant-viewer",
      ordered: false,
    });
  });

  it("names a URL, a kind and a filter that can't be", () => {
    const data = { url: "hooks.example.org", kinds: ["record", "chat"], where: [1] };
    expect(endpointFaults(data).map(({ pointer }) => pointer)).toEqual([
      "#/url",
      "#/kinds",
      "#/where",
    ]);
    expect(endpointFaults({ ...defaults, url })).toEqual([]);
  });

  it("sends what was changed alone, and null for what was removed", () => {
    const role = "tenant-admin" as const;
    const before = endpointData({ id: "w", url, kinds: ["record"], types: null, role });
    const { kinds: _, ...without } = before;
    expect(endpointChanges(before, { ...before, description: "tests" })).toEqual({
      description: "tests",
    });
    expect(endpointChanges(before, without)).toEqual({ kinds: null });
  });

  it("has a command where options say the same", () => {
    expect(endpointOptions({ kinds: null })).toBeUndefined();
    expect(endpointOptions({ ordered: false })).toBeUndefined();
    expect(endpointOptions({ body: "full", where: { status: "open" } })).toEqual({
      full: true,
      where: '{"status":"open"}',
    });
    const data = { ...defaults, url, types: ["licence"], ordered: true };
    expect(creationOptions(data)).toEqual({ type: ["licence"], ordered: true });
  });
});
