import { mkdir, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { DocumentRecord, ObjectType, Resource } from "#client/index.ts";
import { footerHints } from "#ui/shell/footer.tsx";
import { trailWords } from "#ui/shell/header.tsx";
import { topEdge } from "#ui/kit/panes/pane.tsx";
import { ConnectionMeter } from "#ui/shell/platform/connection.ts";
import { documentLines } from "#ui/documents/words.ts";
import { absolutePath, readFolder, splitTyped, startedAnew } from "#ui/kit/files/files.ts";
import { bindingsOf } from "#ui/kit/keys/key-bindings.ts";
import { layoutOf, splitOf } from "#ui/kit/panes/layout.ts";
import {
  recordColumns,
  recordName,
  sortableFields,
  recordSummary,
} from "#ui/kit/data-fields/record-columns.ts";
import { recordLines } from "#ui/records/detail/record-words.ts";
import { current, left, opened, type Trail } from "#ui/shell/router.ts";
import { fieldLines, jsonLines, type StyledLine } from "#ui/kit/text/styled-lines.ts";
import { skins, statusLook, tokens } from "#ui/kit/theme/theme.ts";
import { contextOf } from "#ui/documents/uploads/upload-context.ts";
import { keyPairOf } from "#ui/shell/platform/workflow-bindings.ts";
import { temporaryDirectory } from "../support/temporary.ts";

const texts = (lines: readonly StyledLine[]) =>
  lines.map((line) =>
    line
      .map((span) => span.text)
      .join("")
      .trimEnd(),
  );

describe("the edge of a pane", () => {
  const edge = (title: string, facts: readonly string[]) =>
    topEdge({ title, facts, width: 40 }, ["┌", "─", "┐"]).join("");

  it.each([
    ["plans.pdf", ["page 1 of 3"], "┌ plans.pdf ─ page 1 of 3 ─────────────┐"],
    [
      "a long name of a file that was scanned",
      ["page 1 of 3"],
      "┌ a long name of a fil… ─ page 1 of 3 ─┐",
    ],
    ["licence", ["42", "filter holder:somebody"], "┌ licence ─ 42 ─ filter holder:someb… ─┐"],
    ["a long name of a file that was scanned", [], "┌ a long name of a file that was sca… ─┐"],
    [
      "a long name of a file",
      ["and a fact that is as long"],
      "┌ a long name of a… ─ and a fact tha… ─┐",
    ],
  ])("keeps the first fact beside %s, %j", (title, facts, drawn) => {
    expect(edge(title, facts)).toBe(drawn);
    expect(drawn).toHaveLength(40);
  });
});

describe("the layout", () => {
  it.each([
    [80, 24, "narrow", 0, undefined],
    [100, 30, "normal", 24, "column"],
    [120, 40, "normal", 29, "column"],
    [160, 50, "wide", 32, "row"],
    [240, 80, "wide", 32, "row"],
  ] as const)("of %i x %i is %s", (columns, rows, shape, sidebar, direction) => {
    const layout = layoutOf(columns, rows);
    expect(layout).toMatchObject({ shape, sidebar, width: columns - sidebar });
    const split = splitOf(layout);
    expect(split?.direction).toBe(direction);
    if (split?.direction === "row") {
      expect(split.list.width + split.detail.width).toBe(layout.width);
    }
    if (split?.direction === "column") {
      expect(split.list.height + split.detail.height).toBe(layout.height);
    }
  });
});

describe("the header", () => {
  it("loses outer names first", () => {
    const trail = ["northwind-council", "planning", "planning-application"];
    expect(trailWords(trail, 80)).toBe("northwind-council › planning › planning-application");
    expect(trailWords(trail, 40)).toBe("… › planning › planning-application");
    expect(trailWords(trail, 26)).toBe("… › planning-application");
    expect(trailWords(trail, 10)).toBe("planning-…");
  });

  it("shows a steady latency, and that nobody answers", () => {
    const meter = new ConnectionMeter();
    let told = 0;
    meter.subscribe(() => (told += 1));
    for (const durationMs of [4, 5, 4, 6, 5, 7]) meter.record({ status: 200, durationMs });
    expect(meter.connection()).toEqual({ state: "live", latencyMs: 4 });
    expect(told).toBe(1);
    for (let count = 0; count < 9; count += 1) meter.record({ status: 200, durationMs: 90 });
    expect(meter.connection().latencyMs).toBe(90);
    meter.record({ durationMs: 5 });
    expect(meter.connection()).toEqual({ state: "offline", latencyMs: undefined });
  });

  it("is not live while the platform answers that it can't work", () => {
    const meter = new ConnectionMeter();
    for (const status of [502, 503]) {
      meter.record({ status: 200, durationMs: 4 });
      meter.record({ status, durationMs: 4 });
      expect(meter.connection()).toEqual({ state: "degraded", latencyMs: undefined });
    }
    // One request that took too long, or a fault in one route, says nothing of the others.
    for (const status of [500, 504, 404]) {
      meter.record({ status, durationMs: 6 });
      expect(meter.connection()).toEqual({ state: "live", latencyMs: 6 });
    }
  });

  it("says how long an answer has been waited for", () => {
    let nowMs = 0;
    const meter = new ConnectionMeter(() => nowMs);
    meter.record({ status: 200, durationMs: 4 });
    const [answered, gaveUp] = [meter.sent(), meter.sent()];
    nowMs = 1_900;
    meter.look();
    expect(meter.connection()).toEqual({ state: "live", latencyMs: 4 });
    nowMs = 8_000;
    meter.look();
    expect(meter.connection()).toMatchObject({ state: "waiting", waitedMs: 8_000 });
    answered();
    expect(meter.connection()).toMatchObject({ state: "waiting" });
    gaveUp();
    expect(meter.connection()).toEqual({ state: "live", latencyMs: 4 });
    // Who is known not to answer is not waited for.
    meter.record({ durationMs: 5 });
    meter.sent();
    nowMs = 20_000;
    meter.look();
    expect(meter.connection().state).toBe("offline");
  });
});

describe("the footer", () => {
  it("keeps help and the most important keys when it is narrow", () => {
    const nothing = () => {};
    const bindings = bindingsOf([
      { scope: "pane", handlers: { open: nothing, mark: nothing }, facts: {} },
      { scope: "place", handlers: { filter: nothing, delete: nothing, edit: nothing }, facts: {} },
      { scope: "global", handlers: { help: nothing, palette: nothing, quit: nothing }, facts: {} },
    ]);
    const shown = (width: number) => footerHints(bindings, width).map((hint) => hint.intent);
    expect(shown(200)).toEqual([
      "open",
      "filter",
      "edit",
      "mark",
      "delete",
      "palette",
      "help",
      "quit",
    ]);
    expect(shown(40)).toEqual(["open", "filter", "palette", "help"]);
  });

  it("offers no key that can't be used now, and keeps the way back", () => {
    const nothing = () => {};
    const bindings = bindingsOf([
      { scope: "pane", handlers: { open: nothing }, facts: { rows: 0 } },
      { scope: "place", handlers: { filter: nothing, goBack: nothing }, facts: {} },
      { scope: "global", handlers: { help: nothing, palette: nothing }, facts: {} },
    ]);
    const shown = (width: number) => footerHints(bindings, width).map((hint) => hint.intent);
    expect(shown(80)).toEqual(["filter", "goBack", "palette", "help"]);
    expect(shown(45)).toEqual(["filter", "goBack", "palette", "help"]);
    expect(shown(30)).toEqual(["goBack", "palette", "help"]);
  });
});

describe("where one is", () => {
  it("goes back the way one came, and never leaves the first place", () => {
    const start: Trail = [{ place: "resources" }];
    const there = opened(opened(start, { place: "jobs" }), { place: "jobs" });
    expect(there).toHaveLength(2);
    expect(current(left(there))).toEqual({ place: "resources" });
    expect(left(start)).toEqual(start);
  });

  it("is remembered to a depth", () => {
    let trail: Trail = [{ place: "resources" }];
    for (let n = 0; n < 200; n += 1) trail = opened(trail, { place: "jobs", jobId: String(n) });
    expect(trail.length).toBeLessThanOrEqual(50);
    expect(current(trail)).toEqual({ place: "jobs", jobId: "199" });
  });
});

const type: ObjectType = {
  id: "t",
  name: "PlanningApplication",
  slug: "planning-application",
  properties: {
    status: { type: "enum" },
    notes: { type: "text" },
    amount: { type: "number" },
    site: { type: "object" },
    plans: { type: "file" },
    reference: { type: "string" },
  },
  actions: [{ name: "decide", transition: { property: "status", from: ["open"], to: "decided" } }],
};
const record: Resource = {
  id: "r",
  version: 3,
  data: { reference: "PA-1", status: "open", amount: 5, extra: [1, 2] },
  created_at: "2026-11-21T11:00:00.000Z",
};

describe("records", () => {
  it("are called by what people call them", () => {
    expect(recordName(record)).toBe("PA-1");
    expect(recordName({ ...record, data: {} })).toBe("r");
    expect(recordSummary(record)).toBe("PA-1");
    const nameless = { height: 3, species: "Oak", note: " ", place: {}, state: "sound", ward: "N" };
    expect(recordSummary({ ...record, data: nameless })).toBe("Oak · sound");
    expect(recordSummary({ ...record, data: { height: 3 } })).toBeUndefined();
  });

  it("have the telling column first, the others as the type has them", () => {
    const columns = recordColumns(type, Date.parse("2026-11-21T12:00:00.000Z"));
    expect(columns.map((column) => column.id)).toEqual([
      "reference",
      "status",
      "notes",
      "amount",
      "updated_at",
    ]);
    expect(columns[0]?.pinned).toBe(true);
    expect(columns[1]?.value(record)).toBe("● open");
    expect(columns.at(-1)?.value(record)).toBe("1 h ago");
  });

  it("can be sorted by what has an order", () => {
    expect(sortableFields(type)).toEqual([
      "created_at",
      "updated_at",
      "status",
      "notes",
      "amount",
      "reference",
    ]);
  });

  it("show their fields, unknown ones too, and which actions the status allows", () => {
    const view = { width: 60, nowMs: 0, unfolded: new Set<string>(), nameOf: String };
    const lines = texts(recordLines(type, record, view).map(({ spans }) => spans));
    expect(lines[0]).toBe("status     ● open  (decide → decided)");
    expect(lines).toContain("extra      1, 2");
    expect(lines).toContain("version    3");
  });

  it("have nothing in a property that is called as something every object has", () => {
    const odd: ObjectType = { ...type, properties: { constructor: { type: "string" } } };
    const empty: Resource = { ...record, data: {} };
    const [column] = recordColumns(odd, 0, ["constructor"]);
    expect(column?.value(empty)).toBe("");
    expect(column?.value({ ...record, data: { constructor: "Ada" } })).toBe("Ada");
    const view = { width: 60, nowMs: 0, unfolded: new Set<string>(), nameOf: String };
    const lines = texts(recordLines(odd, empty, view).map(({ spans }) => spans));
    expect(lines[0]).toMatch(/^id +r$/);
  });
});

describe("documents in words", () => {
  it("show what was found in a document, and how surely", () => {
    const document: DocumentRecord = {
      documentId: "d",
      status: "ready",
      classification: { label: "letter", confidence: 0.5 },
      fields: { date: { value: "2026-01-01", confidence: 0.9, page: 2, method: "pattern" } },
    };
    const lines = texts(documentLines(document, 70, String));
    expect(lines).toContain("class   letter 50 %");
    expect(lines).toContain("date  2026-01-01  (90 %, p. 2, pattern)");
  });

  it("know what an upload can belong to", () => {
    expect(contextOf("planning-application", record)?.metadata).toEqual({
      planningApplicationId: "r",
    });
    expect(contextOf("licence", record)).toBeUndefined();
    expect(keyPairOf({ vertical_key: "a", workflow_key: "w" })).toEqual({
      appKey: "a",
      workflowKey: "w",
    });
    expect(keyPairOf({ vertical_key: " ", workflow_key: "w" })).toBeUndefined();
  });
});

describe("lines", () => {
  it("put long values below themselves", () => {
    expect(texts(fieldLines([{ name: "notes", value: "one two three four" }], 18))).toEqual([
      "notes  one two",
      "       three four",
    ]);
  });

  it("show JSON harmlessly, and all of it", () => {
    const value = { a: "x\x1b[31m\u202ey", b: "\x9b2Jhidden\u200b", list: [1] };
    const lines = texts(jsonLines(value, 60));
    expect(lines[1]).toBe('  "a": "x\\u001b[31m\\u202ey",');
    expect(lines.join("")).not.toMatch(/[\x1b\x9b\u202e\u200b]/);
    expect(JSON.parse(lines.join(""))).toEqual(value);
  });
});

describe("skins", () => {
  it("know every token, and every status has its own sign", () => {
    for (const skin of Object.values(skins))
      expect(Object.keys(skin).toSorted()).toEqual([...tokens].toSorted());
    const job = [
      "queued",
      "running",
      "succeeded",
      "completed_with_errors",
      "failed",
      "cancelled",
      "interrupted",
    ];
    expect(new Set(job.map((status) => statusLook(status).glyph)).size).toBe(job.length);
    expect(statusLook("constructor")).toEqual(statusLook("never heard of"));
  });
});

describe("files to pick", () => {
  it("understand what is typed", () => {
    expect(absolutePath("~/a", "/now", "/home/ada")).toBe("/home/ada/a");
    expect(absolutePath("b", "/now", "/home/ada")).toBe("/now/b");
    expect(splitTyped("/now/pl", "/x", "/h")).toEqual({ folder: "/now", prefix: "pl" });
    expect(splitTyped("/now/", "/x", "/h")).toEqual({ folder: "/now", prefix: "" });
    expect(splitTyped("/a", "/x", "/h")).toEqual({ folder: "/", prefix: "a" });
  });

  it("begin anew where a whole path is typed or pasted behind another", () => {
    expect(startedAnew("/now/plans.pdf")).toBe("/now/plans.pdf");
    expect(startedAnew("/now//tmp/a b.txt")).toBe("/tmp/a b.txt");
    expect(startedAnew("/now/~/a.txt")).toBe("~/a.txt");
    expect(startedAnew("/now/a~/b")).toBe("/now/a~/b");
    // As terminals write a file that is dropped on them.
    expect(startedAnew("/now/'/tmp/it'\\''s a plan.txt' ")).toBe("/tmp/it's a plan.txt");
    expect(startedAnew('"/tmp/a b.txt"')).toBe("/tmp/a b.txt");
  });

  it("list folders first, follow links, and leave out what is no file", async () => {
    const directory = await temporaryDirectory("folder");
    await mkdir(join(directory, "zoo"));
    await writeFile(join(directory, "a.txt"), "abc");
    await symlink(join(directory, "a.txt"), join(directory, "link"));
    await symlink(join(directory, "gone"), join(directory, "dangling"));
    const folder = await readFolder(directory);
    expect(folder.entries.map(({ name, kind, size }) => [name, kind, size])).toEqual([
      ["zoo", "folder", undefined],
      ["a.txt", "file", 3],
      ["link", "file", 3],
    ]);
  });
});
