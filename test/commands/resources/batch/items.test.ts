import { join } from "node:path";
import { expect, test } from "vitest";
import { runSvc } from "#commands/run.ts";
import { captureEnvironment, captureStream } from "#test/cli/world.ts";
import { testBaseUrl } from "#test/support/platform.ts";
import { temporaryDirectory } from "#test/support/temporary.ts";
import { platformDown, runCommand } from "../../world.ts";

const tenant = "01890000-0000-7000-8000-000000000000";
const create = ["resources", "batch-create", "tree", "--tenant-id", tenant, "--format", "json"];

test("an item that nests too deep is refused while it is read", async () => {
  let chunks = 0;
  const brackets = new Uint8Array(64 * 1024).fill("[".charCodeAt(0));
  const endless = new ReadableStream<Uint8Array>({
    pull: (controller) => {
      chunks += 1;
      // Far fewer than the size limit of an item.
      if (chunks > 100) controller.error(new Error("the reader did not stop"));
      else controller.enqueue(brackets);
    },
  });
  const stdout = captureStream();
  const environment = captureEnvironment([...create, "--file", "-"], {
    variables: { BASE_URL_PUBLIC_API: testBaseUrl, SVC_TOKEN: "none" },
    stdout,
    fetch: platformDown,
  });
  const stdin = { isTerminal: false, stream: () => endless };
  expect(await runSvc({ ...environment, stdin })).toBe(2);
  expect(JSON.parse(stdout.text())).toMatchObject({
    error: { code: "E305", message: "Invalid input: stdin nests deeper than 1000 levels" },
  });
});

test("an item that nests too deep is reported with its index before anything is sent", async () => {
  const files = await temporaryDirectory("files");
  const item = `{"data":{"species":"oak"}}\n`;
  await Bun.write(join(files, "deep.ndjson"), `${item.repeat(3)}{"data":${"[".repeat(5000)}`);
  const { exitCode, json } = await runCommand([...create, "--file", "deep.ndjson"], {
    currentDirectory: files,
    fetch: platformDown,
    token: "none",
  });
  expect({ exitCode, json }).toMatchObject({
    exitCode: 2,
    json: {
      error: {
        code: "E305",
        message: "Invalid input: deep.ndjson, item 3, nests deeper than 1000 levels",
      },
    },
  });
});
