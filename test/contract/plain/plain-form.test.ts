import { expect, test } from "vitest";
import * as z from "zod";
import { plainFormOf, withPlainForm } from "#contract/plain/plain-form.ts";

test("the plain form belongs to its schema only", () => {
  const [schema, form] = [z.preprocess(Number, z.number()), z.number()];
  expect(withPlainForm(schema, form)).toBe(schema);
  expect([plainFormOf(schema), plainFormOf(form)]).toEqual([form, undefined]);
});
