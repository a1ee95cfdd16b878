import { chmod, readdir, readFile, stat, symlink, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { readSignIn, removeSignIns, writeSignIn } from "#auth/token-file.ts";
import { temporaryDirectory } from "../support/temporary.ts";
import { tokensOf, signedIn, open, codeOf, key } from "./stored-sign-in.ts";

describe("tokens.json", () => {
  it.each([
    "",
    "{",
    "[]",
    "null",
    '{"signIns":7}',
    '{"signIns":[{}]}',
    '{"signIns":[{"profile":"default"}]}',
  ])("with %j in it is E006, and a new sign-in replaces it", async (text) => {
    const configDirectory = await temporaryDirectory();
    await writeFile(join(configDirectory, "tokens.json"), text);
    expect(await codeOf(open(configDirectory).token())).toBe("E006");
    await writeSignIn(configDirectory, key, tokensOf(undefined, 3_600_000));
    expect(await open(configDirectory).token()).toBe("access-stored");
  });

  it("keeps other profiles and origins, and loses group and world permissions", async () => {
    const configDirectory = await signedIn(undefined, 3_600_000);
    const other = { profile: "work", origin: "http://other.example" };
    await writeSignIn(configDirectory, other, {
      ...tokensOf(undefined, 3_600_000),
      accessToken: "work-token",
    });
    await chmod(join(configDirectory, "tokens.json"), 0o644);
    expect(await open(configDirectory).token()).toBe("access-stored");
    expect((await stat(join(configDirectory, "tokens.json"))).mode & 0o777).toBe(0o600);
    await writeSignIn(configDirectory, key, undefined);
    expect(await readSignIn(configDirectory, other)).toMatchObject({ accessToken: "work-token" });
    await writeSignIn(configDirectory, other, undefined);
    expect(await codeOf(readFile(join(configDirectory, "tokens.json")))).toBe("ENOENT");
  });
});

describe("unfinished copies of tokens.json", () => {
  const copy = ".svc-tokens-0e2b9a34-5f0c-4a9e-8a8e-3f6f5a1f9d10.tmp";

  it("of a killed process are removed by the next command and by a sign-out", async () => {
    const configDirectory = await signedIn(undefined, 60_000);
    const path = join(configDirectory, copy);
    await writeFile(path, "{}");
    await readSignIn(configDirectory, key);
    // It may be another process's that is still written.
    expect(await readFile(path, "utf8")).toBe("{}");
    const old = new Date(Date.now() - 3_600_000);
    await utimes(path, old, old);
    await readSignIn(configDirectory, key);
    expect(await readdir(configDirectory)).toEqual(["tokens.json"]);
    await writeFile(path, "{}");
    await removeSignIns(configDirectory, undefined);
    expect(await readdir(configDirectory)).toEqual([]);
  });

  it("are also removed where tokens.json is a symbolic link, with the file itself", async () => {
    const stored = await signedIn(undefined, 60_000);
    const configDirectory = await temporaryDirectory("linked");
    await symlink(join(stored, "tokens.json"), join(configDirectory, "tokens.json"));
    expect(await readSignIn(configDirectory, key)).toMatchObject({ accessToken: "access-stored" });
    const tokens = { ...tokensOf(undefined, 60_000), accessToken: "access-next" };
    await writeSignIn(configDirectory, key, tokens);
    expect(await readSignIn(stored, key)).toMatchObject({ accessToken: "access-next" });
    await writeFile(join(stored, copy), "{}");
    await removeSignIns(configDirectory, undefined);
    expect(await readdir(stored)).toEqual([]);
    expect(await readdir(configDirectory)).toEqual([]);
  });
});
