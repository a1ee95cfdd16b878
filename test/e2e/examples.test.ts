import { dirname, join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { commandTable } from "#commands/registry.ts";
import { userEnvironment } from "#test/support/environment.ts";
import type { RunningPlatform } from "#test/support/platform-process.ts";
import { startPlatform, svc, svcExecutable } from "#test/support/svc.ts";
import { temporaryDirectory } from "#test/support/temporary.ts";
import { commandNamed } from "../commands/described.ts";
import { runCommand } from "../commands/world.ts";

/**
 * The examples of the help, run literally on a platform with the sample data and the workspace
 * `planning` selected.
 */

const samples = join(import.meta.dirname, "../../src/server/sample-data/files");

/** These last: test/e2e/serve.test.ts, demo.test.ts and webhook-listen.test.ts run them. */
const lasting = new Set([
  "svc serve",
  "svc serve --port 0 --data-dir ./data --format json",
  "svc demo",
  "svc demo --tour",
  "svc webhook listen --forward-to http://127.0.0.1:3000/hooks --kind record",
]);

/**
 * These need a project of a template, a source host, a registry, a terminal, a program that opens
 * files, a second profile, a second database, or a job that failed, runs or imports: test/commands
 * has them.
 */
const needsMore =
  /^svc (?:dev|template check|gofer|deploy|doctor|update|serve move|verify isolation|resources sync|docs (?:retry|cancel|open)|geo imports|chat(?= --workflow|$))\b/;

/** Examples that need a data directory that no platform uses. */
const needsStop = / serve migrate | --fix/;

/** Examples that remove records, end the tokens or stop the platform run last. */
function rank(example: string): number {
  if (needsStop.test(example)) return 4;
  if (example.includes(" serve admin reset")) return 3;
  if (example.includes(" erase ")) return 2;
  return / (?:batch-)?delete /.test(example) ? 1 : 0;
}

const request = {
  reference: "BR-2026-0090",
  business: "Quayside Bakery",
  subject: "Tables on the pavement",
  status: "new",
  received: "2026-11-20",
};

interface Ran {
  readonly exitCode: number;
  readonly stdout: string;
  readonly stderr: string;
}

const word = /(?:[\w./:,=@-]|'[^']*'|"[^"$`\\]*")+/;
const plainLine = new RegExp(`^svc(?: ${word.source})+$`);

/**
 * The words of a line that a shell would only split and free of quotes, if the command sends
 * requests. They need no process, whose start takes most of the time of such a call.
 */
function plainWords(line: string): string[] | undefined {
  if (!plainLine.test(line)) return undefined;
  const [, ...words] = Array.from(line.matchAll(new RegExp(word, "g")), ([text]) =>
    text.replaceAll(/'([^']*)'|"([^"]*)"/g, "$1$2"),
  );
  return (commandNamed(words).routes ?? []).length === 0 ? undefined : words;
}

/** The values of an example's names in angle brackets. */
type Names = Readonly<
  Record<"tenantId" | "application" | "request" | "other" | "jobId" | "ruleId", string>
>;

