import { expect, it } from "vitest";
import { knowsProgress, TerminalProgress } from "#ui/shell/terminal/progress.ts";

it("is shown by terminals that do not take it for a notification", () => {
  const known = [
    { WT_SESSION: "1" },
    { TERM_PROGRAM: "ghostty" },
    { VTE_VERSION: "7900" },
    { VTE_VERSION: "7600" },
    { TERM_PROGRAM: "iTerm.app" },
    { TERM: "xterm-kitty" },
  ].map((env) => knowsProgress({ env }));
  expect(known).toEqual([true, true, true, false, false, false]);
});

it("is the mean of all work whose share is known, and ends with the last of it", () => {
  const sent: string[] = [];
  const progress = new TerminalProgress((sequence) =>
    sent.push(sequence.replaceAll(/[^\d;]/g, "")),
  );
  progress.report("jobs", undefined);
  progress.report("uploads", 0.2);
  progress.report("uploads", 0.201);
  progress.report("export", 0.6);
  progress.end("export");
  progress.end("uploads");
  progress.end("uploads");
  progress.end("jobs");
  expect(sent).toEqual(["9;4;3", "9;4;1;20", "9;4;1;40", "9;4;1;20", "9;4;3", "9;4;0"]);
});
