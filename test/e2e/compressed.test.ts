import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { configurationServer } from "#test/commands/configuration-server.ts";
import { runCommand } from "#test/commands/world.ts";
import { startModelServer, type ModelTestServer } from "#test/support/model-server.ts";
import { field } from "#test/support/platform.ts";
import type { RunningPlatform } from "#test/support/platform-process.ts";
import { S3Server } from "#test/support/s3/server.ts";
import { startSmtpServer, type SmtpTestServer } from "#test/support/smtp-server.ts";
import { oneThread, startPlatform, svc, type SvcResult } from "#test/support/svc.ts";
import { temporaryDirectory } from "#test/support/temporary.ts";
import {
  makeDocx,
  makeEncodedPdf,
  makePdf,
  makeXlsx,
  paragraph,
  pdfLines,
} from "#test/server/text/extraction/formats/build-files.ts";
import { outlookFile } from "#test/server/text/extraction/formats/mail/outlook-file.ts";
import { describeTable } from "#cli/pages/describe.ts";
import { printed } from "#commands/answers.ts";
import { commandTable } from "#commands/registry.ts";
import { version } from "#lib/version.ts";
import { compressedModuleNames } from "../../scripts/build/compressed-modules.ts";

/** Compressed modules work in the executable as they do from their sources. */

let platform: RunningPlatform;
let mail: SmtpTestServer;
let model: ModelTestServer;
let bucket: S3Server;
let home: string;
let variables: Readonly<Record<string, string>> = {};

beforeAll(async () => {
  mail = await startSmtpServer();
  model = await startModelServer({
    answer: () => ({ text: "The otter crossing is 14 metres wide [1]." }),
  });
  bucket = S3Server.start({ directory: await temporaryDirectory("bucket") });
  home = await temporaryDirectory("home");
  platform = await startPlatform({
    args: [
      oneThread,
      "--demo",
      "--files-url",
      `s3://files/svc?endpoint=${bucket.endpoint}&region=${bucket.region}`,
    ],
    env: {
      AWS_ACCESS_KEY_ID: bucket.accessKeyId,
      AWS_SECRET_ACCESS_KEY: bucket.secretAccessKey,
      ...mailVariables(),
    },
  });
  variables = { BASE_URL_PUBLIC_API: platform.url, SVC_TOKEN: await platform.token() };
  const selected = await run("workspace", "select", "planning");
  expect(selected).toMatchObject({ exitCode: 0 });
}, 120_000);
afterAll(async () => {
  await platform.stop();
  await Promise.all([mail, model, bucket].map((server) => server[Symbol.asyncDispose]()));
});

const mailVariables = () => ({
  SVC_SMTP_URL: `smtp://127.0.0.1:${mail.port}?from=svc@example.org`,
});

async function run(...words: readonly string[]): Promise<SvcResult> {
  return await svc(words, { home, cwd: home, env: variables, timeoutMs: 150_000 });
}

async function json(...words: readonly string[]): Promise<unknown> {
  const { stdout, stderr, exitCode } = await run(...words, "--format", "json");
  expect({ stderr, exitCode }).toMatchObject({ exitCode: 0 });
  return JSON.parse(stdout);
}

/** A file with a fact that a search finds. */
interface Source {
  readonly module: string;
  readonly name: string;
  readonly bytes: string | Uint8Array | Bun.BunFile;
  readonly query: string;
  readonly found: RegExp;
}

/** The code of a letter in the encoding of Cyrillic for Windows. */
function windows1251(letter: string): number {
  const code = letter.codePointAt(0) ?? 0;
  return code < 128 ? code : code - 0x410 + 0xc0;
}

