/**
 * Subscribes to a broker in a separate process, one connection for each subscriber, and measures
 * the time from the broker's own time of a message to its receipt. The input is one JSON argument.
 * It prints `open` once all have subscribed, and after a line on stdin the times as JSON.
 */
import { filters } from "../../bench/realtime/measure.ts";
import { nats, natsStream, takeNats } from "./nats.ts";
import { redisCommand, redisEnd, redisKey } from "./redis.ts";

interface Input {
  readonly broker: string;
  readonly port: number;
  readonly count: number;
}

const input = JSON.parse(process.argv[2] ?? "{}") as Input;
const openAtOnce = 50;
/** Redis answers a blocking read only with a message: the read is there after this time. */
const settledMs = 1_000;
const times: number[] = [];

type Write = (text: string) => void;

/** Takes what a connection receives; `opened` is called once the subscription is confirmed. */
type Reader = (text: string) => void;

async function connect(reader: (write: Write, opened: () => void) => Reader): Promise<void> {
  const opened = Promise.withResolvers<void>();
  let read: Reader | undefined;
  await Bun.connect({
    hostname: "127.0.0.1",
    port: input.port,
    socket: {
      open(socket) {
        read = reader(
          (text) => void socket.write(text),
          () => opened.resolve(),
        );
      },
      data: (_socket, bytes) => read?.(bytes.toString("latin1")),
      close: () => opened.reject(new Error("a subscription was closed")),
      error: (_socket, error) => opened.reject(error),
    },
  });
  await opened.promise;
}

/** A push consumer of the messages of one filter, from now on. */
function overNats(index: number) {
  return (write: Write, opened: () => void): Reader => {
    const own = `own.${index}`;
    const config = {
      deliver_subject: own,
      deliver_policy: "new",
      ack_policy: "none",
      filter_subject: `${natsStream}.${index % filters}`,
    };
    const body = JSON.stringify({ stream_name: natsStream, config });
    const subject = `$JS.API.CONSUMER.CREATE.${natsStream}`;
    const answers = `answers.${index}`;
    write(`CONNECT {"verbose":false,"pedantic":false}\r\nSUB ${own} 1\r\nSUB ${answers} 2\r\n`);
    write(`PUB ${subject} ${answers} ${body.length}\r\n${body}\r\n`);
    let text = "";
    return (more) => {
      const now = Date.now();
      text += more;
      if (text.includes("PING\r\n")) write("PONG\r\n");
      for (let found = takeNats(text); found !== undefined; found = takeNats(text)) {
        text = found.rest;
        const { answer = "" } = found;
        if (answer.startsWith(`MSG ${answers} `)) {
          if (answer.includes('"error"')) throw new Error(answer);
          opened();
        }
        // The place that an acknowledgement would go to has the time of the message.
        const nanoseconds = /\$JS\.ACK\.(?:[^.\s]+\.){5}(\d+)\./.exec(answer)?.[1];
        if (nanoseconds !== undefined) times.push(now - Number(BigInt(nanoseconds) / 1_000_000n));
      }
    };
  };
}

/** A blocking read of one filter's stream, which begins again after each answer. */
function overRedis(index: number) {
  return (write: Write, opened: () => void): Reader => {
    const ask = (from: string): void =>
      write(redisCommand("XREAD", "BLOCK", "0", "STREAMS", redisKey(index % filters), from));
    ask("$");
    opened();
    let text = "";
    return (more) => {
      const now = Date.now();
      text += more;
      if (text.startsWith("-")) throw new Error(text);
      if (!text.endsWith(`${redisEnd}\r\n`)) return;
      // The id of a message begins with the broker's time in milliseconds.
      const ids = [...text.matchAll(/\r\n(\d{13}-\d+)\r\n/g)].map(([, id = ""]) => id);
      text = "";
      for (const id of ids) times.push(now - Number.parseInt(id, 10));
      ask(ids.at(-1) ?? "$");
    };
  };
}

const over = input.broker === nats.name ? overNats : overRedis;
for (let first = 0; first < input.count; first += openAtOnce) {
  const length = Math.min(openAtOnce, input.count - first);
  await Promise.all(Array.from({ length }, (_, offset) => connect(over(first + offset))));
}
await Bun.sleep(settledMs);
console.log("open");
for await (const _ of console) {
  console.log(JSON.stringify(times));
  process.exit(0);
}
