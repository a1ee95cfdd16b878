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
  expect(await the().svc("app create Portal")).toMatchObject({ exitCode: 0 });
  expect(await the().svc("workflow provision triage --app portal")).toMatchObject({ exitCode: 0 });
  folder = await temporaryDirectory("classifiers");
  await Bun.write(join(folder, "harbour.json"), JSON.stringify({ ...definition, examples }));
  await Bun.write(join(folder, "faulty.json"), JSON.stringify({ ...definition, threshold: 2 }));
});

const at = () => ({ currentDirectory: folder });

async function bindingOf(workflow: string, app: string): Promise<unknown> {
  const where = JSON.stringify({ workflow_key: workflow, vertical_key: app });
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
    expect(await the().svc("workflow provision intake --app other")).toMatchObject({ exitCode: 0 });
    const words = "classifier target target --vertical portal --workflow intake";
    const first = await the().json(`${words} --document-lifecycle planning-assist-v1`, at());
    expect(first).toMatchObject({ exitCode: 0, json: { binding: { action: "created" } } });
    const config = { classifierKey: "target", documentLifecycle: "planning-assist-v1" };
    expect(await bindingOf("intake", "portal")).toEqual(config);
    const again = await the().json(words, at());
    expect(again).toMatchObject({ exitCode: 0, json: { binding: { action: "unchanged" } } });
    await the().json("classifier put other --file harbour.json", at());
    const other = "classifier target other --app portal --workflow intake";
    expect(await the().json(other, at())).toMatchObject({
      json: { binding: { action: "updated" } },
    });
    expect(await bindingOf("intake", "portal")).toEqual({ ...config, classifierKey: "other" });
  });

  test.each([
    ["--app nowhere --workflow triage", 'App "nowhere" not found'],
    ["--app portal --workflow nowhere", 'Workflow "nowhere" not found'],
  ])("target refuses %s, and binds nothing", async (words, message) => {
    await the().json("classifier put present --file harbour.json", at());
    const refused = await the().json(`classifier target present ${words}`, at());
    expect(refused).toMatchObject({ exitCode: 1, json: { error: { code: "E202", message } } });
    expect(await bindingOf("nowhere", "portal")).toBeUndefined();
    expect(await bindingOf("triage", "nowhere")).toBeUndefined();
  });

  test("target refuses a classifier that does not exist, and a lifecycle that is none", async () => {
    const words = "--app portal --workflow nowhere";
    const missing = await the().json(`classifier target none ${words}`, at());
    expect(missing).toMatchObject({ exitCode: 1, json: { error: { code: "E202" } } });
    expect(await bindingOf("nowhere", "portal")).toBeUndefined();
    const wrong = await the().json(`classifier target none ${words} --document-lifecycle x`, at());
    expect(wrong.exitCode).toBe(2);
  });
});