const sources: readonly Source[] = [
  {
    module: "htmlparser2",
    name: "heron.html",
    bytes: "<title>Heron</title><p>The heron&#39;s nest is 31 metres above the weir.</p>",
    query: "heron nest weir",
    found: /heron's nest is 31 metres/,
  },
  {
    module: "papaparse",
    name: "badgers.csv",
    bytes: 'sett,entrances\n"Quarry, upper",17\n',
    query: "badger sett entrances quarry",
    found: /Quarry, upper/,
  },
  {
    module: "@kenjiuno/msgreader",
    name: "swift.msg",
    bytes: outlookFile({
      properties: {
        0x0037001f: "Swift",
        0x1000001f: "The swift box is under the eaves of the mill.",
      },
    }),
    query: "swift box eaves",
    found: /swift box is under the eaves/,
  },
  {
    module: "postal-mime",
    name: "kestrel.eml",
    bytes: [
      "From: ada@example.org",
      "Subject: Kestrel",
      "MIME-Version: 1.0",
      "Content-Type: text/plain; charset=utf-8",
      "Content-Transfer-Encoding: base64",
      "",
      btoa("The kestrel box hangs on the silo of Millfield Farm."),
      "",
    ].join("\r\n"),
    query: "kestrel box silo",
    found: /kestrel box hangs on the silo/,
  },
  {
    module: "chardet",
    name: "curlew.txt",
    // An old encoding of Cyrillic, which no mark names.
    bytes: Uint8Array.from(
      Array.from(
        "Кулик гнездится на южном лугу у реки, и его гнездо видно с моста. ".repeat(4),
        (letter) => windows1251(letter),
      ),
    ),
    query: "Кулик гнездится",
    found: /Кулик гнездится на южном лугу/,
  },
  {
    module: "iconv-lite",
    name: "kingfisher.txt",
    // A table of the library has Shift JIS.
    bytes: Buffer.from(
      "834a838f835a837e82cd90ec82cc8bb482cc89ba82c9918382f08dec82e98142".repeat(6),
      "hex",
    ),
    query: "カワセミ",
    found: /カワセミは川の橋の下に巣を作る/,
  },
  {
    module: "pdfjs-dist",
    name: "otter.pdf",
    bytes: makePdf([pdfLines(["The otter crossing is 14 metres wide at the mill race."])]),
    query: "otter crossing wide",
    found: /otter crossing is 14 metres wide/,
  },
  {
    module: "pdfjs-dist/build/pdf.worker.mjs",
    name: "heron.pdf",
    // "Heron 東京都" in Shift JIS, whose characters are in a map and not in the file.
    bytes: makeEncodedPdf("90ms-RKSJ-H", "Adobe-Japan1", "4865726f6e20938c8b9e9373"),
    query: "heron",
    found: /Heron 東京都/,
  },
  {
    module: "saxes",
    name: "lapwing.docx",
    bytes: makeDocx(paragraph("The lapwing meadow is mown in late September.")),
    query: "lapwing meadow mown",
    found: /lapwing meadow is mown/,
  },
  {
    module: "saxes",
    name: "dormouse.xlsx",
    bytes: makeXlsx({
      Boxes:
        '<row><c t="inlineStr"><is><t>Dormouse box</t></is></c>' +
        '<c t="inlineStr"><is><t>Hazel coppice 42</t></is></c></row>',
    }),
    query: "dormouse box hazel coppice",
    found: /Hazel coppice 42/,
  },
  {
    module: "tesseract.js-core/tesseract-core-simd-lstm.js",
    name: "notice.png",
    bytes: Bun.file(join(import.meta.dirname, "../server/text/ocr/pictures/notice.png")),
    query: "Quayside Bakery outdoor seating guests",
    found: /twenty-four guests/,
  },
];

