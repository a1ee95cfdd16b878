import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import manifest from "../../package.json" with { type: "json" };
import { finished } from "../../scripts/build/finished.ts";
import { releaseOf } from "#test/support/fake-release.ts";
import { describeNeeding } from "#test/support/needs.ts";
import { svcExecutable } from "#test/support/svc.ts";
import { temporaryDirectory } from "#test/support/temporary.ts";

const { version } = manifest;

/** A network without any interface but loopback; the program's children live in it too. */
const alone = ["unshare", "--net", "--", "sh", "-c", 'ip link set lo up && exec "$@"', "sh"];

async function missingNamespace(): Promise<string | undefined> {
  if (process.platform !== "linux" || process.getuid?.() !== 0) return "needs root on Linux";
  if (Bun.which("strace") === null) return "needs strace";
  if (Bun.which("ip") === null) return "needs ip (iproute2)";
  const { exitCode } = await finished(
    Bun.spawn([...alone, "true"], { stdio: ["ignore", "pipe", "pipe"] }),
  );
  return exitCode === 0 ? undefined : "needs the right to make a network namespace";
}

describeNeeding("a machine without a network", await missingNamespace(), () => {
  test("installs a release, signs in and tours, and no program asks for another machine", async () => {
    const place = await temporaryDirectory("offline");
    const executable = await Bun.file(await svcExecutable()).bytes();
    const release = await releaseOf({ version, executable });
    const log = join(place, "calls");
    const program = join(import.meta.dirname, "offline-program.ts");
    const strace = [
      "strace",
      "-f",
      "--seccomp-bpf",
      "-qq",
      "-e",
      "trace=connect,sendto,sendmsg",
      "-o",
      log,
    ];
    const command = [...alone, ...strace, process.execPath, program, release, place];
    const child = Bun.spawn(command, { stdio: ["ignore", "pipe", "pipe"], timeout: 110_000 });
    const { stdout, stderr, exitCode } = await finished(child);
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: "" });
    const ran = JSON.parse(stdout) as { tour: { stdout: string } };
    expect(ran).toMatchObject({
      installed: { exitCode: 0, stderr: "" },
      version,
      code: expect.stringMatching(/./),
      docs: 200,
      tour: { exitCode: 0, stderr: "" },
      removed: { exitCode: 0, stderr: "" },
    });
    for (const words of [
      "$ svc whoami",
      "$ svc resources list planning-application --limit 3",
      "$ svc docs upload ",
      "$ svc docs job ",
      "✓ store succeeded, extract succeeded, classify succeeded, analyze succeeded, index succeeded",
      "$ svc chat send ",
      "✓ quoted verbatim from ",
      "Every step succeeded.",
    ]) {
      expect(ran.tour.stdout).toContain(words);
    }
    const calls = await readFile(log, "utf8");
    const addresses = [...calls.matchAll(/inet_(?:addr|pton)\((?:AF_INET6, )?"([^"]+)"/g)].map(
      ([, address]) => address,
    );
    expect(addresses.length).toBeGreaterThan(0);
    expect(
      addresses.filter((address) => !/^(?:127\.|::1$|::ffff:127\.)/.test(address ?? "")),
    ).toEqual([]);
  }, 120_000);
});
