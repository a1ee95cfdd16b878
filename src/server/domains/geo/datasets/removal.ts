import type { PlatformBase } from "../../base.ts";
import { inBackground } from "../../../kit/background.ts";
import { removableGenerations, removeSlice } from "./generation-store.ts";
import { endImport, forgetImports, leftImports } from "./imports/import-store.ts";

const lookIntervalMs = 60_000;
/** Features of one transaction; other writes wait for it. */
const sliceRows = 1_000;
const generationsAtOnce = 100;
const importsKeptMs = 8 * 24 * 60 * 60 * 1000;

/** Removes features and files that no dataset and no import needs, in slices. */
export class FeatureRemoval {
  #isRunning = false;
  #isWanted = false;

  constructor(
    private readonly base: Pick<
      PlatformBase,
      "platformWork" | "removals" | "now" | "logger" | "lifetime"
    >,
  ) {}

  /** Looks once a minute, for what a crash has left. */
  start(): void {
    this.base.lifetime.every(lookIntervalMs, "features-not-removed", () => this.run());
  }

  /** Removes what is due, in the background. */
  readonly wake = (): void => {
    inBackground(this.base.logger, "features-not-removed", () => this.run());
  };

  async run(): Promise<void> {
    this.#isWanted = true;
    if (this.#isRunning) return;
    this.#isRunning = true;
    try {
      while (this.#isWanted && !this.base.lifetime.draining.aborted) {
        this.#isWanted = false;
        await this.#removeAll();
      }
    } finally {
      this.#isRunning = false;
    }
  }

  async #removeAll(): Promise<void> {
    const { platformWork, removals, now, lifetime } = this.base;
    const everywhere = platformWork("features and files that no dataset needs");
    for (const generation of await removableGenerations(everywhere.read, generationsAtOnce)) {
      const work = everywhere.within(generation.workspaceId);
      for (let count = sliceRows; count === sliceRows;) {
        if (lifetime.draining.aborted) return;
        count = await work.write((tx) => removeSlice(tx, generation, sliceRows));
      }
    }
    for (const left of await leftImports(everywhere.read, generationsAtOnce)) {
      const work = everywhere.within(left.workspace_id);
      await work.write((tx) => endImport(tx, { ...left, size: Number(left.size) }, []));
    }
    const before = new Date(now().getTime() - importsKeptMs).toISOString();
    await everywhere.write((tx) => forgetImports(tx, before, sliceRows));
    removals.wake();
  }
}
