import { createContext } from "react";
import type { Resource } from "#client/index.ts";
import type { Failure } from "../kit/answers/failure.ts";
import { useProvided } from "../kit/state/use-provided.ts";

/** A file on its way, or just accepted or refused. */
export interface Upload {
  readonly id: number;
  readonly filename: string;
  readonly sentBytes: number;
  readonly totalBytes: number;
  readonly state: "sending" | "accepted" | "stopped" | "failed";
  readonly jobId: string | undefined;
  readonly failure: Failure | undefined;
}

export interface Uploads {
  readonly uploads: readonly Upload[];
  /** Asks for a file, what it belongs to and what to do with it, and sends it. */
  readonly start: () => void;
  /** Whether a file can belong to a record of this Object Type. */
  readonly canStartFor: (objectType: string) => boolean;
  /** As `start`, for a record that is known already. */
  readonly startFor: (objectType: string, record: Resource) => void;
  /** Stops the newest one that is still being sent; absent while none is. */
  readonly stop: (() => void) | undefined;
  /** Sends the newest one of this workspace that failed once more; absent while there is none. */
  readonly sendAgain: (() => void) | undefined;
}

export const UploadsContext = createContext<Uploads | undefined>(undefined);

/** Files on their way; they go on while other places are looked at. */
export function useUploads(): Uploads {
  return useProvided(UploadsContext, "UploadsProvider");
}
