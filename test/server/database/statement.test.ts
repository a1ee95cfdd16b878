import { describe, expect, test } from "vitest";
import { jsonFieldText, jsonText, jsonValue } from "#server/database/dialect.ts";
import {
  bindable,
  byDialect,
  identifier,
  literal,
  join,
  nothing,
  raw,
  render,
  statement,
  valueRows,
} from "#server/database/statement.ts";

describe("a statement", () => {
  test("has each engine's placeholders", () => {
    const make = () => statement`select id from jobs where a = ${1} and b = ${"x"} or ${null}`;
    for (const part of [make(), make()]) {
      expect(render(part, "sqlite")).toEqual({
        text: "select id from jobs where a = ? and b = ? or ?",
        parameters: [1, "x", null],
      });
      expect(render(part, "postgresql")).toEqual({
        text: "select id from jobs where a = $1 and b = $2 or $3",
        parameters: [1, "x", null],
      });
    }
  });

  test("numbers the placeholders of nested statements in one sequence", () => {
    const condition = statement`a = ${"a"} and b in (${join(["b", "c"])})`;
    const whole = statement`select ${raw("1")} where ${condition} ${nothing}limit ${5}`;
    expect(render(whole, "postgresql")).toEqual({
      text: "select 1 where a = $1 and b in ($2, $3) limit $4",
      parameters: ["a", "b", "c", 5],
    });
    expect(render(whole, "sqlite").text).toBe("select 1 where a = ? and b in (?, ?) limit ?");
  });

  test("joins several statements and values, one, and none", () => {
    expect(render(join([]), "sqlite").text).toBe("");
    expect(render(join([statement`a = ${1}`]), "sqlite").text).toBe("a = ?");
    const both = join([statement`a = ${1}`, statement`b = ${2}`], " and ");
    expect(render(both, "postgresql")).toEqual({ text: "a = $1 and b = $2", parameters: [1, 2] });
  });

  test("makes rows of values, whose text it has once for each number of them", () => {
    const whole = (rows: (string | number)[][]) =>
      statement`select column1, ${"x"} from (${valueRows(rows)}) where true limit ${1}`;
    for (const [first, second] of [
      [1, 2],
      [3, 4],
    ] as const) {
      const part = whole([
        [first, "a"],
        [second, "b"],
      ]);
      expect(render(part, "sqlite")).toEqual({
        text: "select column1, ? from (values (?, ?), (?, ?)) where true limit ?",
        parameters: ["x", first, "a", second, "b", 1],
      });
      expect(render(part, "postgresql").text).toBe(
        "select column1, $1 from (values ($2, $3), ($4, $5)) where true limit $6",
      );
    }
    expect(render(whole([[5, "c"]]), "sqlite").text).toContain("(values (?, ?)) where");
    expect(() => render(whole([[Number.NaN, "c"]]), "sqlite")).toThrow(/^Cannot bind NaN/);
  });

  test("binds a flag as 0 or 1", () => {
    expect(render(statement`${true}, ${false}`, "sqlite").parameters).toEqual([1, 0]);
    expect(render(statement`${true}, ${false}`, "postgresql").parameters).toEqual([1, 0]);
  });

  test("refuses what the drivers would bind as something else", () => {
    for (const value of [Number.NaN, Number.POSITIVE_INFINITY]) {
      expect(() => render(statement`${value}`, "sqlite")).toThrow(/^Cannot bind (NaN|Infinity):/);
      expect(() => render(statement`${value}`, "postgresql")).toThrow(/^Cannot bind/);
    }
    expect(() => bindable(undefined)).toThrow("Cannot bind undefined: expected text");
    expect(() => bindable(new Date())).toThrow("Cannot bind object");
    expect(() => bindable({ a: 1 })).toThrow("Cannot bind object");
  });

  test("quotes names with any characters", () => {
    expect(render(identifier("jobs", 'a"b; drop'), "sqlite").text).toBe('"jobs"."a""b; drop"');
    expect(() => identifier("")).toThrow("expected text");
    expect(() => identifier("a\0b")).toThrow("expected text");
  });

  test("quotes texts with any characters", () => {
    expect(literal("it's; drop \\ --")).toBe("'it''s; drop \\ --'");
    expect(() => literal("a\0b")).toThrow("expected no NUL");
  });

  test("chooses variants by engine, at any depth", () => {
    const inner = byDialect({ sqlite: statement`lite(${1})`, postgresql: statement`post(${2})` });
    const outer = byDialect({ sqlite: statement`(${inner})`, postgresql: statement`[${inner}]` });
    expect(render(outer, "sqlite")).toEqual({ text: "(lite(?))", parameters: [1] });
    expect(render(statement`${0}, ${outer}`, "postgresql")).toEqual({
      text: "$1, [post($2)]",
      parameters: [0, 2],
    });
  });
});

describe("the JSON fragments", () => {
  test("never bind JSON text as jsonb directly", () => {
    expect(render(jsonValue({ a: 1 }), "postgresql")).toEqual({
      text: "$1::text::jsonb",
      parameters: ['{"a":1}'],
    });
    expect(render(jsonValue(undefined), "sqlite")).toEqual({
      text: "jsonb(?)",
      parameters: ["null"],
    });
  });

  test("give the same text each time, as an expression index needs", () => {
    const text = (path: string[]) => render(jsonFieldText("data", path), "sqlite").text;
    expect(text(["a.b", "c d"])).toBe(`json_extract(data, '$."a.b"."c d"')`);
    expect(text(["it's"])).toBe(`json_extract(data, '$."it''s"')`);
    expect(render(jsonFieldText("r.data", ["a", "it's"]), "postgresql").text).toBe(
      `((r.data -> 'a' ->> 'it''s') collate "C")`,
    );
  });

  test("accept only names as columns", () => {
    expect(() => jsonText("data); drop table jobs")).toThrow("Cannot use");
    expect(() => jsonFieldText("data", [])).toThrow("without a path");
    expect(() => jsonFieldText("data", ['a"'])).toThrow("Cannot use a field name");
    expect(() => jsonFieldText("data", ["a\0"])).toThrow("NUL");
  });
});
