import { expect, test } from "vitest";
import { describePlatform, field, testBaseUrl } from "#test/support/platform.ts";
import { membersPath, newRoot, text } from "../../members/world.ts";
import { authorizeAddress, FormBrowser } from "../form-browser.ts";

const password = "a password that I chose";

describePlatform("the page of an invitation", (the) => {
  const newBrowser = (): FormBrowser =>
    new FormBrowser(testBaseUrl, (request) => the().platform.fetch(request));
  const invited = async (root: string, body: Readonly<Record<string, unknown>>) => {
    const path = `${membersPath(root)}/invite`;
    return text(await the().as("system-admin").post(path, body), "link");
  };
  const membersOf = async (root: string): Promise<string> =>
    (await the().as("system-admin").get(membersPath(root))).text;

  test("makes an account with a password, which then signs in", async () => {
    const root = await newRoot(the());
    const email = "page-new@example.org";
    const link = await invited(root, {
      email,
      role: "tenant-staff",
      firstName: "Page",
      message: "<b>Hello</b>",
      redirectUri: "https://app.example.org/start",
    });
    const browser = newBrowser();
    const page = await browser.visit(link);
    expect(page.status).toBe(200);
    expect(page.text).toContain("Administrator invites you to the workspace");
    expect(page.text).toContain("tenant-staff");
    expect(page.html).not.toContain("<b>Hello</b>");
    expect(page.headers.get("cache-control")).toBe("no-store");
    expect(await membersOf(root)).not.toContain(email);
    const short = { "new-password": "short", "repeated-password": "short" };
    expect(await browser.press("create", short)).toMatchObject({ status: 422 });
    const other = { "new-password": password, "repeated-password": `${password}!` };
    expect((await browser.press("create", other)).text).toContain("not the same");
    const chosen = { "new-password": password, "repeated-password": password };
    const done = await browser.press("create", chosen);
    expect(done.text).toContain("You are now a member");
    expect(done.links).toContain("https://app.example.org/start");
    expect(await membersOf(root)).toContain(email);
    expect((await browser.visit(link)).status).toBe(404);
    const signIn = newBrowser();
    await signIn.visit(authorizeAddress());
    const signedIn = await signIn.press("sign-in", { email, password });
    expect(signedIn.left?.searchParams.get("code")).toBeTruthy();
  });

  test("lets the account of this browser join with one click", async () => {
    const root = await newRoot(the());
    const { signIn } = the().platform.services;
    await signIn.setPassword(the().users["tenant-staff"].oid, password);
    const browser = newBrowser();
    await browser.visit(authorizeAddress());
    await browser.press("sign-in", { email: "tenant-staff@example.org", password });
    const page = await browser.visit(await invited(root, { email: "someone@example.org" }));
    expect(page.text).toContain("Join as tenant-staff@example.org");
    expect((await browser.press("join")).text).toContain("You are now a member");
    expect(await membersOf(root)).toContain("tenant-staff@example.org");
  });

  test("signs in to an account that exists, and never replaces its password", async () => {
    const root = await newRoot(the());
    const email = "tenant-builder@example.org";
    await the().platform.services.signIn.setPassword(the().users["tenant-builder"].oid, password);
    const link = await invited(root, { email });
    const browser = newBrowser();
    await browser.visit(link);
    const mine = {
      "new-password": "another password 99",
      "repeated-password": "another password 99",
    };
    const taken = await browser.press("create", mine);
    expect(taken.status).toBe(422);
    expect(taken.text).toContain("has an account already");
    expect(await membersOf(root)).not.toContain(email);
    await browser.visit(taken.links.at(-1) ?? "");
    expect((await browser.press("sign-in", { email, password: "wrong" })).status).toBe(401);
    expect((await browser.press("sign-in", { email, password })).text).toContain("now a member");
    expect(await membersOf(root)).toContain(email);
  });

  test("declines without an account, once", async () => {
    const root = await newRoot(the());
    const link = await invited(root, { email: "page-no@example.org" });
    const browser = newBrowser();
    await browser.visit(link);
    expect((await browser.press("decline")).text).toContain("You declined");
    expect((await browser.visit(link)).status).toBe(404);
    const list = `/v4/platform/tenants/${root}/invitations`;
    expect(field((await the().as("system-admin").get(list)).json, "items")).toEqual([]);
  });

  test("takes no form from another site, and no unknown secret", async () => {
    const root = await newRoot(the());
    const link = await invited(root, { email: "page-cross@example.org" });
    const browser = newBrowser();
    await browser.visit(link);
    const forged = newBrowser();
    const form = new URLSearchParams({
      action: "create",
      form: "forged",
      "new-password": password,
      "repeated-password": password,
    });
    const request = new Request(link, { method: "POST", body: form, redirect: "manual" });
    request.headers.set("origin", testBaseUrl);
    await the().platform.fetch(request);
    expect(await membersOf(root)).not.toContain("page-cross@example.org");
    const unknown = await forged.visit("/auth/invitation?secret=guess");
    expect(unknown).toMatchObject({ status: 404 });
    expect(unknown.text).toContain("is not valid");
    expect((await forged.visit("/auth/invitation")).status).toBe(404);
  });
});
