import { chmod, mkdir, readdir } from "node:fs/promises";
import { userInfo } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import * as z from "zod";
import { userEnvironment } from "#test/support/environment.ts";
import { svc, svcExecutable } from "#test/support/svc.ts";
import { temporaryDirectory } from "#test/support/temporary.ts";
import { finished } from "../../scripts/build/finished.ts";

const jobId = "01890000-0000-7000-8000-000000000000";
const tenantId = "01890000-0000-7000-8000-00000000000a";

interface Ran {
  readonly stdout: string;
  readonly stderr: string;
  readonly exitCode: number;
}

/** Runs a bash script with `svc` on its PATH, as its users write them. */
async function bash(
  script: string,
  options: { home?: string; env?: Record<string, string>; cwd?: string } = {},
): Promise<Ran> {
  const home = options.home ?? (await temporaryDirectory("home"));
  const folder = dirname(await svcExecutable());
  const child = Bun.spawn(["bash", "-c", script], {
    cwd: options.cwd ?? home,
    env: userEnvironment(home, { PATH: `${folder}:/usr/bin:/bin`, ...options.env }),
    stdio: ["ignore", "pipe", "pipe"],
    timeout: 60_000,
  });
  return finished(child);
}

const withoutStack = expect.not.stringMatching(/^\s+at /m);

test("ten lines of shell do the main job", async () => {
  const home = await temporaryDirectory("home");
  const statement = join(import.meta.dirname, "../../src/server/sample-data/files");
  const { stdout, stderr, exitCode } = await bash(
    `set -euo pipefail
    svc serve --port 0 --data-dir data --demo --format json > serve.json 2> serve.log & server=$!
    until [ -s serve.json ]; do sleep 0.05; done
    export BASE_URL_PUBLIC_API=$(grep -o 'http[^"]*' serve.json | head -1)
    export SVC_TOKEN=$(svc serve token --data-dir data) SVC_FORMAT=json
    svc workspace select planning > /dev/null
    svc resources list planning-application --limit 2 --sort reference > list.json
    svc resources create planning-application --file record.json > record.out.json
    id=$(grep -m1 -o '"id": "[^"]*' record.out.json | cut -d'"' -f4)
    svc docs upload "$FILES/planning-statement-18-quay-street.pdf" --planning-application-id "$id" > upload.json
    svc docs job "$(grep -o '"jobId": "[^"]*' upload.json | cut -d'"' -f4)" --wait > job.json
    svc chat send "How many parking spaces does the Quay Street plan provide?" --workflow planning-assistant > chat.json
    kill $server; wait $server && echo "the platform ended with 0"`,
    {
      home,
      cwd: await inFolder(home, {
        "record.json": JSON.stringify({
          reference: "PA-2026-0998",
          address: "18 Quay Street",
          status: "received",
          received: "2026-11-02",
        }),
      }),
      env: { FILES: statement },
    },
  );
  expect(stderr).toBe("");
  expect({ stdout, exitCode }).toEqual({ stdout: "the platform ended with 0\n", exitCode: 0 });
  const read = async (name: string): Promise<unknown> => Bun.file(join(home, name)).json();
  expect(await read("list.json")).toMatchObject({
    items: [{ data: { reference: "PA-2026-0001" } }, { data: { reference: "PA-2026-0002" } }],
  });
  expect(await read("record.out.json")).toMatchObject({ version: 1 });
  expect(await read("job.json")).toMatchObject({ status: "succeeded", percentCompleted: 100 });
  expect(await read("chat.json")).toMatchObject({
    message: { content: expect.stringContaining("24 parking spaces") },
    citations: expect.arrayContaining([
      expect.objectContaining({ quote: expect.stringContaining("24 parking spaces"), page: 2 }),
    ]),
  });
}, 60_000);

async function inFolder(folder: string, files: Readonly<Record<string, string>>): Promise<string> {
  for (const [name, text] of Object.entries(files)) await Bun.write(join(folder, name), text);
  return folder;
}

