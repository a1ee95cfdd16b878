import { describe, expect, test } from "vitest";
import { asCatalogError, reportFailure } from "#cli/failure.ts";
import { Output } from "#cli/output/output.ts";
import { catalogError } from "#contract/errors.ts";
import type { CatalogError } from "#contract/errors.ts";
import { captureStream } from "./world.ts";

/** The lines of a reported error. */
async function reported(error: CatalogError, terminal?: number): Promise<string[]> {
  const stderr = captureStream(
    terminal === undefined ? {} : { isTerminal: true, columns: terminal },
  );
  const settings = { format: "text", colour: false, simple: false } as const;
  await reportFailure(new Output({ stdout: captureStream(), stderr }, settings), error, "x");
  return stderr.text().trimEnd().split("\n");
}

const invalid = (message: string, problem: Readonly<Record<string, unknown>>, hint?: string) =>
  catalogError("E302", { details: message }, { problem, ...(hint === undefined ? {} : { hint }) });
const a = { pointer: "#/a", detail: "is missing" };
const b = { pointer: "#/b", detail: "must be a number" };
const ending = ["→ Correct the errors", "Help: `svc x --help`, `svc errors E302`"];

describe("faults", () => {
  test("a single fault that the message names is not repeated", async () => {
    const problem = { errors: [a], detail: "#/a is missing" };
    const error = invalid("#/a is missing", problem, "#/a is missing. Request r-1");
    expect(await reported(error)).toEqual([
      "Error E302: Validation failed: #/a is missing",
      "  Request r-1",
      ...ending,
    ]);
  });

  test("several faults have a line each, and the message ends before them", async () => {
    const problem = { errors: [a, b], detail: "#/a is missing, and 1 more" };
    const words = "#/a is missing; #/b must be a number";
    expect(
      await reported(invalid(words, problem, "#/a is missing, and 1 more. Request r-1")),
    ).toEqual([
      "Error E302: Validation failed:",
      "  #/a: is missing",
      "  #/b: must be a number",
      "  Request r-1",
      ...ending,
    ]);
  });

  test("at most twenty faults that the message does not name follow it", async () => {
    const errors = Array.from({ length: 23 }, (_, index) => ({ ...a, pointer: `#/p${index}` }));
    const lines = await reported(invalid("23 faults", { errors }));
    expect(lines).toHaveLength(1 + 20 + 1 + 2);
    expect(lines[1]).toBe("  #/p0: is missing");
    expect(lines[21]).toBe("  and 3 more");
  });

  test("other values in the list of faults are left out", async () => {
    const errors = [null, "x", { pointer: 1, detail: "d" }, { detail: "d" }, a];
    expect(await reported(invalid("bad", { errors }))).toEqual([
      "Error E302: Validation failed: bad",
      "  #/a: is missing",
      ...ending,
    ]);
  });
});

describe("hints", () => {
  test("a hint that repeats the title is shortened", async () => {
    const problem = { title: "Not found", detail: "Not found" };
    const error = catalogError(
      "E202",
      { resource: "Tree 7" },
      { problem, hint: "Not found. Look" },
    );
    expect((await reported(error))[1]).toBe("  Look");
  });

  test("outside text is cleaned, and wrapped at the terminal's width", async () => {
    const error = catalogError(
      "E203",
      { details: "the \u001b[31mred\u001b[0m platform said something long" },
      { hint: "and a \u009b2Jhint that is longer than the line" },
    );
    expect(await reported(error, 40)).toEqual([
      "Error E203: Platform API error: the red",
      "platform said something long",
      "  and a hint that is longer than the",
      "  line",
      "→ Contact support if it persists",
      "Help: `svc x --help`, `svc errors E203`",
    ]);
  });
});

test("an interruption is one line, without catalog texts", async () => {
  expect(await reported(asCatalogError(new DOMException("gone", "AbortError"), true))).toEqual([
    "Interrupted. Help: `svc x --help`",
  ]);
});

test("an error of the file system is named, with its path if it is known", () => {
  const refused = (code: string, path?: string) =>
    asCatalogError(Object.assign(new Error(code), { code, ...(path ? { path } : {}) }), false);
  expect(refused("EACCES", "/srv/x").message).toBe(
    "Invalid input: cannot use /srv/x: permission is denied",
  );
  expect(refused("ENOSPC").message).toBe("Invalid input: there is no space left on the device");
  expect(refused("EADDRINUSE").message).toBe("Invalid input: the port is in use");
  // An error that has no path is unexpected.
  expect(refused("ENOENT").code).toBe("E203");
});

test("JSON that can't be written to stdout goes to stderr", async () => {
  const stderr = captureStream();
  const stdout = {
    ...captureStream(),
    write: () => Promise.reject(Object.assign(new Error("full"), { code: "ENOSPC" })),
  };
  const settings = { format: "json", colour: false, simple: false } as const;
  const output = new Output({ stdout, stderr }, settings);
  await reportFailure(output, catalogError("E101"), undefined);
  expect(stderr.text()).toContain("Error E101: Not logged in");
});
