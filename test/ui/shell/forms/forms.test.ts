import { expect, test } from "vitest";
import { Forms } from "#ui/shell/forms/forms.ts";

test("each opening of a form has a new id", () => {
  let opened = 0;
  const forms = new Forms(() => {
    opened += 1;
  });
  forms.open({ title: "one" } as never);
  const first = forms.shown.get()?.id;
  forms.open({ title: "two" } as never);
  expect(forms.shown.get()?.request.title).toBe("two");
  expect([forms.shown.get()?.id === first, opened]).toEqual([false, 2]);
  forms.close();
  expect(forms.shown.get()).toBe(undefined);
});
