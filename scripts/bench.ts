/**
 * `npm run bench [-- GROUP…]`: the times that a user waits for, each with a baseline from the same
 * run: an empty Bun program, curl, bare SQLite. Figures of different runs can't be compared.
 * `npm run bench -- data [--records N] [--engine bare|sqlite|postgresql]… [--no-search]` asks a
 * large table; `-- selection` only asks for parts of records, references and fields with rights;
 * `npm run bench -- price [--against EXECUTABLE]… [--rounds N]` shows the processor time of the
 * server for each request, next to that of other builds;
 * `npm run bench -- machinery` shows the price of what a request also does, and the gain of each
 * mechanism that exists for speed;
 * `npm run bench -- dashboard [--records N] [--minutes N]` compares the dashboard with a bare Ink
 * program, vim, mc and htop, prints the parts of its first frame, has the records of its list
 * changed, and works in a long list;
 * `npm run bench -- lists` asks for lists of 10,000 members and 1,000 workspaces;
 * `npm run bench -- hostile [--seconds N] [--engine NAME] [--attack WORDS]` measures callers next
 * to a workspace that does its worst, and next to the same flood on another platform;
 * `npm run bench -- quality [--questions FOLDER]` finds manual pages of this machine by their
 * descriptions, next to a library, and asks questions that have or lack an answer; or only those of
 * a folder of sets in the JSON form of SQuAD, such as XQuAD;
 * `npm run bench -- documents [--documents N] [--pdfs FOLDER]` reads a scanned page,
 * extracts and indexes PDF pages, then many documents;
 * `npm run bench -- passages [--passages N]` searches and asks among 200,000 passages;
 * `npm run bench -- geo` finds places by names with typing errors, by shared names and by points;
 * `npm run bench -- features [--features N] [--engine NAME]` imports a file of features, next to
 * `ogr2ogr`, and looks them up;
 * `npm run bench -- soak [--minutes N]` works with 60 callers of all kinds, and fails on a 5xx and
 * on memory that grows;
 * `npm run bench -- realtime [--streams N] [--sockets N] [--seconds N] [--engine NAME]` measures
 * the time from commit to receipt of subscribers by server-sent events and WebSocket, and the
 * memory of each;
 * `npm run bench -- webhooks [--seconds N] [--engine NAME]` measures deliveries next to 24 hostile
 * endpoints;
 * `npm run bench -- drills [--rounds N] [--writers N] [--drill NAME]…` looks for what gets lost.
 */
