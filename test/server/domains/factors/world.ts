import { expect } from "vitest";
import { field, testBaseUrl, type Answered, type TestPlatform } from "#test/support/platform.ts";
import { newMember, newRoot, text, type Person } from "../members/world.ts";
import { authorizeAddress, FormBrowser, type Visited } from "../sign-in/form-browser.ts";
import { codeOf } from "./app-codes.ts";

const path = "/v4/identity/me/factors";
export const password = "a long enough passphrase";

/** A member with a password. */
export async function newPerson(the: TestPlatform, role = "tenant-viewer"): Promise<Person> {
  const person = await newMember(the, await newRoot(the), { role });
  await the.platform.services.signIn.setPassword(person.oid, password);
  return person;
}

export interface App {
  readonly factorId: string;
  readonly secret: string;
  readonly recoveryCodes: readonly string[];
}

export function recoveryCodesIn({ json }: Answered): string[] {
  return (field(json, "recoveryCodes") ?? []) as string[];
}

/** Adds an app and confirms it with its first code; the next step's code is then unused. */
export async function addApp(the: TestPlatform, person: Person): Promise<App> {
  const added = await person.call.post(path, { currentPassword: password });
  expect(added.status).toBe(201);
  const secret = text(added, "secret");
  const factorId = String(field(field(added.json, "factor"), "factorId"));
  const code = codeOf(secret, the.now());
  const confirmed = await person.call.post(`${path}/${factorId}/confirm`, { code });
  expect(confirmed.status).toBe(200);
  the.advance(30_000);
  return { factorId, secret, recoveryCodes: recoveryCodesIn(confirmed) };
}

/** A browser that has sent this e-mail address and password. */
export async function enteredPassword(
  the: TestPlatform,
  email: string,
): Promise<{ readonly browser: FormBrowser; readonly page: Visited }> {
  const browser = new FormBrowser(testBaseUrl, (request) => the.platform.fetch(request));
  await browser.visit(authorizeAddress());
  return { browser, page: await browser.press("sign-in", { email, password }) };
}
