import { readdir } from "node:fs/promises";
import { expect, test } from "vitest";
import { ScratchList } from "#server/platform/backup/sets/scratch-list.ts";
import { temporaryDirectory } from "#test/support/temporary.ts";

test("texts are found by name and listed by prefix in order, beyond one page", async () => {
  const folder = await temporaryDirectory("list");
  const list = ScratchList.in(folder);
  for (let number = 2_399; number >= 0; number -= 1) {
    list.set(`${number % 2}/${String(number).padStart(4, "0")}`, `text ${number}`);
  }
  list.set("0/0002", "another");
  expect(list.get("1/0007")).toBe("text 7");
  expect(list.get("1/0008")).toBeUndefined();
  const even = [...list.values("0/")];
  expect(even).toHaveLength(1_200);
  expect(even.slice(0, 3)).toEqual(["text 0", "another", "text 4"]);
  expect([...list.values()]).toHaveLength(2_400);
  expect([...list.values("2/")]).toEqual([]);
  list.clear();
  expect(list.get("1/0007")).toBeUndefined();
  await list.close();
  expect(await readdir(folder)).toEqual([]);
});
