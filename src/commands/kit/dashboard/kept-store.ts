import { readProfile, type ProfilePlace } from "#local/configuration/profiles.ts";
import { readDashboardState, updateDashboardState } from "#local/configuration/dashboard-state.ts";
import { systemErrorCode, systemErrorWords } from "#lib/system-error.ts";
import { FileLockError } from "#lib/files/lock.ts";
import { catalogError } from "#contract/errors.ts";
import type { KeptChange, KeptPlatform, KeptState } from "#ui/shell/kept/kept-state.ts";

/** The key of the platform on this machine, which may get another port at each start. */
export const localKey = "local";

/** The dashboard's own state of a profile: last platform, workspaces, places, filters and skin. */
export class KeptStore {
  readonly #place: ProfilePlace;
  #state: KeptState;
  #profileChoice: string;

  constructor(place: ProfilePlace, state: KeptState, profileChoice: string) {
    this.#place = place;
    this.#state = state;
    this.#profileChoice = profileChoice;
  }

  /** True if the profile has the same platform and workspace as when the state was written. */
  get isNewer(): boolean {
    return this.#state.profileChoice === this.#profileChoice;
  }

  get skin(): KeptState["skin"] {
    return this.#state.skin;
  }

  /** The address of the last platform; undefined for the local one, which must be started. */
  get lastPlatform(): string | undefined {
    const { platform = "" } = this.#state;
    return this.isNewer && URL.canParse(platform) ? platform : undefined;
  }

  /** True if the last platform was the one on this machine, at whatever address. */
  get isLastLocal(): boolean {
    return this.isNewer && this.#state.platform === localKey;
  }

  platform(key: string): KeptPlatform | undefined {
    return this.#state.platforms.get(key);
  }

  /** Throws E006 when it can't be written. */
  async keep(key: string, change: KeptChange): Promise<void> {
    const { keptJson, readKeptState, withKept } = await import("#ui/shell/kept/kept-state.ts");
    try {
      await updateDashboardState(this.#place, (stored) => {
        const state = withKept(readKeptState(stored), key, change);
        this.#state = { ...state, profileChoice: this.#profileChoice };
        return keptJson(this.#state);
      });
    } catch (error) {
      if (!(error instanceof FileLockError) && systemErrorCode(error) === undefined) throw error;
      const words = error instanceof FileLockError ? error.message : systemErrorWords(error);
      throw catalogError("E006", { details: `the dashboard's state was not kept: ${words}` });
    }
  }

  /** Takes the profile's present platform and workspace as known. */
  async profileChanged(): Promise<void> {
    this.#profileChoice = await profileChoiceOf(this.#place);
  }
}

async function profileChoiceOf(place: ProfilePlace): Promise<string> {
  const { baseUrl, workspace } = await readProfile(place);
  return JSON.stringify([baseUrl ?? null, workspace?.origin ?? null, workspace?.id ?? null]);
}

export async function openKeptStore(place: ProfilePlace): Promise<KeptStore> {
  const [{ readKeptState }, stored, choice] = await Promise.all([
    import("#ui/shell/kept/kept-state.ts"),
    readDashboardState(place),
    profileChoiceOf(place),
  ]);
  return new KeptStore(place, readKeptState(stored), choice);
}