import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { availableParallelism, cpus, tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { benchData, engines } from "./bench/data.ts";
import { drillNames, runDrills } from "./bench/drills.ts";
import { benchDocuments } from "./bench/documents.ts";
import { comparedPrograms } from "./bench/dashboard/compare.ts";
import { dashboardMemory } from "./bench/dashboard/memory.ts";
import { firstFrame } from "./bench/dashboard/first-frame.ts";
import { bareInk, dashboardOf, type DashboardUser } from "./bench/dashboard/programs.ts";
import { underChanges } from "./bench/dashboard/under-changes.ts";
import { renderGroup, type Group } from "./bench/figures.ts";
import { feedPrice } from "./bench/feed-price.ts";
import { benchFeatures } from "./bench/geo/features.ts";
import { placesGroup } from "./bench/geo/places.ts";
import { benchHostileTenant } from "./bench/hostile/measure.ts";
import { benchLists } from "./bench/lists.ts";
import { machinery } from "./bench/machinery.ts";
import { memory } from "./bench/memory.ts";
import { oneCall } from "./bench/one-call.ts";
import { benchPassages } from "./bench/passages.ts";
import { preparePlatform, type BenchPlatform } from "./bench/platform.ts";
import { price } from "./bench/price.ts";
import { benchQuality } from "./bench/quality.ts";
import { benchRealtime } from "./bench/realtime/measure.ts";
import { requestParts } from "./bench/request-parts.ts";
import { requests } from "./bench/requests.ts";
import { benchSoak } from "./bench/soak.ts";
import { startUp } from "./bench/start-up.ts";
import { upload } from "./bench/upload.ts";
import { benchWebhooks } from "./bench/webhooks.ts";
import { refreshExecutable } from "./build/executable.ts";

/**
 * The benches in their order; memory is last, because it shows the memory that the others left in
 * use.
 */
const standardGroups = [
  "start-up",
  "terminal",
  "one-call",
  "requests",
  "upload",
  "memory",
] as const;
type GroupName = (typeof standardGroups)[number];

const groups = [
  ...standardGroups,
  "price",
  "machinery",
  "data",
  "selection",
  "dashboard",
  "lists",
  "hostile",
  "quality",
  "documents",
  "passages",
  "geo",
  "features",
  "soak",
  "realtime",
  "webhooks",
  "drills",
];
const usage = `npm run bench [-- GROUP…] [--records N] [--no-search] [--engine ${engines.join("|")}]… [--against EXECUTABLE]… [--rounds N] [--drill NAME]… [--writers N] [--minutes N] [--seconds N] [--attack WORDS] [--documents N] [--pdfs FOLDER] [--questions FOLDER] [--passages N] [--features N] [--streams N] [--sockets N]
  GROUP: ${groups.join(", ")}
  NAME: ${drillNames.join(", ")}`;
const { values, positionals: wanted } = readArguments();
const known = (words: readonly string[], all: readonly string[], noun: string): boolean => {
  const unknown = words.filter((name) => !all.includes(name));
  if (unknown.length === 0) return true;
  console.error(`svc: no ${noun} "${unknown.join(" ")}"; there are ${all.join(", ")}`);
  return false;
};
if (values.help) {
  console.log(usage);
} else if (
  !known(wanted, groups, "group") ||
  !known(values.engine, engines, "engine") ||
  !known(values.drill, drillNames, "drill")
) {
  process.exitCode = 2;
} else {
  await bench(standardGroups.filter((group) => wanted.length === 0 || wanted.includes(group)));
}

/** Ends the process where an option is not known: there is nothing to measure then. */
function readArguments() {
  try {
    return parseArgs({
      allowPositionals: true,
      options: {
        records: { type: "string" },
        minutes: { type: "string", default: "10" },
        documents: { type: "string", default: "100000" },
        pdfs: { type: "string" },
        questions: { type: "string" },
        passages: { type: "string", default: "200000" },
        features: { type: "string", default: "1000000" },
        streams: { type: "string", default: "10000" },
        sockets: { type: "string", default: "2000" },
        "no-search": { type: "boolean", default: false },
        seconds: { type: "string", default: "10" },
        attack: { type: "string", default: "" },
        against: { type: "string", multiple: true, default: [] },
        rounds: { type: "string" },
        writers: { type: "string", default: "8" },
        drill: { type: "string", multiple: true, default: [...drillNames] },
        help: { type: "boolean", default: false },
        engine: { type: "string", multiple: true, default: [...engines] },
      },
    });
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    console.error(`svc: ${reason}\n${usage}`);
    process.exit(2);
  }
}

async function bench(names: readonly GroupName[]): Promise<void> {
  await refreshExecutable();
  const directory = await mkdtemp(join(tmpdir(), "svc-bench-"));
  let platform: BenchPlatform | undefined;
  try {
    console.log(`${availableParallelism()} cores, ${cpus()[0]?.model ?? "unknown processor"}\n`);
    for (const name of names) {
      if (name !== "start-up") platform ??= await preparePlatform(directory);
      const group = makeGroup(name, directory, platform);
      console.log(`${renderGroup(group, await group.measure())}\n`);
    }
    if (wanted.includes("price")) {
      const rounds = wholeNumber(values.rounds ?? "7");
      const group = price(directory, { others: values.against, rounds });
      console.log(`${renderGroup(group, await group.measure())}\n`);
    }
    if (wanted.includes("machinery")) {
      for (const group of [requestParts(directory), feedPrice(directory), machinery(directory)]) {
        console.log(`${renderGroup(group, await group.measure())}\n`);
      }
    }
    if (wanted.includes("data") || wanted.includes("selection")) {
      const isSelection = !wanted.includes("data");
      await benchData(directory, {
        records: wholeNumber(values.records ?? "1000000"),
        engines: engines.filter(
          (engine) => values.engine.includes(engine) && !(isSelection && engine === "bare"),
        ),
        isSearched: !values["no-search"] && !isSelection,
        isSelection,
      });
    }
    if (wanted.includes("dashboard")) {
      platform ??= await preparePlatform(directory);
      const user = { home: platform.home, env: platform.env };
      const minutes = wholeNumber(values.minutes);
      const records = wholeNumber(values.records ?? "100000");
      for (const group of [
        firstFrame(async () => [await bareInk(directory), dashboardOf(user)]),
        comparedPrograms(directory, user),
        underChanges(user, platform, minutes),
        dashboardMemory(user, platform, { directory, records, minutes }),
      ]) {
        console.log(`${renderGroup(group, await group.measure())}\n`);
      }
    }
    if (wanted.includes("lists")) await benchLists(directory);
    if (wanted.includes("hostile")) {
      await benchHostileTenant(directory, {
        durationMs: 1000 * wholeNumber(values.seconds),
        engines: values.engine,
        attack: values.attack,
      });
    }
    if (wanted.includes("quality")) await benchQuality(directory, values.questions);
    if (wanted.includes("documents")) {
      await benchDocuments(directory, {
        documents: wholeNumber(values.documents),
        pdfs: values.pdfs,
      });
    }
    if (wanted.includes("passages")) await benchPassages(directory, wholeNumber(values.passages));
    if (wanted.includes("geo")) {
      console.log(`${renderGroup(placesGroup, await placesGroup.measure())}\n`);
    }
    if (wanted.includes("features")) {
      const features = wholeNumber(values.features);
      await benchFeatures(directory, { features, engines: values.engine });
    }
    if (wanted.includes("soak")) {
      const place = join(directory, "soak");
      await mkdir(place);
      await benchSoak(place, wholeNumber(values.minutes));
    }
    if (wanted.includes("realtime")) {
      await benchRealtime(directory, {
        streams: wholeNumber(values.streams),
        sockets: wholeNumber(values.sockets),
        seconds: wholeNumber(values.seconds),
        engines: values.engine,
      });
    }
    if (wanted.includes("webhooks")) {
      const seconds = wholeNumber(values.seconds);
      await benchWebhooks(directory, { seconds, engines: values.engine });
    }
    if (wanted.includes("drills")) {
      await runDrills(directory, {
        rounds: wholeNumber(values.rounds ?? "1000"),
        writers: wholeNumber(values.writers),
        names: values.drill,
      });
    }
  } catch (error) {
    console.error(`svc: ${error instanceof Error ? error.message : String(error)}`);
    process.exitCode = 1;
  } finally {
    await platform?.running.stop();
    await rm(directory, { recursive: true, force: true });
  }
}

function wholeNumber(text: string): number {
  if (/^[1-9]\d{0,8}$/.test(text)) return Number(text);
  throw new Error(`"${text}" is not a whole number from 1 on`);
}

function makeGroup(name: GroupName, directory: string, platform?: BenchPlatform): Group {
  if (name === "start-up") return startUp(directory);
  if (platform === undefined) throw new Error(`${name} needs a platform`);
  const user: DashboardUser = {
    home: platform.home,
    env: platform.env,
  };
  switch (name) {
    case "terminal":
      return comparedPrograms(directory, user);
    case "one-call":
      return oneCall(platform);
    case "requests":
      return requests(directory, platform);
    case "upload":
      return upload(directory, platform);
    case "memory":
      return memory(directory, user, platform);
  }
}