describe("pipes", () => {
  let server: Bun.Server<undefined>;
  let signedIn: Record<string, string>;
  const record = { id: jobId, type: "tree", version: 1, data: { note: "x".repeat(1000) } };
  const list = { items: Array.from({ length: 20_000 }, () => record), page: 1, limit: 20_000 };
  /** A list that is many times what a pipe keeps. */
  const megabyte = { items: list.items.slice(0, 1_000), page: 1, limit: 1_000 };

  beforeAll(() => {
    server = Bun.serve({
      port: 0,
      hostname: "127.0.0.1",
      routes: {
        "/v4/data/resources/:tenant/tree": () => Response.json(megabyte),
        "/v4/data/resources/:tenant/forest": () => Response.json(list),
        "/v4/data/documents/jobs/:job": () => Response.json({ jobId, status: "running" }),
      },
      fetch: () => Response.json({}, { status: 404 }),
    });
    signedIn = { BASE_URL_PUBLIC_API: server.url.origin, SVC_TOKEN: "a-token" };
  });
  afterAll(() => server.stop(true));

  const listTrees = `svc resources list tree --tenant-id ${tenantId}`;

  test("20 MB of JSON through a slow pipe arrive whole", async () => {
    const { stdout, stderr, exitCode } = await bash(
      `set -o pipefail; ${listTrees.replace(" tree ", " forest ")} --format json | { sleep 1; dd bs=4096 status=none; } > all.json; echo $?; wc -c < all.json`,
      { env: signedIn, home: await temporaryDirectory("home") },
    );
    expect({ stderr, exitCode }).toEqual({ stderr: "", exitCode: 0 });
    const wanted = Buffer.byteLength(`${JSON.stringify(list, null, 2)}\n`);
    expect(wanted).toBeGreaterThan(20_000_000);
    expect(stdout.trim().split(/\s+/)).toEqual(["0", String(wanted)]);
  }, 30_000);

  test.each([
    ["text", listTrees],
    ["JSON", `${listTrees} --format json`],
    ["help", "svc --help"],
    ["a command's help", "svc docs upload --help"],
    ["the description", "svc --describe"],
    ["the version", "svc --version"],
  ])("a closed reader of %s ends it quietly", async (_what, command) => {
    const reader = `{ sleep 0.2; exec 0<&-; }`;
    const head = await bash(`${command} | head -1 > /dev/null; echo "\${PIPESTATUS[0]}"`, {
      env: signedIn,
    });
    expect(head).toMatchObject({ stdout: "0\n", stderr: "" });
    const closed = await bash(`${command} | ${reader}; echo "\${PIPESTATUS[0]}"`, {
      env: signedIn,
    });
    expect(closed).toMatchObject({ stdout: "0\n", stderr: "" });
  });

  test.each([
    ["text", listTrees],
    ["JSON", `${listTrees} --format json`],
    ["a failure in JSON", "svc errors E999 --format json"],
    ["help", "svc --help"],
    ["the version", "svc --version"],
    ["the description", "svc --describe"],
  ])("a full disk is a failure for %s, with a message and no stack", async (_what, command) => {
    const { exitCode, stderr } = await bash(`${command} > /dev/full`, { env: signedIn });
    expect(exitCode).toBe(1);
    expect(stderr).toMatch(/stdout could not be written|not found/);
    expect(stderr).toEqual(withoutStack);
  });

  test("an Object Types file may print: stdout still has one answer", async () => {
    const printing = ["console.log('said')", "console.table([1])", "process.stdout.write('out')"];
    const types = `[{ name: "Tree", slug: "tree", properties: {} }]`;
    const { exitCode, stdout, stderr } = await bash(
      `mkdir -p src/eai.config && cat > src/eai.config/object-types.ts << 'END'
${printing.join(";\n")};
export const objectTypes = ${types};
END
svc types validate --format json`,
    );
    expect(exitCode).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ valid: true, objectTypes: [{ slug: "tree" }] });
    expect(stderr).toContain("said\n");
  });

  test.each([
    ["text", "svc errors"],
    ["JSON", "svc errors --format json"],
    ["help", "svc --help"],
    ["the version", "svc --version"],
    ["the description", "svc --describe"],
    ["a completion script", "svc completion bash"],
    ["a record list", listTrees],
  ])("a closed stdout is a failure for %s, the null device is none", async (_what, command) => {
    const closed = await bash(`${command} >&-`, { env: signedIn });
    expect(closed).toMatchObject({ exitCode: 1 });
    expect(closed.stderr).toMatch(/stdout could not be written/);
    expect(closed.stderr).toEqual(withoutStack);
    for (const nowhere of ["> /dev/null", "1<> /dev/null"]) {
      expect(await bash(`${command} ${nowhere}`, { env: signedIn })).toMatchObject({ exitCode: 0 });
    }
  });

  test("stdout and stderr that are both closed do no harm", async () => {
    const { exitCode } = await bash(`svc errors E999 >&- 2>&-`, { env: signedIn });
    expect(exitCode).toBe(1);
  });

  test.each([
    ["SIGINT", 130],
    ["SIGTERM", 130],
  ] as const)("%s during a wait ends it with %i", async (signal, exitCode) => {
    const home = await temporaryDirectory("home");
    const asked = Promise.withResolvers<void>();
    using watched = Bun.serve({
      port: 0,
      hostname: "127.0.0.1",
      fetch: () => {
        asked.resolve();
        return Response.json({ jobId, status: "running" });
      },
    });
    const child = Bun.spawn(
      [await svcExecutable(), "docs", "job", jobId, "--wait", "--tenant-id", tenantId],
      {
        cwd: home,
        env: userEnvironment(home, { ...signedIn, BASE_URL_PUBLIC_API: watched.url.origin }),
        stdio: ["ignore", "pipe", "pipe"],
        timeout: 20_000,
      },
    );
    await asked.promise;
    child.kill(signal);
    expect(await finished(child)).toEqual({
      stdout: "",
      stderr: "Interrupted. Help: `svc docs job --help`\n",
      exitCode,
    });
  });

  test("JSON names the exit code that the process has, also after a signal", async () => {
    const home = await temporaryDirectory("home");
    using silent = Bun.serve({
      port: 0,
      hostname: "127.0.0.1",
      fetch: () => {
        child.kill("SIGTERM");
        return new Promise<Response>(() => {});
      },
    });
    const words = ["docs", "job", jobId, "--wait", "--tenant-id", tenantId, "--format", "json"];
    const child = Bun.spawn([await svcExecutable(), ...words], {
      cwd: home,
      env: userEnvironment(home, { ...signedIn, BASE_URL_PUBLIC_API: silent.url.origin }),
      stdio: ["ignore", "pipe", "pipe"],
      timeout: 20_000,
    });
    const { error } = JSON.parse(await child.stdout.text());
    expect([await child.exited, error.exitCode]).toEqual([130, 130]);
  });
});

