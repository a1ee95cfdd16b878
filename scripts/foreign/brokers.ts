import { join } from "node:path";
import type { Row } from "../bench/figures.ts";
import {
  figuresOf,
  measureKind,
  measureSubscribers,
  realtimeColumns,
} from "../bench/realtime/measure.ts";
import { programOf } from "../tools.ts";
import { nats } from "./brokers/nats.ts";
import { redis } from "./brokers/redis.ts";
import type { Counterpart } from "./counterpart.ts";

const subscribers = 1_000;
const seconds = 10;
/** A broker stores a message, and gives its own time of that to each subscriber. */
const brokers = [nats, redis];

/** Latency and loss at 1,000 subscribers, next to brokers that keep what they send. */
export const realtimeBrokers: Counterpart = {
  name: "brokers",
  about: "changes to 1,000 subscribers next to NATS JetStream and Redis streams: latency, loss",
  tools: [programOf("nats-server", "nats-server"), programOf("redis-server", "redis-server")],
  async run({ directory, note }) {
    const rows: Row[] = [];
    const failures: string[] = [];
    const add = (row: Row): void => {
      note(`${row.name}: ${row.figures.join(", ")}`);
      rows.push(row);
    };
    for (const { name, start } of brokers) {
      await using broker = await start(join(directory, name.split(" ", 1)[0] ?? name));
      const measured = await measureSubscribers({
        pid: broker.pid,
        program: join(import.meta.dirname, "brokers/subscribers.ts"),
        input: { broker: name, port: broker.port, count: subscribers },
        count: subscribers,
        seconds,
        change: (filter) => broker.publish(filter),
      });
      add({ name, figures: figuresOf(measured) });
    }
    for (const isSocket of [false, true]) {
      const place = { name: "SQLite", directory };
      const size = { streams: subscribers, sockets: subscribers, seconds, engines: [] };
      const { row, faults } = await measureKind(place, [], { ...size, isSocket });
      add({ ...row, name: `svc, ${row.name}` });
      failures.push(...faults.filter((fault) => fault.includes("lost")));
    }
    return [{ name: "1,000 subscribers", columns: realtimeColumns, rows, failures }];
  },
};
