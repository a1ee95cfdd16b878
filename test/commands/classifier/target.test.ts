import { beforeAll, describe, expect, test } from "vitest";
import { join } from "node:path";
import { withAppTypes } from "#test/server/domains/apps/world.ts";
import { definition, examples } from "#test/server/domains/classifiers/world.ts";
import { field } from "#test/support/platform.ts";
import { temporaryDirectory } from "#test/support/temporary.ts";
import { commandWorld } from "../world.ts";

const the = commandWorld();
let folder = "";

beforeAll(async () => {
  await withAppTypes(the().platform, the().platform.workspaces.tenant);
  folder = await temporaryDirectory("classifiers");
  await Bun.write(join(folder, "harbour.json"), JSON.stringify({ ...definition, examples }));
  await Bun.write(join(folder, "faulty.json"), JSON.stringify({ ...definition, threshold: 2 }));
});

const at = () => ({ currentDirectory: folder });

async function bindingOf(workflow: string): Promise<unknown> {
  const where = JSON.stringify({ workflow_key: workflow });
  const { json } = await the().json(
    ["resources", "list", "vertical-product-config", "--where", where],
    at(),
  );
  const [item] = field(json, "items") as { data: { config: unknown } }[];
  return item?.data.config;
}

describe("classifier", () => {
  test("target binds, and keeps a lifecycle that is not named", async () => {
    await the().json("classifier put target --file harbour.json", at());
    const words = "classifier target target --app portal --workflow intake";
    const first = await the().json(`${words} --document-lifecycle planning-assist-v1`, at());
    expect(first).toMatchObject({ exitCode: 0, json: { binding: { action: "created" } } });
    const config = { classifierKey: "target", documentLifecycle: "planning-assist-v1" };
    expect(await bindingOf("intake")).toEqual(config);
    const again = await the().json(words, at());
    expect(again).toMatchObject({ exitCode: 0, json: { binding: { action: "unchanged" } } });
    await the().json("classifier put other --file harbour.json", at());
    const other = "classifier target other --app portal --workflow intake";
    expect(await the().json(other, at())).toMatchObject({
      json: { binding: { action: "updated" } },
    });
    expect(await bindingOf("intake")).toEqual({ ...config, classifierKey: "other" });
  });

  test("target refuses a classifier that does not exist, and a lifecycle that is none", async () => {
    const words = "--app portal --workflow nowhere";
    const missing = await the().json(`classifier target none ${words}`, at());
    expect(missing).toMatchObject({ exitCode: 1, json: { error: { code: "E202" } } });
    expect(await bindingOf("nowhere")).toBeUndefined();
    const wrong = await the().json(`classifier target none ${words} --document-lifecycle x`, at());
    expect(wrong.exitCode).toBe(2);
  });
});
