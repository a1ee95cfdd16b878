import { dirname, join } from "node:path";
import { DrillSession, memberOf } from "#test/support/drills/session.ts";
import { startPlatformProcess } from "#test/support/platform-process.ts";
import type { Row } from "../bench/figures.ts";
import { finished } from "../build/finished.ts";
import type { Counterpart } from "./counterpart.ts";

const libraries = { ws: "8.18.3", undici: "7.30.2" } as const;
const changes = 200;
/** The event after which the second socket continues. */
const continued = 99;
const columns = ["events", "of", "in order", "continued", "forged cursor", "close code"];

/** Follows one address; prints the versions of its events, their cursors and how it ended. */
const program = `
const [library, url, count] = process.argv.slice(2);
const { WebSocket } = await import(library);
const socket = new WebSocket(url.replace(/^http/, "ws"));
const seen = { isOpen: false, events: [], code: 0 };
const report = () => {
  console.log(JSON.stringify(seen));
  process.exit(0);
};
setTimeout(report, 30_000);
socket.addEventListener("open", () => (seen.isOpen = true));
socket.addEventListener("error", () => undefined);
socket.addEventListener("message", ({ data }) => {
  const event = JSON.parse(data);
  if (event.type === "svc.resource.created") seen.events.push([event.subject, event.svccursor]);
  if (seen.events.length === Number(count)) socket.close(1000);
});
socket.addEventListener("close", ({ code }) => {
  seen.code = code;
  report();
});
`;

interface Seen {
  readonly isOpen: boolean;
  readonly events: readonly (readonly [subject: string, cursor: string])[];
  readonly code: number;
}

/** The stream of changes by WebSocket, read by the clients that Node programs use. */
export const sockets: Counterpart = {
  name: "sockets",
  about: "changes by WebSocket, read by ws and undici: whole, in order, continued, refused",
  tools: [],
  packages: Object.entries(libraries).map(([name, version]) => `${name}@${version}`),
  async run({ directory, executable, packages, note }) {
    await using platform = await startPlatformProcess({
      executable,
      dataDir: join(directory, "data"),
      home: directory,
    });
    const session = await DrillSession.create(platform);
    const listed = await session.expect(200, "GET", "?limit=1");
    const cursor = String(memberOf(listed.json, "feedCursor"));
    const made: string[] = [];
    for (let at = 0; at < changes; at += 1) {
      const { json } = await session.expect(201, "POST", "", { marker: String(at) });
      made.push(`drill-record/${String(memberOf(json, "id"))}`);
    }
    const types = { types: "drill-record" };
    const granted = await session.expect(200, "POST", "/v4/realtime/negotiate", types);
    const address = (from: string): string => {
      const url = new URL(String(memberOf(granted.json, "url")));
      url.searchParams.set("cursor", from);
      return url.href;
    };
    const file = join(dirname(packages), "socket.mjs");
    await Bun.write(file, program);
    const follow = async (library: string, from: string, count: number): Promise<Seen> => {
      const child = Bun.spawn(["node", file, library, address(from), String(count)], {
        stdio: ["ignore", "pipe", "pipe"],
      });
      return JSON.parse((await finished(child)).stdout) as Seen;
    };
    const rows: Row[] = [];
    const failures: string[] = [];
    for (const [library, version] of Object.entries(libraries)) {
      const all = await follow(library, cursor, changes);
      const rest = made.slice(continued + 1);
      const after = await follow(library, all.events[continued]?.[1] ?? "", rest.length);
      const forged = await follow(library, "forged", 1);
      const subjects = ({ events }: Seen): string => events.map(([subject]) => subject).join(" ");
      const promises = {
        "has the events in their order": subjects(all) === made.join(" "),
        "continues after an event": subjects(after) === rest.join(" "),
        "opens no socket with a forged cursor": !forged.isOpen,
        "closes with 1000": all.code === 1000,
      };
      const figures = [
        `${all.events.length}`,
        `${changes}`,
        subjects(all) === made.join(" ") ? "yes" : "no",
        `${after.events.length} of ${rest.length}`,
        forged.isOpen ? "opened" : "refused",
        `${all.code}`,
      ];
      note(`${library}: ${figures.join(", ")}`);
      rows.push({ name: `${library} ${version}`, figures });
      for (const [promise, isKept] of Object.entries(promises)) {
        if (!isKept) failures.push(`${library}: the platform does not keep that it ${promise}`);
      }
    }
    return [{ name: "Changes by WebSocket", columns, rows, failures }];
  },
};
