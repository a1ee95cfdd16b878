import { expect, test } from "vitest";
import { completionScript, shells } from "#cli/completion/scripts.ts";

test.each(shells)("the script of %s asks the program with the current word after =", (shell) => {
  const script = completionScript(shell);
  expect(script).toMatch(new RegExp(`__complete'? '?${shell}`));
  expect(script).toMatch(/=\$\{?(?:current|words|wordToComplete)/);
  expect(script).not.toContain("undefined");
});

test.each(["bash", "zsh", "fish"])("%s can read its script, if it is installed", (shell) => {
  const path = Bun.which(shell);
  if (path === null) return;
  const script = completionScript(shell as (typeof shells)[number]);
  const { stderr } = Bun.spawnSync([path, "-n"], { stdin: new Blob([script]) });
  expect(stderr.toString()).toBe("");
});
