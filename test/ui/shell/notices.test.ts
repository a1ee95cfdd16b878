import { expect, test } from "vitest";
import { Notices } from "#ui/shell/notices.ts";

test("a message is shown and logged, newest first and at most 200", () => {
  const notices = new Notices();
  notices.say("done", "saved");
  expect(notices.message.get()).toEqual({ kind: "done", words: "saved" });
  for (let count = 0; count < 250; count += 1) notices.note("command", `svc ${count}`);
  expect(notices.log.get()).toHaveLength(200);
  expect(notices.log.get()[0]).toMatchObject({ kind: "command", words: "svc 249" });
  expect(notices.message.get()?.words).toBe("saved");
  notices.clear();
  expect(notices.message.get()).toBe(undefined);
});

test("a failure is one line, and an abort is not shown", () => {
  const notices = new Notices();
  notices.sayFailure(new DOMException("stopped", "AbortError"));
  expect(notices.message.get()).toBe(undefined);
  notices.sayFailure(new Error("broken"));
  expect(notices.message.get()?.kind).toBe("failed");
  notices.clear();
});