describe("documents", () => {
  let search: (query: string) => Promise<{ filename: string; text: string }[]>;

  beforeAll(async () => {
    const { items } = (await json(
      ..."resources list planning-application --limit 1".split(" "),
    )) as { items: { id: string }[] };
    const context = ["--planning-application-id", items[0]?.id ?? ""];
    const files = sources.map(({ name }) => join(home, name));
    for (const [index, { bytes }] of sources.entries()) {
      await Bun.write(files[index] ?? "", bytes as Blob);
    }
    const done = await json("docs", "upload", ...files, ...context, "--wait");
    expect(done).toMatchObject({ files: files.map(() => ({ jobStatus: "succeeded" })) });
    // A search in this process takes a tenth of the time of a program.
    search = async (query) => {
      const words = ["docs", "search", query, "--mode", "fulltext", "--format", "json"];
      const config = join(home, ".svc");
      const token = variables["SVC_TOKEN"];
      const found = await runCommand(words, { config, token, variables });
      expect(found).toMatchObject({ exitCode: 0 });
      return (found.json as { results: { filename: string; text: string }[] }).results;
    };
  }, 180_000);

  test.each(sources)("$name is read, indexed and found with $module", async (source) => {
    const results = await search(source.query);
    const own = results.find(({ filename }) => filename === source.name);
    expect(own?.text.replaceAll(/\s+/g, " ")).toMatch(source.found);
  });

  test("their bytes are in the bucket, by signed requests (aws4fetch)", async () => {
    expect(bucket.requests.some(({ method }) => method === "PUT")).toBe(true);
  });
});

test("a model over HTTP answers (@ai-sdk/openai-compatible)", async () => {
  const answering = await startPlatform({
    hasSamples: true,
    env: { AI_BASE_URL: model.url, AI_CHAT_MODEL: "large" },
  });
  const env = { BASE_URL_PUBLIC_API: answering.url, SVC_TOKEN: await answering.token() };
  const words = ["chat", "send", "How many parking spaces are there?", "--tenant-id", "planning"];
  const asked = [...words, "--workflow", "planning-assistant", "--format", "json"];
  const { stdout } = await svc(asked, { home: await temporaryDirectory("home"), env });
  const reply: unknown = JSON.parse(stdout);
  await answering.stop();
  expect(reply).toMatchObject({ model: "large" });
  expect(field(field(reply, "message"), "content")).toContain("14 metres wide");
  expect(model.requests.some(({ path }) => path.endsWith("/chat/completions"))).toBe(true);
}, 60_000);

test("an invitation arrives over SMTP (nodemailer)", async () => {
  expect(await run("user", "invite", "--email", "ada@example.org")).toMatchObject({ exitCode: 0 });
  // A platform with sample data sends no mail.
  expect(platform.stderr()).toContain("sends no mail");
  expect(mail.mails).toEqual([]);
  await using mailing = await startPlatform({ args: [oneThread], env: mailVariables() });
  const env = { BASE_URL_PUBLIC_API: mailing.url, SVC_TOKEN: await mailing.token() };
  const own = (...words: readonly string[]) => svc(words, { home, cwd: home, env });
  expect(
    await own(
      "workspace",
      "create",
      "--name=Planning",
      "--slug=planning",
      "--allow-root",
      "--home-region=eu",
    ),
  ).toMatchObject({
    exitCode: 0,
  });
  const invited = await own("user", "invite", "--email", "ada@example.org", "--workspace=planning");
  expect(invited).toMatchObject({ exitCode: 0 });
  expect(mail.mails).toMatchObject([
    { to: ["ada@example.org"], data: expect.stringContaining("Subject: Invitation to Planning") },
  ]);
}, 60_000);

test("env keeps variables in Azure App Configuration (@azure/app-configuration)", async () => {
  await using server = configurationServer();
  const root = join(await temporaryDirectory("project"), "portal");
  await mkdir(join(root, "src/eai.config"), { recursive: true });
  await Bun.write(join(root, "src/eai.config/object-types.json"), "[]");
  await Bun.write(join(root, ".env.local"), "GREETING=hello\n");
  const env = { AZURE_APPCONFIG_CONNECTION_STRING: server.connectionString };
  const pushed = await svc(["env", "push"], { cwd: root, home, env });
  expect(pushed).toMatchObject({ exitCode: 0 });
  expect(server.settings()).toMatchObject([{ key: "svc/portal/GREETING", value: "hello" }]);
  await Bun.write(join(root, ".env.local"), "");
  expect(await svc(["env", "pull"], { cwd: root, home, env })).toMatchObject({ exitCode: 0 });
  expect(await Bun.file(join(root, ".env.local")).text()).toBe("GREETING=hello\n");
}, 60_000);

