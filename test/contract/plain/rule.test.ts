import { expect, test } from "vitest";
import { changeNameOf, rule, ruleOf } from "#contract/plain/rule.ts";
import { changes, holds, type RuleUse } from "#contract/plain/rules.ts";

test("a check keeps its name and settings", () => {
  const check = rule("members at most", 2);
  expect(ruleOf(check)).toEqual(["members at most", 2]);
  expect([check({ a: 1 }), check({ a: 1, b: 2, c: 3 })]).toEqual([true, false]);
  expect(ruleOf(() => true)).toBeUndefined();
  expect(changeNameOf(changes.text)).toBe("text");
  expect(() => holds(["no rule"], 1)).toThrow("no rule");
});

test.each<[use: RuleUse, good: unknown, bad: unknown]>([
  [["web address"], "https://example.org/a", "https://exa\nmple.org"],
  [["web address"], "HTTP://example.org", "ftp://example.org"],
  [["no user name"], "https://example.org", "https://ada@example.org"],
  [["redirect address"], "http://localhost:3000/a", "http://example.org/a"],
  [["base64"], "aGk=", "aGk"],
  [["time zone"], "Europe/London", "+01:00"],
  [["no id"], "planning", "01890000-0000-7000-8000-000000000001"],
  [["looks like no other address"], "Ada", "\u0410da"],
  [["mail address"], "ada@example.org", "ada\u200b@example.org"],
  [["group claim"], "groups", "email"],
  [["own name"], "title", "constructor"],
  [["none of", "query"], "tree", "query"],
  [["keys at most", 2], "a,b", "a,b,c"],
  [["either", "a", "b"], { a: 1 }, { a: 1, b: 2 }],
  [["not both", "a", "b"], {}, { a: 1, b: 2 }],
  [["some", "a", "b"], { b: 0 }, { c: 1 }],
  [["same if given", "a", "b"], { a: 1, b: 1 }, { a: 1, b: 2 }],
  [["alone", "a", "b"], { a: 1, b: false }, { a: 1, b: 2 }],
  [["members at least", 1], { a: 1 }, {}],
  [
    ["each once", "key"],
    [{ key: 1 }, { key: 2 }],
    [{ key: 1 }, { key: 1 }],
  ],
  [["no items"], { items: 1 }, { items: [] }],
  [["field of metric"], { op: "count" }, { op: "sum" }],
  [["address unless temporary"], { temporary: true }, { temporary: false }],
  [["workflow by POST"], { workflow: "a", method: "POST" }, { workflow: "a", method: "GET" }],
  [["action of a record"], { action: "a", method: "POST", path: "{id}" }, { action: "a" }],
  [["change of a record"], { method: "PUT", path: "a/{id}" }, { method: "PUT", path: "a" }],
])("%j holds for %j and not for %j", (use, good, bad) => {
  expect([holds(use, good), holds(use, bad)]).toEqual([true, false]);
});
