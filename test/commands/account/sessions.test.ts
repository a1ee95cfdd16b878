import { describe, expect, test } from "vitest";
import { field } from "#test/support/platform.ts";
import { commandWorld } from "../world.ts";

const the = commandWorld();

describe("account", () => {
  test("sessions and sign-out name a session that exists", async () => {
    const list = await the().json("account sessions");
    expect(list).toMatchObject({ exitCode: 0 });
    expect(field(list.json, "items")).toEqual([]);
    const absent = "01890000-0000-7000-8000-000000000000";
    const ended = await the().json(`account sign-out ${absent} --force`);
    expect(ended).toMatchObject({ exitCode: 1, json: { error: { code: "E202" } } });
    const everywhere = await the().svc("account sign-out --all --force", { as: "outsider" });
    expect(everywhere.stdout).toBe("All your tokens and sessions have ended\n");
    expect((await the().svc("account sessions", { as: "outsider" })).exitCode).toBe(4);
  });
});