test("no words in a pipe: the help on stderr, exit code 2", async () => {
  const { stdout, stderr, exitCode } = await svc([]);
  expect({ stdout, exitCode }).toEqual({ stdout: "", exitCode: 2 });
  expect(stderr).toContain("Usage: svc <command> [options]");
});

test("a platform that is down is E201, exit code 1", async () => {
  const gone = Bun.serve({ port: 0, hostname: "127.0.0.1", fetch: () => new Response() });
  const url = gone.url.origin;
  await gone.stop(true);
  const env = { BASE_URL_PUBLIC_API: url, SVC_TOKEN: "a-token" };
  const { stdout, exitCode } = await svc(["workspace", "list", "--format", "json"], { env });
  expect(exitCode).toBe(1);
  expect(JSON.parse(stdout)).toMatchObject({
    error: { code: "E201", message: `Platform API unreachable: ${url}`, exitCode: 1 },
  });
});

describe("a hostile working directory", () => {
  test("runs none of its code and gets no token", async () => {
    const cwd = await temporaryDirectory("hostile");
    let asked = 0;
    using thief = Bun.serve({
      port: 0,
      hostname: "127.0.0.1",
      fetch: () => {
        asked += 1;
        return Response.json({ items: [] });
      },
    });
    const address = `BASE_URL_PUBLIC_API=${thief.url.origin}\n`;
    const evil = `await Bun.write(${JSON.stringify(join(cwd, "ran"))}, "ran");\n`;
    await inFolder(cwd, {
      "bunfig.toml": 'preload = ["./evil.ts"]\n[run]\nbun = true\n',
      "evil.ts": evil,
      ".env": `${address}SVC_CONFIG_DIR=${cwd}\nSVC_PROFILE=evil\n`,
      ".env.production": address,
      "package.json": JSON.stringify({ imports: { "#commands/*": "./evil.ts" } }),
      "tsconfig.json": JSON.stringify({ compilerOptions: { paths: { "*": ["./evil.ts"] } } }),
      "node_modules/ink/index.js": evil,
    });
    await mkdir(join(cwd, "bin"));
    await Bun.write(join(cwd, "bin/xdg-open"), `#!/bin/sh\ntouch ${join(cwd, "ran")}\n`);
    await chmod(join(cwd, "bin/xdg-open"), 0o755);
    const env = { SVC_TOKEN: "a-token" };
    const who = await svc(["whoami", "--format", "json"], { cwd, env });
    expect(JSON.parse(who.stdout)).toMatchObject({
      settings: {
        baseUrl: { value: "http://127.0.0.1:4400", source: "default" },
        profile: { value: "default", source: "default" },
      },
    });
    // `.env.local` is read, but an address that only it names gets no token of another issuer.
    await Bun.write(join(cwd, ".env.local"), address);
    const listed = await svc(["workspace", "list", "--format", "json"], { cwd, env });
    expect(listed.exitCode).toBe(4);
    expect(JSON.parse(listed.stdout)).toMatchObject({ error: { code: "E104" } });
    expect(asked).toBe(0);
    expect(await readdir(cwd)).not.toContain("ran");
  });
});

