import { expect, test } from "vitest";
import { describePlatform } from "#test/support/platform.ts";
import { addApp, newPerson, password } from "./world.ts";

const path = "/v4/identity/me/factors";
const absent = "01900000-0000-7000-8000-00000000dead";

describePlatform("an app with codes", (the) => {
  test("bad inputs are pointed to, an account without a password is refused, a page is bounded", async () => {
    const person = await newPerson(the());
    const missing = await person.call.post(path, {});
    expect(missing.json).toMatchObject({ errors: [{ pointer: "#/currentPassword" }] });
    const long = await person.call.post(path, { currentPassword: password, name: "x".repeat(101) });
    expect(long.json).toMatchObject({ errors: [{ pointer: "#/name" }] });
    expect((await person.call.post(`${path}/${absent}/confirm`, { code: "1" })).status).toBe(404);
    expect((await person.call.post(`${path}/here/confirm`, { code: "1" })).status).toBe(422);
    const body = { currentPassword: password };
    expect((await the().as("tenant-admin").post(path, body)).status).toBe(409);
    expect((await the().as("nobody").get(path)).status).toBe(401);
    const codes = await person.call.post("/v4/identity/me/recovery-codes", body);
    expect(codes.status).toBe(409);
    for (let n = 0; n < 10; n += 1) await addApp(the(), person);
    expect((await person.call.post(path, body)).status).toBe(409);
  });
});
