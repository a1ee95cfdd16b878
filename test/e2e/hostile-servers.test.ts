import { expect, test } from "vitest";
import { attacks } from "#test/support/drills/hostile-servers/attacks.ts";
import { hostileCommands, runHostileCell } from "#test/support/drills/hostile-servers/cells.ts";
import { svcExecutable } from "#test/support/svc.ts";
import { temporaryDirectory } from "#test/support/temporary.ts";

/** A read and a write against the quick attacks; `npm run bench -- drills` tries all of them. */
const some = ["resources get street-tree {record}", "key revoke {key} --force"];
const quick = attacks.filter(({ name }) => !/\d MB|with a wait/.test(name));

test("a wrong answer claims no success, and sends no write twice and no token elsewhere", async () => {
  const place = { executable: await svcExecutable(), directory: await temporaryDirectory("cells") };
  const commands = hostileCommands.filter(({ words }) => some.includes(words));
  expect(commands).toHaveLength(2);
  for (const attack of quick) {
    for (const command of commands) {
      const { faults, requests } = await runHostileCell(command, attack, place);
      expect([attack.name, command.words, faults]).toEqual([attack.name, command.words, []]);
      expect(requests).toBeGreaterThan(0);
    }
  }
}, 120_000);