describe("what a program can read", () => {
  test("every failure has one JSON value on stdout, and its own exit code in it", async () => {
    const failure = z.object({ error: z.looseObject({ exitCode: z.number() }) });
    for (const words of [
      "nothing",
      "whoami --nope",
      "docs get",
      "resources list x",
      "types pull",
    ]) {
      const { stdout, stderr, exitCode } = await svc([...words.split(" "), "--format", "json"]);
      expect(failure.parse(JSON.parse(stdout)).error.exitCode).toBe(exitCode);
      expect(exitCode).toBeGreaterThan(0);
      expect(stderr).toBe("");
    }
  });
});

test("an Object Types file for editors needs no installed library", async () => {
  const cwd = await temporaryDirectory("project");
  const tree = { name: "Tree", slug: "tree", properties: { height: { type: "number" } } };
  await mkdir(join(cwd, "src/eai.config"), { recursive: true });
  await Bun.write(
    join(cwd, "src/eai.config/object-types.ts"),
    `import { defineObjectTypes, type ObjectTypeSource } from "svc";
     const tree = ${JSON.stringify(tree)} as const satisfies ObjectTypeSource;
     export const objectTypes = defineObjectTypes([tree]);\n`,
  );
  const { stdout, exitCode } = await svc(["types", "validate"], { cwd });
  expect({ stdout, exitCode }).toEqual({
    stdout: "NAME  SLUG  PROPERTIES  LINKS\nTree  tree           1      0\n",
    exitCode: 0,
  });
});

/** The home in the system's own list of users; Node's answer depends on HOME. */
function homeOfUser(): string {
  const { stdout } = Bun.spawnSync(["getent", "passwd", String(userInfo().uid)]);
  return stdout.toString().trim().split(":")[5] ?? "";
}

test.each([{ HOME: undefined }, { HOME: "" }])(
  "with %j the user's own files are where the system says that the home is",
  async ({ HOME }) => {
    const folder = await temporaryDirectory("here");
    const { stdout } = await svc(["whoami", "--format", "json"], {
      cwd: folder,
      env: { HOME, USERPROFILE: undefined, SVC_CONFIG_DIR: undefined },
    });
    const { configDirectory } = JSON.parse(stdout).settings;
    expect(configDirectory.value).toBe(join(homeOfUser(), ".svc"));
  },
);
