import type { Health } from "#contract/health.ts";
import { within } from "#lib/within.ts";
import type { Database } from "../stores/database.ts";
import { askDatabase } from "../stores/database/soundness.ts";

type Component = NonNullable<Health["components"]>[string];

/** How long a check's answer is given again, so that nobody's probing becomes load. */
const keptMs = 1_000;
const checkTimeoutMs = 2_000;

/** Whether the platform can serve, by asking the parts it needs. */
export class HealthService {
  readonly #checks = new Map<string, () => Promise<Component>>();
  readonly #version: string;
  readonly #now: () => number;
  #kept: { readonly health: Promise<Health>; readonly endsAt: number } | undefined;

  constructor(options: { database: Database; version: string; now: () => Date }) {
    this.#version = options.version;
    this.#now = () => options.now().getTime();
    this.addCheck("database", async () => {
      await askDatabase(options.database.read);
      return { status: "ok", detail: options.database.dialect };
    });
  }

  /** A further part that health depends on; a check that throws or hangs is "down". */
  addCheck(name: string, check: () => Promise<Component>): void {
    this.#checks.set(name, check);
  }

  health(): Promise<Health> {
    const now = this.#now();
    if (this.#kept === undefined || this.#kept.endsAt <= now) {
      this.#kept = { health: this.#check(), endsAt: now + keptMs };
    }
    return this.#kept.health;
  }

  async #check(): Promise<Health> {
    const components: Record<string, Component> = {};
    await Promise.all(
      [...this.#checks].map(async ([name, check]) => {
        components[name] = await answerOf(check);
      }),
    );
    const states = Object.values(components).map((component) => component.status);
    const status = states.includes("down")
      ? "down"
      : states.includes("degraded")
        ? "degraded"
        : "ok";
    return { status, version: this.#version, components };
  }
}

async function answerOf(check: () => Promise<Component>): Promise<Component> {
  try {
    return await within(checkTimeoutMs, check(), {
      status: "down",
      detail: "does not answer in time",
    });
  } catch {
    return { status: "down", detail: "does not answer" };
  }
}
