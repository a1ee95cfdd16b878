import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { parseEnv } from "#local/env/file.ts";
import { withAppTypes } from "#test/server/domains/apps/world.ts";
import { field } from "#test/support/platform.ts";
import { temporaryDirectory } from "#test/support/temporary.ts";
import { commandWorld, platformDown, type Called } from "../world.ts";

const the = commandWorld();

beforeAll(async () => {
  await withAppTypes(the().platform, the().platform.workspaces.tenant);
  expect(await the().svc("app create Portal --status active")).toMatchObject({ exitCode: 0 });
});

const actionsOf = ({ json }: Called): unknown =>
  Object.fromEntries(
    (field(json, "records") as { type: string; action: string }[]).map((row) => [
      row.type,
      row.action,
    ]),
  );

async function dataOf(type: string, where: object): Promise<unknown> {
  const words = ["resources", "list", type, "--where", JSON.stringify(where)];
  const { json } = await the().json(words);
  const items = field(json, "items") as { data: unknown }[];
  expect(items).toHaveLength(1);
  return items[0]?.data;
}

const same = (action: string) => ({
  "shared-ai-profile": action,
  "shared-chatbot-config": action,
  "shared-workflow-config": action,
  "vertical-product-config": action,
});

describe("workflow provision", () => {
  test("writes four records with every option, and only what differs when repeated", async () => {
    const folder = await temporaryDirectory("project");
    await mkdir(join(folder, "src/eai.config"), { recursive: true });
    const words = [
      ..."workflow provision intake --app portal --display-name Intake --usecase council".split(
        " ",
      ),
      ..."--stage chat --stage-env REVIEW_STAGE=review --ai-provider openai".split(" "),
      ..."--ai-model small --ai-profile-key fast --bind-ai-runtime --write-local-env".split(" "),
      ..."--write-app-config --env test --label blue --workflow-env-key INTAKE_WORKFLOW".split(" "),
    ];
    words.push("--stage", "review:Second look", "--stage-prompt", "review=Look = twice");
    const settings = { currentDirectory: folder };
    const first = await the().json(words, settings);
    expect(first).toMatchObject({ exitCode: 0, stderr: "" });
    expect(actionsOf(first)).toEqual(same("created"));
    expect(await dataOf("shared-workflow-config", { workflow_key: "intake" })).toMatchObject({
      display_name: "Intake",
      status: "active",
      usecase: "council",
      scope_key: "council:intake",
      ai_profile_key: "fast",
      chatbot_key: "intake",
      stages: [
        { id: "chat", display_name: "chat" },
        { id: "review", display_name: "Second look", prompt: "Look = twice" },
      ],
    });
    expect(await dataOf("vertical-product-config", { workflow_key: "intake" })).toMatchObject({
      vertical_key: "portal",
      scope_key: "council:intake",
    });
    expect(await dataOf("shared-ai-profile", { profile_key: "fast" })).toMatchObject({
      provider: "openai",
      model: "small",
    });
    expect(await dataOf("shared-chatbot-config", { chatbot_key: "intake" })).toMatchObject({
      prompts: { review: "Look = twice" },
    });
    const variables = {
      SVC_APP_KEY: "portal",
      SVC_VERTICAL_KEY: "portal",
      INTAKE_WORKFLOW: "intake",
      REVIEW_STAGE: "review",
    };
    const file = join(folder, ".env.local");
    expect(Object.fromEntries(parseEnv(await Bun.file(file).text()))).toEqual(variables);
    await Bun.write(file, "");
    const pulled = await the().svc("env pull --env blue", settings);
    expect(pulled).toMatchObject({ exitCode: 0 });
    expect(Object.fromEntries(parseEnv(await Bun.file(file).text()))).toEqual(variables);
    expect(actionsOf(await the().json(words, settings))).toEqual(same("unchanged"));
    const draft = [...words, "--status", "draft", "--scope-key", "own"];
    expect(actionsOf(await the().json(draft, settings))).toEqual({
      ...same("updated"),
      "shared-ai-profile": "unchanged",
    });
  });

  test("keeps the stages of the stored workflow where none is given", async () => {
    const words = "workflow provision kept --app portal";
    const stages = async (): Promise<unknown> =>
      await dataOf("shared-workflow-config", { workflow_key: "kept" });
    const first = [...words.split(" "), "--stage", "review:Second look", "--stage", "chat"];
    expect(await the().json(first)).toMatchObject({ exitCode: 0, stderr: "" });
    expect(actionsOf(await the().json(words))).toMatchObject({
      "shared-workflow-config": "unchanged",
    });
    const prompted = [...words.split(" "), "--stage-prompt", "review=Look twice"];
    expect(await the().json(prompted)).toMatchObject({ exitCode: 0 });
    expect(await stages()).toMatchObject({
      stages: [
        { id: "review", display_name: "Second look", prompt: "Look twice" },
        { id: "chat", display_name: "chat" },
      ],
    });
    const unknown = await the().svc(`${words} --stage-env KEY=none`);
    expect(unknown).toMatchObject({ exitCode: 2, stdout: "" });
    expect(unknown.stderr).toContain('there is no stage "none"');
    expect(await the().json(`${words} --stage other`)).toMatchObject({ exitCode: 0 });
    expect(await stages()).toMatchObject({ stages: [{ id: "other" }] });
  });

  test("keeps the purpose and the scope of the stored workflow where none is given", async () => {
    const words = "workflow provision placed --app portal";
    const placed = async (): Promise<unknown> => {
      const data = await dataOf("shared-workflow-config", { workflow_key: "placed" });
      const binding = await dataOf("vertical-product-config", { workflow_key: "placed" });
      expect(field(binding, "scope_key")).toBe(field(data, "scope_key"));
      return [field(data, "usecase"), field(data, "scope_key")];
    };
    const call = async (more: string): Promise<unknown> => {
      expect(await the().json(`${words} ${more}`.trim())).toMatchObject({ exitCode: 0 });
      return placed();
    };
    expect(await call("--usecase council")).toEqual(["council", "council:placed"]);
    expect(await call("")).toEqual(["council", "council:placed"]);
    expect(await call("--usecase retail")).toEqual(["retail", "retail:placed"]);
    expect(await call("--scope-key own")).toEqual(["retail", "own"]);
    expect(await call("--status draft")).toEqual(["retail", "own"]);
    expect(await call("--usecase generic")).toEqual(["generic", "own"]);
  });

  test("changes the default AI profile only when an option names it", async () => {
    const first = await the().json("workflow provision plain --app portal");
    expect(first).toMatchObject({ exitCode: 0 });
    const profile = { profile_key: "default" };
    const listed = await the().json([
      ..."resources list shared-ai-profile --where".split(" "),
      JSON.stringify(profile),
    ]);
    const [{ id }] = field(listed.json, "items") as [{ id: string }];
    const own = { ...profile, status: "draft", provider: "none", model: "own" };
    const change = ["resources", "update", "shared-ai-profile", id, "--data", JSON.stringify(own)];
    expect(await the().json(change)).toMatchObject({ exitCode: 0 });
    const again = await the().json("workflow provision plain --app portal --display-name Plain");
    expect(actionsOf(again)).toMatchObject({
      "shared-ai-profile": "unchanged",
      "shared-workflow-config": "updated",
    });
    expect(await dataOf("shared-ai-profile", profile)).toMatchObject(own);
    const asked = await the().json("workflow provision plain --app portal --ai-model large");
    expect(actionsOf(asked)).toMatchObject({ "shared-ai-profile": "updated" });
    expect(await dataOf("shared-ai-profile", profile)).toMatchObject({
      status: "active",
      provider: "none",
      model: "large",
    });
  });

  test("reports an app that the workspace does not have", async () => {
    const { exitCode, stderr } = await the().svc("workflow provision early --app unknown-app");
    expect(exitCode).toBe(0);
    expect(stderr).toContain('App "unknown-app" is not enrolled in this workspace');
  });

  test("takes --vertical for --app, and says so once", async () => {
    const old = await the().svc("workflow provision old --vertical portal --format json");
    expect(old).toMatchObject({ exitCode: 0, stderr: "--vertical is deprecated: use --app\n" });
  });

  const refusals: readonly [words: string, exitCode: number, details: string][] = [
    ["", 2, "--app"],
    ["--app portal --vertical portal", 2, "exclude each other"],
    ["--app portal --stage a --stage a", 2, "--stage a is given twice"],
    ["--app portal --stage a/b", 2, "is not an id"],
    ["--app portal --stage chat --stage-env KEY=none", 2, 'there is no stage "none"'],
    ["--app portal --stage-env key=chat", 2, "is not the name of a variable"],
    ["--app portal --stage chat --stage-prompt none=x", 2, 'there is no stage "none"'],
    ["--app portal --stage-prompt chat", 2, 'is not a pair with "="'],
    ["--app portal --env ../x", 2, "--env"],
    ["--app portal --status open", 2, "--status"],
  ];
  test.each(["Intake", "in_take", "in--take", "-intake", "in take"])(
    "refuses the keys %s before any network call",
    async (key) => {
      for (const words of [
        ["--app", "portal", "--", key],
        ["x", "--app", key],
        ["x", "--app", "portal", "--ai-profile-key", key],
      ]) {
        const call = ["workflow", "provision", ...words];
        const refused = await the().svc(call, { fetch: platformDown });
        expect(refused).toMatchObject({ exitCode: 2, stdout: "" });
      }
    },
  );

  test.each(refusals)("refuses %s before any network call", async (words, exitCode, details) => {
    const all = `workflow provision x ${words}`.trim();
    const refused = await the().svc(all, { fetch: platformDown });
    expect(refused).toMatchObject({ exitCode, stdout: "" });
    expect(refused.stderr).toContain(details);
  });
});
