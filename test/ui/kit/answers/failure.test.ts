import { describe, expect, it } from "vitest";
import { CatalogError, PlatformError } from "#client/index.ts";
import { failureLine, failureOf, needsSignIn } from "#ui/kit/answers/failure.ts";

describe("a failure as text", () => {
  it("is the catalog's, with what the platform adds", () => {
    const error = new PlatformError(
      "E302",
      { details: "2 faults" },
      {
        status: 422,
        problem: {
          detail: "The record is not valid",
          errors: [{ pointer: "#/data/amount", detail: "must be a number" }],
        },
      },
    );
    expect(failureOf(error)).toEqual({
      code: "E302",
      message: "Validation failed: 2 faults",
      reason: "Validation failed: 2 faults",
      suggestion: "Correct the errors",
      status: 422,
      details: ["The record is not valid", "data › amount: must be a number"],
      faults: [{ steps: ["data", "amount"], detail: "must be a number" }],
    });
    expect(needsSignIn(failureOf(new CatalogError("E101", {})))).toBe(true);
  });

  it("reports the fault of a filter once, by its place", () => {
    const fault = { pointer: "#/query/where/amount/$foo", detail: "is not a known operator" };
    const words = `${fault.pointer} ${fault.detail}`;
    const error = new PlatformError(
      "E302",
      { details: words },
      { status: 422, problem: { errors: [fault] }, hint: `${words}. Request 01a1-b2` },
    );
    expect(failureOf(error)).toMatchObject({
      message: "Validation failed",
      details: ["where › amount › $foo: is not a known operator", "Request 01a1-b2"],
    });
  });

  it("begins with what the platform said where there is one line for it", () => {
    const detail = "There is no space left";
    const error = new PlatformError(
      "E203",
      { details: `HTTP 507: ${detail}` },
      { status: 507, problem: { detail }, hint: "Request 01a1-b2" },
    );
    expect(failureOf(error).message).toBe(`Platform API error: HTTP 507: ${detail}`);
    expect(failureLine(error)).toBe(`E203 ${detail}: Request 01a1-b2`);
  });

  it("names the needed role once", () => {
    const detail = "This needs the role tenant-admin; yours is tenant-viewer";
    const error = new PlatformError(
      "E204",
      {},
      {
        status: 403,
        problem: { detail, requiredRole: "tenant-admin", currentRole: "tenant-viewer" },
        hint: "needs tenant-admin; you are tenant-viewer. Request 01a1-b2",
      },
    );
    expect(failureOf(error).details).toEqual([
      "needs tenant-admin; you are tenant-viewer. Request 01a1-b2",
    ]);
  });

  it("never shows the text of an unexpected failure", () => {
    expect(failureLine(new Error("secret /path"))).toBe("An unexpected error occurred");
  });
});

describe("a route that the platform does not have", () => {
  const failureFor = (status: number, problem?: Readonly<Record<string, unknown>>) =>
    failureOf(new CatalogError("E202", { resource: "List" }, { status, problem }));

  it.each([404, 405, 501])("is missing at %d", (status) => {
    expect(failureFor(status).isMissingRoute).toBe(true);
    expect(failureFor(status, { code: "route-not-found" }).isMissingRoute).toBe(true);
  });

  it("is there where something else is not found, or the platform fails", () => {
    expect(failureFor(404, { code: "not-found" }).isMissingRoute).toBeUndefined();
    expect(failureFor(500).isMissingRoute).toBeUndefined();
  });
});
