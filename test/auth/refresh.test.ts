import { describe, expect, it } from "vitest";
import { startProvider } from "./provider.ts";
import { signedIn, baseUrl } from "./stored-sign-in.ts";

const script = new URL("./session-process.ts", import.meta.url).pathname;

describe("many processes with one expired token", () => {
  it("make one refresh, and stay signed in", async () => {
    const provider = await startProvider({
      token: async () => {
        await Bun.sleep(30);
        return undefined;
      },
    });
    const configDirectory = await signedIn(provider, -1000);
    const processes = Array.from({ length: 50 }, () =>
      Bun.spawn([process.execPath, script, configDirectory, baseUrl], {
        stdout: "pipe",
        stderr: "inherit",
      }),
    );
    const outputs = await Promise.all(
      processes.map(async (one) => (await new Response(one.stdout).text()).trim()),
    );
    expect(new Set(outputs)).toEqual(new Set(["access-1"]));
    expect(provider.tokenRequests).toHaveLength(1);
    expect(provider.familyRevoked()).toBe(false);
  }, 60_000);

  it("continue when the process that refreshes is killed", async () => {
    let stall = true;
    const provider = await startProvider({
      token: async () => {
        if (stall) {
          stall = false;
          await Bun.sleep(60_000);
        }
        return undefined;
      },
    });
    const configDirectory = await signedIn(provider, -1000);
    const start = () =>
      Bun.spawn([process.execPath, script, configDirectory, baseUrl], {
        stdout: "pipe",
        stderr: "inherit",
      });
    const holder = start();
    while (provider.tokenRequests.length === 0) await Bun.sleep(5);
    const waiting = start();
    holder.kill("SIGKILL");
    await holder.exited;
    expect((await new Response(waiting.stdout).text()).trim()).toBe("access-1");
  }, 30_000);
});