describe("an example of the help works literally:", () => {
  let folder = "";
  let env: Record<string, string> = {};
  let platform: RunningPlatform;
  let names: Names = {
    tenantId: "",
    application: "",
    request: "",
    other: "",
    jobId: "",
    ruleId: "",
  };

  const sh = async (script: string): Promise<Ran> => {
    const path = `${dirname(await svcExecutable())}:/usr/bin:/bin`;
    const child = Bun.spawn(["bash", "-o", "pipefail", "-c", script], {
      cwd: folder,
      env: userEnvironment(folder, { ...env, PATH: path }),
      stdio: ["ignore", "pipe", "pipe"],
      timeout: 60_000,
    });
    const [stdout, stderr, exitCode] = await Promise.all([
      child.stdout.text(),
      child.stderr.text(),
      child.exited,
    ]);
    return { exitCode, stdout, stderr };
  };

  /** The words in this process, or the line in a shell where it has more than plain words. */
  const runExample = async (line: string): Promise<Ran> => {
    const words = plainWords(line);
    if (words === undefined) return await sh(line);
    return await runCommand(words, {
      config: join(folder, ".svc"),
      currentDirectory: folder,
      token: env["SVC_TOKEN"],
      variables: env,
    });
  };

  /** The JSON output of `svc`. */
  const answer = async (words: readonly string[]) => {
    const ran = await svc([...words, "--format", "json"], { home: folder, env });
    expect(ran).toMatchObject({ exitCode: 0 });
    return JSON.parse(ran.stdout);
  };

  const put = async (name: string, content: unknown): Promise<void> => {
    const text = typeof content === "string" ? content : JSON.stringify(content);
    await Bun.write(join(folder, name), text);
  };

  beforeAll(async () => {
    folder = await temporaryDirectory("examples");
    platform = await startPlatform({ hasSamples: true, dataDir: join(folder, "data") });
    env = { BASE_URL_PUBLIC_API: platform.url, SVC_TOKEN: await platform.token() };
    const { selected } = await answer(["workspace", "select", "planning"]);
    const [application] = (await answer(["resources", "list", "planning-application"])).items;
    // No case refers to these, so that deleting them leaves nothing for a doctor to find.
    const requests = await Promise.all(
      ["0081", "0082", "0083", "0084"].map((number) =>
        answer([
          "resources",
          "create",
          "business-request",
          "--data",
          JSON.stringify({ ...request, reference: `BR-2026-${number}` }),
        ]),
      ),
    );
    const [document] = (await answer(["publicapi", "get", "/v4/data/documents/records"])).items;
    const rule = await answer(["alert", "rule", "create", "Failed jobs", "--kind", "job"]);
    names = {
      tenantId: selected.id,
      application: application.id,
      request: requests[0]?.id,
      other: requests[1]?.id,
      jobId: document.jobId,
      ruleId: rule.id,
    };
    const statement = Bun.file(join(samples, "planning-statement-18-quay-street.pdf"));
    await Bun.write(join(folder, "plans.pdf"), statement);
    await Bun.write(join(folder, "letter.pdf"), statement);
    await Bun.write(join(folder, "plans.pdf.gz"), Bun.gzipSync(await statement.bytes()));
    await Bun.write(
      join(folder, "notes.docx"),
      Bun.file(join(samples, "application-form-millfield-allotments.docx")),
    );
    await Bun.write(join(folder, "scans", "letter.pdf"), statement);
    await Bun.write(join(folder, "letters", "2026", "letter.pdf"), statement);
    await put("inbox/note.txt", "Please call back about the tables on the pavement.\n");
    await put("new-request.json", { ...request, reference: "BR-2026-0089" });
    await put("request.json", request);
    await Bun.write(
      join(folder, "changes.ndjson"),
      `{"op":"upsert","property":"reference","value":"BR-2026-0094","data":${JSON.stringify({ ...request, reference: "BR-2026-0094" })}}\n`,
    );
    await put("requests.json", [{ ...request, reference: "BR-2026-0091" }]);
    const cells = { ...request, reference: "BR-2026-0092" };
    await put("requests.csv", `${Object.keys(cells).join()}\n${Object.values(cells).join()}\n`);
    await put("old-requests.txt", `${requests[2]?.id}\n${requests[3]?.id}\n`);
    await put("blocks.json", []);
    const point = { type: "Point", coordinates: [144.96, -37.81] };
    await put("parks.geojson", {
      type: "Feature",
      properties: { name: "Flagstaff" },
      geometry: point,
    });
    await put(".env.local", "API_TOKEN=an-example-token\n");
    await put("src/eai.config/.keep", "");
    await svc(["types", "pull"], { home: folder, env });
    const pulled = Bun.file(join(folder, "src/eai.config/object-types.generated.ts"));
    await put("src/eai.config/object-types.ts", await pulled.text());
  }, 60_000);

  /** The order of the table: a command deletes what the commands before it have used. */
  const examples = commandTable.commands
    .flatMap((command) => command.examples ?? [])
    .filter(
      (example, index, all) =>
        !lasting.has(example) && !needsMore.test(example) && all.indexOf(example) === index,
    )
    .toSorted((left, right) => rank(left) - rank(right));

  test.each(examples)(
    "%s",
    async (example) => {
      const typed = example
        .replace("<tenantId>", names.tenantId)
        .replace("<jobId>", names.jobId)
        .replace("<ruleId>", names.ruleId)
        .replace(/(planning-application(?:-id)?) <id>/, `$1 ${names.application}`)
        .replace(/(business-request(?:-id)?) <id>/, `$1 ${names.request}`)
        .replace("business-request/<id>", `business-request/${names.other}`);
      if (typed.includes("@update.json")) {
        const { version } = await answer(["resources", "get", "business-request", names.other]);
        await put("update.json", { data: { ...request, reference: "BR-2026-0093" }, version });
      }
      if (needsStop.test(example)) await platform.stop();
      expect(typed).not.toMatch(/<\w+>/);
      const { exitCode, stdout, stderr } = await runExample(typed);
      expect(exitCode, stdout + stderr).toBe(0);
      // An example that finds nothing shows nothing.
      expect(stdout + stderr).not.toMatch(/^No (?:passage|record|.* fit)/m);
    },
    60_000,
  );
});
