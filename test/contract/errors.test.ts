import { expect, test } from "vitest";
import {
  catalogError,
  defaultExitCode,
  errorCatalog,
  namesMissing,
  type ErrorCode,
} from "#contract/errors.ts";

test("an error has its texts filled in, and its exit code", () => {
  const error = catalogError("E303", { field: "--name" }, { status: 400, hint: "h" });
  expect(error).toMatchObject({
    message: "Required field missing: --name",
    suggestion: "Provide --name",
    exitCode: 2,
    hasDefaultExitCode: true,
    status: 400,
    hint: "h",
  });
  const chosen = catalogError("E305", { details: "{field} x" }, { exitCode: 130 });
  expect([chosen.message, chosen.exitCode, chosen.hasDefaultExitCode]).toEqual([
    "Invalid input: {field} x",
    130,
    false,
  ]);
  expect(Object.keys(chosen)).not.toContain("hasDefaultExitCode");
});

test("only a missing sign-in and a missing value have other exit codes", () => {
  const codes = Object.keys(errorCatalog) as ErrorCode[];
  const others = codes.filter((code) => defaultExitCode(code) !== 1);
  expect(others).toEqual(["E101", "E102", "E103", "E104", "E303"]);
});

test.each([
  ["not-found", true],
  ["workspace-not-found", true],
  // The deployment has no such route.
  ["route-not-found", false],
  // Other deployments have codes in other forms.
  ["NotFound", false],
  ["404", false],
  [404, false],
  [undefined, false],
])("the code %j says that the route found nothing: %j", (code, expected) => {
  expect(namesMissing(code)).toBe(expected);
});
