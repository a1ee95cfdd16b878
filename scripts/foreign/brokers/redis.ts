import { freePort } from "../../server-program.ts";
import { startServer } from "../server.ts";
import { RequestConnection, type Broker } from "./broker.ts";

/** Redis with one stream for each filter; a write is synced before its answer, as ours is. */
export const redis: Broker = {
  name: "Redis streams",
  async start(directory) {
    const port = await freePort();
    const settings = { bind: "127.0.0.1", port, dir: directory, save: "", appendonly: "yes" };
    const words = Object.entries({ ...settings, appendfsync: "always", maxclients: 4_000 });
    const command = [
      "redis-server",
      ...words.flatMap(([name, value]) => [`--${name}`, `${value}`]),
    ];
    const server = await startServer({ command, directory, port });
    const connection = await RequestConnection.open(port, takeLine);
    return {
      pid: server.pid,
      port,
      async publish(filter) {
        const answer = await connection.ask(
          redisCommand("XADD", redisKey(filter), "*", "event", message),
        );
        if (answer.startsWith("-")) throw new Error(`Redis refuses a message: ${answer}`);
      },
      async [Symbol.asyncDispose]() {
        connection[Symbol.dispose]();
        await server.stop();
      },
    };
  },
};

/** The end of each message, by which a reader knows that it has the whole answer. */
export const redisEnd = "END";
/** A body as large as a thin event. */
const message = `${JSON.stringify({ type: "created", note: "x".repeat(500) })}${redisEnd}`;

export function redisKey(filter: number): string {
  return `cases:${filter}`;
}

/** A command in the form of the protocol. */
export function redisCommand(...words: readonly string[]): string {
  const parts = words.map((word) => `$${word.length}\r\n${word}\r\n`);
  return `*${words.length}\r\n${parts.join("")}`;
}

/** The answer to XADD: an error's line, or the length of the id and the id. */
function takeLine(
  text: string,
): { readonly answer: string | undefined; readonly rest: string } | undefined {
  const [first, second, ...rest] = text.split("\r\n");
  if (first === undefined || second === undefined) return undefined;
  if (first.startsWith("-")) return { answer: first, rest: [second, ...rest].join("\r\n") };
  return rest.length === 0 ? undefined : { answer: second, rest: rest.join("\r\n") };
}
