import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { commandTable } from "#commands/registry.ts";
import { routes } from "#contract/index.ts";
import type { FetchFunction } from "#lib/network/fetch-function.ts";
import { selectWorkspace } from "#local/configuration/profiles.ts";
import { contractAnswer, routeOf } from "#test/support/contract-answers.ts";
import {
  allTexts,
  foreignSequences,
  hostile,
  poisonedResponse,
  shownTexts,
  type Poison,
} from "#test/support/hostile-text.ts";
import { dialects } from "#test/support/other-deployment/dialects.ts";
import { testBaseUrl } from "#test/support/platform.ts";
import { fillProject } from "#test/support/project-folder.ts";
import { temporaryDirectory } from "#test/support/temporary.ts";
import { embeddedPlace, otherPlaces, type Place } from "./deployments.ts";
import { callsAt, filledWords, type TrialCall } from "./trial-calls.ts";
import { runCommand } from "./world.ts";

/** The sequences that commands write themselves: tones, and the removal of the status line. */
const own = /\x1b\[(?:1|2|22|31|32|33|39)m|\r\x1b\[K/g;

const start = otherPlaces();
const embedded = embeddedPlace();

const forms: readonly {
  readonly name: string;
  readonly options: readonly string[];
  readonly terminal?: number;
}[] = [
  { name: "text on a terminal", options: ["--color"], terminal: 120 },
  { name: "--simple on a terminal", options: ["--simple"], terminal: 80 },
  { name: "--simple in a pipe", options: ["--simple"] },
  { name: "text in a pipe", options: [] },
  { name: "JSON on a terminal", options: ["--format", "json"], terminal: 80 },
  { name: "JSON in a pipe", options: ["--format", "json"] },
  { name: "CSV on a terminal", options: ["--format", "csv"], terminal: 80 },
];

/** One form of each kind: the first block below has every command in every form. */
const aForm = /^(?:text on a terminal|--simple in a pipe|JSON on a terminal)$/;

/** Texts of several lines, as their authors wrote them. */
const hasOwnLines = /^(?:chat|publicapi|docs content)/;
/** Commands that write the data itself in text mode too. */
const writesData = /^(?:publicapi|workspace templates export)/;

/** The routes whose answers had hostile texts. */
const poisonedRoutes = new Set<unknown>();

type CalledPlace = Pick<Place, "names" | "run" | "fetch">;

async function expectHarmless(
  open: () => Promise<CalledPlace>,
  { words, after, stdin = "" }: Pick<TrialCall, "words" | "after" | "stdin">,
  poison: Poison,
  only: RegExp = /./,
): Promise<void> {
  for (const { name, options, terminal } of forms.filter((form) => only.test(form.name))) {
    const { names, run, fetch } = await open();
    for (const earlier of after) await run(filledWords(earlier, names));
    const hostileNetwork: FetchFunction = async (request) => {
      poisonedRoutes.add(routeOf(request));
      return await poisonedResponse(await fetch(request), poison);
    };
    const { stdout, stderr } = await run([...filledWords(words, names), ...options], {
      fetch: hostileNetwork,
      stdin,
      ...(terminal === undefined ? {} : { terminal }),
    });
    const isJson = name.startsWith("JSON");
    // A pipe gets JSON and the bytes of a raw answer as the platform sent them.
    const isData = terminal === undefined && (isJson || writesData.test(words));
    const shown = isData ? stderr : stdout + stderr;
    expect({ name, words, found: foreignSequences(shown, own) }).toEqual({
      name,
      words,
      found: [],
    });
    // A terminal wraps long lines between words.
    if (terminal !== undefined || isJson || hasOwnLines.test(words)) continue;
    expect({ name, forged: /^forged.*$/m.exec(shown)?.[0] }).toEqual({ name, forged: undefined });
  }
}

const embeddedCalls = callsAt("embedded");

describe("a platform that sends control sequences in each text that is shown:", () => {
  test.each(embeddedCalls)("svc $words", async (call) => {
    const wish = { document: /\{(?:job|document)\}/.test(call.words) };
    await expectHarmless(() => embedded(wish), call, shownTexts);
  });

  describe.each(dialects.slice(1, 2))("$name:", (dialect) => {
    test.each(embeddedCalls)("svc $words", async (call) => {
      await expectHarmless(() => start(dialect), call, shownTexts, aForm);
    });
  });
});

describe("a platform that sends them also in ids, types and states:", () => {
  // A wait would last until its timeout, for a state that is not known.
  const calls = embeddedCalls.filter(({ words }) => !words.includes("--wait"));
  test.each(calls)("svc $words", async (call) => {
    const wish = { document: /\{(?:job|document)\}/.test(call.words) };
    await expectHarmless(() => embedded(wish), call, allTexts, aForm);
  });
});

const unknownId = "0198f0a0-2222-7000-8000-000000000002";

/** A platform that is only its answers, and a user with a workspace. */
async function placeThatAnswers(fetch: FetchFunction): Promise<CalledPlace> {
  const [config, folder] = [
    await temporaryDirectory("config"),
    await temporaryDirectory("project"),
  ];
  await fillProject(folder);
  const workspace = { id: unknownId, slug: "tenant", displayName: "tenant", origin: testBaseUrl };
  await selectWorkspace({ configDirectory: config, profile: "default", workspace });
  const names = {
    ...Object.fromEntries(
      [
        "id",
        "key",
        "workspace",
        "record",
        "recordPath",
        "application",
        "job",
        "document",
        "member",
      ].map((name) => [name, unknownId]),
    ),
    slug: "street-tree",
    secret: "a".repeat(43),
    unique: "1",
    folder,
    workflow: "advice",
  };
  const run: Place["run"] = (words, settings) =>
    runCommand(words, {
      config,
      currentDirectory: folder,
      token: "a-token",
      variables: { BROWSER: "none" },
      ...settings,
    });
  return { names, run, fetch };
}

/** Their answers do not depend on the request, so that no call comes first. */
const stubCalls = callsAt("stub").map((call) => ({ ...call, after: [] }));

describe("a platform that sends them in every member of every route:", () => {
  const fetch: FetchFunction = async (request) => contractAnswer(request);
  const calls = stubCalls.filter(({ words }) => !words.includes("--wait"));
  test.each(calls)("svc $words", async (call) => {
    await expectHarmless(() => placeThatAnswers(fetch), call, shownTexts);
  });
});

describe("a platform that sends them in every problem:", () => {
  const refused: FetchFunction = async (request) => {
    const status = request.method === "GET" ? 422 : 409;
    const text = "a word";
    const errors = [{ pointer: "#/data/species", detail: text }];
    const body = { type: text, title: text, status, detail: text, instance: text, code: text };
    const further = {
      requestId: text,
      requiredRole: text,
      currentRole: text,
      changedFields: [text],
    };
    return Response.json(
      { ...body, ...further, errors },
      { status, headers: { "content-type": "application/problem+json" } },
    );
  };
  test.each(stubCalls)("svc $words", async (call) => {
    await expectHarmless(() => placeThatAnswers(refused), call, allTexts, aForm);
  });
});

test("JSON has what the platform sent", async () => {
  const { names, run, fetch } = await embedded();
  for (const terminal of [undefined, 80]) {
    const { stdout } = await run(
      filledWords("resources get street-tree {record} --format json", names),
      {
        fetch: async (request) => await poisonedResponse(await fetch(request), shownTexts),
        ...(terminal === undefined ? {} : { terminal }),
      },
    );
    expect(JSON.parse(stdout)).toMatchObject({ data: { species: `elm${hostile}` } });
  }
});

test("pulled types are ASCII source with the original values", async () => {
  const { names, run, fetch } = await embedded();
  const folder = names["folder"] ?? "";
  const { stderr, exitCode } = await run(["types", "pull", "--output", join(folder, "odd.ts")], {
    fetch: async (request) => await poisonedResponse(await fetch(request), shownTexts),
  });
  expect({ exitCode, stderr }).toMatchObject({ exitCode: 0 });
  const source = await Bun.file(join(folder, "odd.ts")).text();
  expect(foreignSequences(source, own)).toEqual([]);
  expect(source).not.toMatch(/[^\n\x20-\x7e…]/);
  const module = (await import(join(folder, "odd.ts"))) as {
    readonly objectTypes: readonly { readonly name: string }[];
  };
  expect(module.objectTypes.map(({ name }) => name)).toContain(`Tree${hostile}`);
  const files = await readdir(folder);
  expect(files.filter((name) => foreignSequences(name, own).length > 0)).toEqual([]);
});

/** Routes that commands ask, and no line here: each with its reason. */
const notAsked: Readonly<Record<string, string>> = {
  "chat.resume": "only after a stream that was cut",
  "chat.stop": "only when the user interrupts a stream",
  "contentUnderstanding.apply": "only with a plan that fits its file",
};

test("commands have read a hostile answer of every route that they ask", () => {
  const asked = new Set(commandTable.commands.flatMap(({ routes: calls = [] }) => calls));
  const missing = Object.entries(routes).flatMap(([domain, definitions]) =>
    Object.entries(definitions)
      .filter(([, route]) => asked.has(`${route.method} ${route.path}`))
      .filter(([, route]) => !poisonedRoutes.has(route))
      .map(([name]) => `${domain}.${name}`),
  );
  expect(missing.toSorted()).toEqual(Object.keys(notAsked).toSorted());
});
