import { expect, test } from "vitest";
import { clientRoute } from "#client/route.ts";
import { shapeAt } from "#contract/plain/shape.ts";

test("a route of the contract has its plain data and the forms of its parts", async () => {
  const route = clientRoute("members", "remove");
  expect(route).toMatchObject({ method: "DELETE" });
  await route.loadShapes();
  const parts = ["params", "query", "body", "reply"] as const;
  const kinds = parts.map((part) => {
    const form = route.formOf(part);
    return form && shapeAt(form.shapes, form.place).is;
  });
  expect(kinds).toEqual(["object", "object", undefined, "object"]);
});

test("a name that the contract lacks is a fault of the program", () => {
  expect(() => clientRoute("members", "renove")).toThrow("no route members.renove");
});
