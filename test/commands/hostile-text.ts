import { describe, expect, test } from "vitest";
import { commandTable } from "#commands/registry.ts";
import { routes } from "#contract/index.ts";
import type { FetchFunction } from "#lib/network/fetch-function.ts";
import { selectWorkspace } from "#local/configuration/profiles.ts";
import { contractAnswer, routeOf } from "#test/support/contract-answers.ts";
import {
  allTexts,
  foreignSequences,
  poisonedResponse,
  shownTexts,
  type Poison,
} from "#test/support/hostile-text.ts";
import { dialects } from "#test/support/other-deployment/dialects.ts";
import { testBaseUrl } from "#test/support/platform.ts";
import { fillProject } from "#test/support/project-folder.ts";
import { sized } from "#test/support/size.ts";
import { temporaryDirectory } from "#test/support/temporary.ts";
import { embeddedPlace, otherPlaces, type Place, type Wish } from "./deployments.ts";
import {
  areaOf,
  areas,
  callsAt,
  filledWords,
  inEachForm,
  namesTree,
  type Area,
  type TrialCall,
} from "./trial-calls.ts";
import { runCommand } from "./world.ts";

/** The sequences that commands write themselves: tones, and the removal of the status line. */
export const ownSequences = /\x1b\[(?:1|2|22|31|32|33|39)m|\r\x1b\[K/g;

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

const everyForm = forms.map(({ name }) => name);
/** One form of each kind. */
const aForm = ["text on a terminal", "--simple in a pipe", "JSON on a terminal"];
const onTerminal = ["text on a terminal"];
/** Forms whose texts go through the same code as those of another form. */
const similarForms = ["--simple on a terminal", "text in a pipe", "JSON in a pipe"];

/** The forms of a call in the first block: a usual run has the similar ones in turn. */
function firstForms(callIndex: number): readonly string[] {
  const similar = similarForms[callIndex % similarForms.length];
  const usual = everyForm.filter((name) => name === similar || !similarForms.includes(name));
  return sized(usual, everyForm);
}

/**
 * The forms of a call in a later block: a usual run has one of each kind in turn, so that a call
 * has another one in the next block.
 */
function formsIn(block: number, callIndex: number): readonly string[] {
  const at = (block + callIndex) % aForm.length;
  return sized(aForm.slice(at, at + 1), aForm);
}

/** Texts of several lines, as their authors wrote them. */
const hasOwnLines = /^(?:chat|publicapi|docs content)/;
/** Commands that write the data itself in text mode too. */
const writesData = /^(?:publicapi|workspace templates export)/;

type CalledPlace = Pick<Place, "names" | "run" | "fetch">;

interface Attack {
  readonly poison: Poison;
  /** The names of the forms. */
  readonly only: readonly string[];
  /** Collects the routes whose answers had hostile texts. */
  readonly read: Set<unknown>;
}

async function expectHarmless(
  open: () => Promise<CalledPlace>,
  call: Pick<TrialCall, "words" | "after" | "stdin">,
  attack: Attack,
): Promise<void> {
  const chosen = forms.filter(({ name }) => attack.only.includes(name));
  await inEachForm(call, chosen, (form) => expectHarmlessForm(form, open, call, attack));
}

async function expectHarmlessForm(
  { name, options, terminal }: (typeof forms)[number],
  open: () => Promise<CalledPlace>,
  { words, after, stdin = "" }: Pick<TrialCall, "words" | "after" | "stdin">,
  { poison, read }: Attack,
): Promise<void> {
  const { names, run, fetch } = await open();
  for (const earlier of after) await run(filledWords(earlier, names));
  const hostileNetwork: FetchFunction = async (request) => {
    read.add(routeOf(request));
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
  expect({ name, words, found: foreignSequences(shown, ownSequences) }).toEqual({
    name,
    words,
    found: [],
  });
  // A terminal wraps long lines between words.
  if (terminal !== undefined || isJson || hasOwnLines.test(words)) return;
  expect({ name, forged: /^forged.*$/m.exec(shown)?.[0] }).toEqual({ name, forged: undefined });
}

function wishOf(call: TrialCall): Wish {
  const document = /\{(?:job|document)\}/.test(call.words);
  return { document, isShared: call.isReading, hasRecord: namesTree(call) };
}

const unknownId = "0198f0a0-2222-7000-8000-000000000002";

/** Places of platforms that are only their answers; calls that read share one. */
function answeringPlaces(): (fetch: FetchFunction, call: TrialCall) => Promise<CalledPlace> {
  let shared: ReturnType<typeof placeOfUser> | undefined;
  return async (fetch, { isReading }) => {
    if (!isReading) return { ...(await placeOfUser()), fetch };
    shared ??= placeOfUser();
    return { ...(await shared), fetch };
  };
}

/** A user with a project and a workspace, and no platform. */
async function placeOfUser(): Promise<Omit<CalledPlace, "fetch">> {
  const [config, folder] = [
    await temporaryDirectory("config"),
    await temporaryDirectory("project"),
  ];
  fillProject(folder);
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
        "endpoint",
        "source",
        "call",
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
  return { names, run };
}

/** Refuses each request with a problem whose members are all texts. */
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

/** Routes that commands ask, and no line here: each with its reason. */
const notAsked: Readonly<Record<string, string>> = {
  "chat.resume": "only after a stream that was cut",
  "chat.stop": "only when the user interrupts a stream",
  "contentUnderstanding.apply": "only with a plan that fits its file",
  "imports.get": "only after an answer of imports.rows that was lost",
};

/** Routes that calls of another area read, since these end earlier or take another way. */
const readElsewhere: Readonly<Partial<Record<Area, readonly string[]>>> = {
  records: ["members.byEmail", "workflows.status", "workflows.readiness"],
  members: ["identity.me"],
  workspaces: [
    "health.resources",
    "members.byEmail",
    "members.invite",
    "resources.delete",
    "resources.downloadFile",
  ],
};

/** The tests of an area: each of its calls, whose platform sends control sequences in its texts. */
export function describeHostileText(area: Area): void {
  const start = otherPlaces();
  const embedded = embeddedPlace();
  const answering = answeringPlaces();
  const read = new Set<unknown>();
  const embeddedCalls = callsAt("embedded", area);
  // A wait would last until its timeout, for a state that is not known.
  const withoutWaits = embeddedCalls.filter(({ words }) => !words.includes("--wait"));
  // Their answers do not depend on the request, so that no call comes first.
  const stubCalls = callsAt("stub", area).map((call) => ({ ...call, after: [] }));

  describe("a platform that sends control sequences in each text that is shown:", () => {
    test.each(embeddedCalls)("svc $words", async (call) => {
      const only = firstForms(embeddedCalls.indexOf(call));
      await expectHarmless(() => embedded(wishOf(call)), call, { poison: shownTexts, only, read });
    });

    describe.each(dialects.slice(1, 2))("$name:", (dialect) => {
      test.each(embeddedCalls)("svc $words", async (call) => {
        const open = () => start(dialect, { isShared: call.isReading });
        // Additions are refused, which the last block tests with the texts of each problem.
        const only = call.isAddition ? onTerminal : formsIn(0, embeddedCalls.indexOf(call));
        await expectHarmless(open, call, { poison: shownTexts, only, read });
      });
    });
  });

  describe("a platform that sends them also in ids, types and states:", () => {
    test.each(withoutWaits)("svc $words", async (call) => {
      const only = formsIn(1, embeddedCalls.indexOf(call));
      const attack = { poison: allTexts, only, read };
      await expectHarmless(() => embedded(wishOf(call)), call, attack);
    });
  });

  describe("a platform that sends them in every member of every route:", () => {
    const fetch: FetchFunction = async (request) => contractAnswer(request);
    const calls = stubCalls.filter(({ words }) => !words.includes("--wait"));
    test.each(calls)("svc $words", async (call) => {
      const attack = { poison: shownTexts, only: formsIn(2, calls.indexOf(call)), read };
      await expectHarmless(() => answering(fetch, call), call, attack);
    });
  });

  describe("a platform that sends them in every problem:", () => {
    test.each(stubCalls)("svc $words", async (call) => {
      const attack = { poison: allTexts, only: formsIn(3, stubCalls.indexOf(call)), read };
      await expectHarmless(() => answering(refused, call), call, attack);
    });
  });

  test("commands have read a hostile answer of every route that they ask", () => {
    const asked = askedIn(area);
    const elsewhere = readElsewhere[area] ?? [];
    const expected = [...asked.keys()].filter((id) => id in notAsked || elsewhere.includes(id));
    const missing = [...asked].filter(([, route]) => !read.has(route)).map(([id]) => id);
    expect(missing).toEqual(expected);
    const others = areas.filter((other) => other !== area);
    const isRead = (id: string, by: Area): boolean =>
      askedIn(by).has(id) && readElsewhere[by]?.includes(id) !== true;
    expect(elsewhere.filter((id) => !others.some((by) => isRead(id, by)))).toEqual([]);
  });
}

/** The routes that the commands of an area ask, by their ids. */
function askedIn(area: Area): ReadonlyMap<string, unknown> {
  const ofArea = commandTable.commands.filter(({ path }) => areaOf(path) === area);
  const asked = new Set(ofArea.flatMap(({ routes: calls = [] }) => calls));
  return new Map(
    Object.entries(routes).flatMap(([domain, definitions]) =>
      Object.entries(definitions)
        .filter(([, { method, path }]) => asked.has(`${method} ${path}`))
        .map(([name, route]): [string, unknown] => [`${domain}.${name}`, route]),
    ),
  );
}
