import { join } from "node:path";
import { freePort } from "../../server-program.ts";
import { serverFolder, startServer } from "../server.ts";
import { RequestConnection, type Broker } from "./broker.ts";

export const natsStream = "cases";

/** NATS with JetStream: a stream in a file, whose consumers push to their subscribers. */
export const nats: Broker = {
  name: "NATS JetStream",
  async start(directory) {
    const port = await freePort();
    const store = await serverFolder(join(directory, "store"));
    const command = ["nats-server", "-a", "127.0.0.1", "-p", `${port}`, "-js", "-sd", store];
    const server = await startServer({ command, directory, port });
    try {
      const connection = await RequestConnection.open(port, takeNats);
      connection.send(`CONNECT {"verbose":false,"pedantic":false}\r\nSUB answers 1\r\n`);
      const ask = async (subject: string, body: string): Promise<void> => {
        const answer = await connection.ask(`PUB ${subject} answers ${body.length}\r\n${body}\r\n`);
        if (answer.includes('"error"')) throw new Error(`NATS refuses ${subject}: ${answer}`);
      };
      const stream = { name: natsStream, subjects: [`${natsStream}.*`], storage: "file" };
      await ask(`$JS.API.STREAM.CREATE.${natsStream}`, JSON.stringify(stream));
      return {
        pid: server.pid,
        port,
        publish: (filter) => ask(`${natsStream}.${filter}`, message),
        async [Symbol.asyncDispose]() {
          connection[Symbol.dispose]();
          await server.stop();
        },
      };
    } catch (error) {
      await server.stop();
      throw error;
    }
  },
};

/** A body as large as a thin event. */
const message = JSON.stringify({ type: "svc.resource.created", note: "x".repeat(500) });

/** A line of the protocol, and with MSG its body; other lines are no answers. */
export function takeNats(
  text: string,
): { readonly answer: string | undefined; readonly rest: string } | undefined {
  const end = text.indexOf("\r\n");
  if (end < 0) return undefined;
  const line = text.slice(0, end);
  const from = end + 2;
  if (!line.startsWith("MSG ")) return { answer: undefined, rest: text.slice(from) };
  const length = Number(line.split(" ").at(-1));
  if (text.length < from + length + 2) return undefined;
  return { answer: text.slice(0, from + length), rest: text.slice(from + length + 2) };
}
