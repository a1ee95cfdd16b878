import { expect, test } from "vitest";
import { key, keyGroup, keyName, keyOffer, keyTableOf, keyWords } from "#ui/kit/keys/keys.ts";
import { staff } from "#ui/kit/keys/reasons.ts";

const group = keyGroup({
  upload: key("u ctrl+u", "place", "upload", { disabledReason: staff }),
  copy: [key("y", ["pane", "place"], "copy"), key("ctrl+y", "form", "copy")],
});

test("an intent has its uses in one table", () => {
  expect(keyTableOf([group]).map(({ intent, keys, where }) => [intent, keys, where])).toEqual([
    ["upload", ["u", "ctrl+u"], ["place"]],
    ["copy", ["y"], ["pane", "place"]],
    ["copy", ["ctrl+y"], ["form"]],
  ]);
});

test.each([
  ["enter", "↵"],
  ["ctrl+p", "^p"],
  ["shift+tab", "⇧tab"],
  ["G", "G"],
])("the key %s is shown as %s", (name, words) => {
  expect(keyWords(name)).toBe(words);
});

test("a hint names the key, or the reason for a role that may not", () => {
  expect(keyName(group.upload)).toBe("u");
  expect(keyOffer(group.upload, "uploads a file.", "tenant-staff")).toBe("u uploads a file.");
  expect(keyOffer(group.upload, "uploads a file.", "tenant-viewer")).toMatch(
    /^upload: needs the role tenant-staff/,
  );
});
