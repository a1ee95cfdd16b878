import { resolve } from "node:path";
import { expect, test } from "vitest";
import { describeNeeding } from "#test/support/needs.ts";
import { S3Server } from "../../../support/s3/server.ts";
import { temporaryDirectory } from "../../../support/temporary.ts";

const missing = process.platform === "linux" ? undefined : "needs /proc";

describeNeeding("memory", missing, () => {
  test("storing and reading 100 MiB takes at most 64 MiB of memory", async () => {
    const server = S3Server.start({ directory: await temporaryDirectory("s3") });
    await using _stopped = server;
    const { endpoint, region, accessKeyId, secretAccessKey } = server;
    const child = Bun.spawn(
      [
        process.execPath,
        resolve(import.meta.dirname, "memory-child.ts"),
        `s3://files?endpoint=${endpoint}&region=${region}`,
        accessKeyId,
        secretAccessKey,
        await temporaryDirectory("s3-staging"),
        "100",
      ],
      { stdout: "pipe", stderr: "inherit" },
    );
    const report: unknown = JSON.parse(await child.stdout.text());
    expect(report).toEqual({
      extraMebibytes: expect.toSatisfy((extra: number) => extra <= 64),
      isSame: true,
      lent: 100 * 1024 * 1024,
    });
  }, 120_000);
});
