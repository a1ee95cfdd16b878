import { expect, test } from "vitest";
import { limitOption, pageOptions, pageQuery } from "#commands/kit/output/pages.ts";

test("a page is chosen by number or by cursor", () => {
  expect(pageQuery({ page: 2, limit: 5 })).toEqual({ page: 2, limit: 5 });
  expect(pageQuery({ page: 1, limit: 5, cursor: "c" })).toEqual({ limit: 5, cursor: "c" });
});

test("a list has the options that it names, in the order of the help", () => {
  expect(Object.keys(pageOptions({ of: "Things" }))).toEqual(["page", "limit", "cursor"]);
  const all = pageOptions({
    of: "Things",
    limit: 7,
    sort: "name",
    where: true,
    all: "Every page",
    count: "Count them",
  });
  expect(Object.keys(all)).toEqual(["page", "limit", "sort", "where", "cursor", "all", "count"]);
  expect(all).toMatchObject({
    page: { excludes: ["cursor", "all"] },
    limit: { default: 7, description: "Things per page" },
    sort: { default: "name" },
    count: { excludes: ["all"] },
  });
  expect(limitOption("x", 9, 3)).toMatchObject({ minimum: 1, maximum: 9, default: 3 });
});
