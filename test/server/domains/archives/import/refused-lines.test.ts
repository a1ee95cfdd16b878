import { beforeAll, expect, test } from "vitest";
import { RefusedLines } from "#server/domains/archives/import/refused-lines.ts";
import { describePlatform, field } from "#test/support/platform.ts";
import { fillWorkspace, importedArchive, rewritten, takenArchive } from "../world.ts";

const idOf = (line: Record<string, unknown>): string => String(line["id"]);

describePlatform("an archive with lines that a workspace cannot have", (the) => {
  beforeAll(() => fillWorkspace(the()));

  test("stores the valid lines, and refuses each other one with its reason", async () => {
    const { bytes } = await takenArchive(the());
    const records: string[] = [];
    const hostile = await rewritten(bytes, (part, line) => {
      const data = Object(line["data"]);
      if (part === "records/application") {
        records.push(idOf(line));
        switch (records.length) {
          case 1:
            return [{ ...line, data: { ...data, zeta: "many" } }];
          case 2:
            return [{ ...line, data: { ...data, reference: undefined } }];
          case 3:
            return [{ ...line, data: { ...data, reference: "A-4" } }];
          case 4:
            // The line of an id comes twice.
            return [line, line];
          default:
            return [{ ...line, data: { ...data, notes: "a\0b" } }];
        }
      }
      if (part === "records/officer") return [{ ...line, version: -1 }];
      if (part === "documents") return [{ ...line, media_type: "text/plain\r\nx-evil: 1" }];
      if (part === "roles") return [{ ...line, permissions: ["everything"] }];
      return [line];
    });
    const state = await importedArchive(the(), the().workspaces.other, hostile, "outsider");
    expect(state, JSON.stringify(state)).toMatchObject({
      status: "completed_with_errors",
      error: { code: "validation-failed" },
    });
    const ofPart = (name: string) => state.parts?.find((part) => part.name === name);
    expect(ofPart("records/application")).toMatchObject({ stored: 1, refused: 5, leftOut: 0 });
    const reasons = state.refused?.map(({ part, reason }) => `${part}: ${reason}`).join("\n");
    for (const expected of [
      "records/application: #/data/zeta must be a number",
      "records/application: #/data/reference is required",
      "records/application: #/data/reference is the value of record",
      "records/application: its id is the id of another record",
      "records/application: has a character that no text can have",
      "records/officer: #/version",
      "record-files: its record does not have this file in plan",
      "documents: #/media_type must consist of printable ASCII characters",
      "roles: ",
    ]) {
      expect(reasons).toContain(expected);
    }
    const { other } = the().workspaces;
    const path = `/v4/data/resources/${other}/application?count=true`;
    const listed = await the().as("outsider").get(path);
    expect(field(listed.json, "total"), listed.text).toBe(1);
    expect(listed.text).not.toContain("many");
  });
});

test("all refused lines are counted, and the first 1,000 are listed", () => {
  const refused = new RefusedLines();
  for (let number = 0; number < 1_005; number += 1) refused.add("roles", `r${number}`, "no");
  expect(refused.in("roles")).toBe(1_005);
  expect(refused.listed).toHaveLength(1_000);
});