test("sign-in on another device shows a code (oauth4webapi)", async () => {
  const login = svc(["login", "--device"], {
    home: await temporaryDirectory("home"),
    env: { BASE_URL_PUBLIC_API: platform.url },
    timeoutMs: 3_000,
  });
  // The code is waited for until the process is killed; what it said is in the message.
  await expect(login).rejects.toThrow(/\b[A-Z0-9]{4}-[A-Z0-9]{4}\b/);
});

test("--jq and --template (jq-wasm, liquidjs)", async () => {
  expect(await run("errors", "--jq", ".errors[0].code")).toMatchObject({ stdout: "E001\n" });
  const shown = await run("errors", "--template", "{{ it.errors[0].code | downcase }}");
  expect(shown).toMatchObject({ stdout: "e001\n" });
});

test("a new project has the web app and the library and its types", async () => {
  const cwd = await temporaryDirectory("new");
  expect(await svc(["init", "portal"], { cwd, home })).toMatchObject({ exitCode: 0 });
  expect(await Bun.file(join(cwd, "portal/server.mjs")).text()).toContain("createServer");
  const types = await Bun.file(join(cwd, "portal/vendor/svc/modules.d.ts")).text();
  expect(types).toContain('declare module "svc/types/client/index"');
  const library = join(cwd, "portal/vendor/svc/index.js");
  const { createClient } = (await import(library)) as { createClient: unknown };
  expect(createClient).toBeTypeOf("function");
});

test("the gazetteer answers", async () => {
  const resolved = await json("geo", "resolve", "Newcastle, NSW", "--limit", "1");
  expect(resolved).toMatchObject({ matches: [{ dataset: "gazetteer", name: "Newcastle" }] });
});

test("/docs has its pages (site.ts)", async () => {
  const page = await fetch(`${platform.url}/docs`);
  expect(page.status).toBe(200);
  expect(await page.text()).toContain("<title>");
});

test("an agent's request is answered at /mcp (mcp/sdk.ts)", async () => {
  const response = await fetch(`${platform.url}/mcp`, {
    method: "POST",
    headers: {
      authorization: `Bearer ${variables["SVC_TOKEN"]}`,
      "content-type": "application/json",
      accept: "application/json, text/event-stream",
    },
    body: JSON.stringify({
      jsonrpc: "2.0",
      id: 1,
      method: "initialize",
      params: {
        protocolVersion: "2025-06-18",
        capabilities: {},
        clientInfo: { name: "test", version: "1" },
      },
    }),
  });
  expect(response.status).toBe(200);
  expect(await response.text()).toContain('"serverInfo"');
});

test("--describe has the table and the schemas of the sources (registry.ts, answers.ts)", async () => {
  const { stdout } = await svc(["--describe"]);
  const { answers, error } = printed;
  const described = describeTable(commandTable, version, (path) => ({
    isLines: false,
    ...answers[path],
    error,
  }));
  expect(JSON.parse(stdout)).toEqual(JSON.parse(JSON.stringify(described)));
});

test("every compressed module is named by a test of this file", async () => {
  const text = await Bun.file(import.meta.filename).text();
  const shortName = (name: string): string =>
    name.replace(/^(?:.*\/)(?=(?:site|web-app|registry|answers)\.ts$)/, "");
  // Codes to scan and passkeys need a browser: test/e2e/second-factor.test.ts has one.
  const inBrowser = new Set(["uqr", "@simplewebauthn/server"]);
  const missing = compressedModuleNames.filter(
    (name) => !inBrowser.has(name) && !text.includes(shortName(name)),
  );
  expect(missing).toEqual([]);
});
