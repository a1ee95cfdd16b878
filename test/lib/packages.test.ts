import { expect, test } from "vitest";
import { clientPackage, registryPath, targetPackage } from "#lib/packages.ts";

test("a target's package has the publisher's scope, and its slash is escaped in a path", () => {
  const [scope = ""] = clientPackage.split("/");
  expect(targetPackage("linux-x64")).toBe(`${scope}/svc-linux-x64`);
  expect(registryPath(clientPackage)).toBe(`${scope}%2fclient`);
});
