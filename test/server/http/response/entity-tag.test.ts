import { expect, test } from "vitest";
import { entityTag, includesTag, requireTag, withTag } from "#server/http/response/entity-tag.ts";

test.each([
  [{ version: 3 }, '"3"'],
  [{ version: "3" }, undefined],
  [{ version: 1.5 }, undefined],
  [{}, undefined],
  [null, undefined],
])("the tag of %j is %s", (body, tag) => {
  expect(entityTag(body)).toBe(tag);
});

test("If-Match compares strongly, If-None-Match weakly", () => {
  for (const field of [null, "*", '"2", "3"']) requireTag(field, '"3"');
  expect(() => requireTag('W/"3"', '"3"')).toThrow(
    expect.objectContaining({ code: "precondition-failed" }),
  );
  expect(["*", 'W/"3"', '"2","3"', '"4"', null].map((field) => includesTag(field, '"3"'))).toEqual([
    true,
    true,
    true,
    false,
    false,
  ]);
});

test("a given tag stays", () => {
  expect(withTag({ version: 3 })).toEqual({ etag: '"3"' });
  expect(withTag({ version: 3 }, { etag: '"x"' })).toEqual({ etag: '"x"' });
});
