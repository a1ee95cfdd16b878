import { expect, test } from "vitest";
import { FormError, readForm, uniqueFields } from "#server/http/body/urlencoded-form.ts";

function form(body: string, type = "application/x-www-form-urlencoded"): Request {
  return new Request("http://a.test/", { method: "POST", body, headers: { "content-type": type } });
}

test("the fields of a form are read", async () => {
  const type = "Application/X-WWW-Form-Urlencoded; charset=utf-8";
  expect(await readForm(form("a=1+2&b=%C3%BC", type))).toEqual(
    new Map([
      ["a", "1 2"],
      ["b", "ü"],
    ]),
  );
});

test.each([
  [form("a=1", "text/plain"), "the body is not application/x-www-form-urlencoded"],
  [form("a=1&a=1"), "a parameter is given twice"],
  [form("a=%00"), "a value is not text"],
])("a wrong form is refused", async (request, message) => {
  await expect(readForm(request)).rejects.toThrow(new FormError(message));
});

test("a form above 16 KiB is refused", async () => {
  await expect(readForm(form(`a=${"x".repeat(16 * 1024)}`))).rejects.toMatchObject({
    code: "content-too-large",
  });
  expect(uniqueFields(new URLSearchParams("a=1")).get("a")).toBe("1");
});
