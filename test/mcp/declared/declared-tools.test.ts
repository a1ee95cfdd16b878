import { expect, test } from "vitest";
import { declaredTools, namePrefix } from "#mcp/declared/declared-tools.ts";

const toolsOf = (routes: readonly Record<string, unknown>[], product = "shop") =>
  declaredTools({ product, routes: routes as never });

test("a tool has the arguments of its path, its method and its body", () => {
  const [list, item, removal, action, question] = toolsOf([
    { method: "GET", path: "trees", type: "tree" },
    { method: "PATCH", path: "trees/{number}", type: "tree" },
    { method: "DELETE", path: "trees/{number}", type: "tree" },
    { method: "POST", path: "trees/{id}/felling", type: "tree", action: "fell" },
    { method: "POST", path: "questions", workflow: "help" },
  ]);
  const argumentsOf = (tool: typeof list) => Object.keys(tool?.listed.inputSchema.properties ?? {});
  expect(argumentsOf(list)).toEqual(["limit", "cursor", "sort", "where"]);
  expect(argumentsOf(item)).toEqual(["number", "body", "ifMatch"]);
  expect(argumentsOf(removal)).toEqual(["number", "ifMatch"]);
  expect(argumentsOf(action)).toEqual(["id", "body", "idempotencyKey", "ifMatch"]);
  expect(question?.listed.inputSchema.properties?.["body"]).toMatchObject({
    required: ["message"],
  });
  expect(item?.argumentsOf({ number: 7, body: { a: 1 } })).toEqual({
    product: "shop",
    path: "trees/7",
    body: { a: 1 },
  });
});

test.each([
  [{}, /number is required/],
  [{ number: ".." }, /one segment/],
  [{ number: "a/b" }, /one segment/],
  [{ number: "1", where: {} }, /"where" is not an argument of vertical_shop_getTreesNumber/],
])("arguments %j are refused", (given, message) => {
  const [tool] = toolsOf([{ method: "GET", path: "trees/{number}", type: "tree" }]);
  expect(() => tool?.argumentsOf(given)).toThrow(message);
});

test("a schema keeps its definitions, and one with other references is left out", () => {
  const bodyOf = (body: object) => {
    const [tool] = toolsOf([{ method: "POST", path: "trees", type: "tree", body }]);
    return tool?.listed.inputSchema;
  };
  const named = { $ref: "#/$defs/name" };
  const $defs = { name: { type: "string" } };
  expect(bodyOf({ type: "object", properties: { name: named }, $defs })).toMatchObject({
    properties: { body: { type: "object", properties: { name: named } } },
    $defs,
  });
  for (const other of [{ $ref: "#" }, { $ref: "https://example.org/" }, { $id: "x" }]) {
    const schema = bodyOf({ type: "object", properties: { name: other } });
    expect(schema?.properties?.["body"]).toEqual({ type: "object" });
  }
  const long = bodyOf({ type: "object", description: "x".repeat(9_000) });
  expect(long?.properties?.["body"]).toEqual({ type: "object" });
});

test("names are those that clients accept, and one argument has one meaning", () => {
  const product = "a".repeat(100);
  const [one, two, ...others] = toolsOf(
    [
      { method: "GET", path: "trees/of/one", type: "tree" },
      { method: "GET", path: "trees/of/two", type: "tree" },
      { method: "PUT", path: "trees/{body}", type: "tree" },
      { method: "TRACE", path: "trees", type: "tree" },
    ],
    product,
  );
  expect(one?.name).not.toBe(two?.name);
  for (const tool of [one, two]) {
    expect(tool?.name).toMatch(/^[\w-]{1,64}$/);
    expect(tool?.name.startsWith(namePrefix(product))).toBe(true);
  }
  expect(others).toEqual([]);
});

test("a text of a product has no line breaks and an end", () => {
  const summary = `List\n\u{1b}[31mtrees ${"x".repeat(2_000)}`;
  const [tool] = toolsOf([{ method: "GET", path: "trees", type: "tree", summary }]);
  expect(tool?.listed.description).not.toMatch(/[\n\u{1b}]/u);
  expect(tool?.listed.description?.length).toBeLessThan(700);
});
