import { expect, test } from "vitest";
import { clientRoute } from "#client/route.ts";

test("a route of the contract has its plain data, shapes and schemas", async () => {
  const route = clientRoute("members", "remove");
  expect(route).toMatchObject({ method: "DELETE" });
  await route.loadShapes();
  const definition = await route.definition();
  expect(definition.path).toBe(route.path);
  expect(route.shapes.length).toBeGreaterThan(0);
});

test("a name that the contract lacks is a fault of the program", () => {
  expect(() => clientRoute("members", "renove")).toThrow("no route members.renove");
});
