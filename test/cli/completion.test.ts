import { describe, expect, test } from "vitest";
import { complete } from "#cli/completion/complete.ts";
import { commandTable } from "#commands/registry.ts";
import { kindOf } from "#commands/completion/kinds.ts";

/** The words that may stand where the text ends; the last word is the unfinished one. */
function at(text: string) {
  const words = text.split(" ");
  const current = words.pop() ?? "";
  const { candidates, wanted, prefix } = complete(commandTable, words, current);
  return {
    values: candidates.map(({ value }) => value),
    prefix,
    kind: wanted === undefined ? undefined : kindOf(wanted),
  };
}

describe("words", () => {
  test("of the program, a group, and a command that is also a group", () => {
    expect(at("").values).toEqual(expect.arrayContaining(["login", "resources", "verify"]));
    expect(at("resources ").values).toEqual(expect.arrayContaining(["list", "file", "storage"]));
    expect(at("resources storage ").values).toEqual(["status", "doctor"]);
    expect(at("verify ").values).toEqual(["storage", "calls", "isolation"]);
    const commands = ["list", "create", "select", "provision", "call", "routes"];
    expect(at("vertical ").values).toEqual(commands);
  });

  test("each word once, with the summary of its group or command", () => {
    const { candidates } = complete(commandTable, [], "");
    const words = candidates.map(({ value }) => value);
    expect(new Set(words).size).toBe(words.length);
    expect(candidates.filter(({ description }) => description === "")).toEqual([]);
    expect(candidates.find(({ value }) => value === "docs")?.description).toMatch(/^Documents/);
  });

  test("none after an unknown word", () => {
    expect(at("nonsense ")).toEqual({ values: [], prefix: "", kind: undefined });
    expect(at("resources nonsense ").values).toEqual([]);
  });

  test("of another command after --", () => {
    expect(at("demo -- resources storage ").values).toEqual(["status", "doctor"]);
    expect(at("resources list -- ").values).toEqual([]);
  });
});

describe("options", () => {
  test("of the command, without old ones and those that are given", () => {
    const { values } = at("resources list tree --limit 5 --");
    expect(values).toEqual(expect.arrayContaining(["--where", "--all", "--profile"]));
    expect(values).not.toContain("--limit");
    expect(values).not.toContain("--json");
  });

  test("without those that a given one excludes, and with negated ones", () => {
    expect(at("resources list tree --cursor x --").values).not.toContain("--page");
    expect(at("dev --").values).toEqual(expect.arrayContaining(["--turbo", "--no-turbo"]));
  });

  test("a repeatable one again", () => {
    expect(at("env push --key A --").values).toContain("--key");
  });

  test("their values, joined or not", () => {
    expect(at("workspace create --home-region ").values).toEqual(["au", "ca", "eu"]);
    expect(at("workspace create --home-region=").prefix).toBe("--home-region=");
    expect(at("resources list --format=j").values).toContain("ndjson");
    expect(at("resources list --limit ")).toEqual({ values: [], prefix: "", kind: undefined });
  });
});

test.each([
  ["resources list ", { of: "types" }],
  ["resources get tree ", { of: "records" }],
  ["resources --tenant-id x get tree ", { of: "records" }],
  ["resources list --tenant ", { of: "workspaces" }],
  ["resources query --types ", { of: "types", isList: true }],
  ["resources indexes-plan --object-type ", { of: "types" }],
  ["resources create tree --file ", { place: "files" }],
  ["resources file upload tree x plan ", { place: "files" }],
  ["resources file get tree x plan --output ", { place: "files" }],
  ["docs get ", { of: "documents" }],
  ["docs job ", { of: "jobs" }],
  ["docs upload ", { place: "files" }],
  ["docs upload a.pdf --planning-application-id ", { of: "records" }],
  ["user remove ", { of: "members" }],
  ["user role delete ", { of: "roles" }],
  ["app select ", { of: "apps" }],
  ["workflow status ", { of: "workflows" }],
  ["chat send hello --workflow ", { of: "workflows" }],
  ["workspace info ", { of: "workspaces" }],
  ["workspace templates export ", { of: "starters" }],
  ["errors ", { of: "errors" }],
  ["blocks describe ", { of: "blocks" }],
  ["completion ", { of: "shells" }],
  ["--profile ", { of: "profiles" }],
  ["chat send ", undefined],
  ["deploy trigger --workflow ", undefined],
])("the value after `svc %s`", (text, kind) => {
  expect(at(text).kind).toEqual(kind);
});
