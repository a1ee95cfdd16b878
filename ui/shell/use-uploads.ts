import type { Resource } from "#client/index.ts";
import type { Failure } from "../kit/answers/failure.ts";
import { requiredContext } from "../kit/state/required-context.ts";

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
  /** Asks for a file, its record and its mode, and sends it. */
  readonly start: () => void;
  readonly canStartFor: (objectType: string) => boolean;
  /** As `start`, for a given record. */
  readonly startFor: (objectType: string, record: Resource) => void;
  /** Stops the newest upload that is being sent; absent without one. */
  readonly stop: (() => void) | undefined;
  /** Sends the newest failed upload of this workspace again; absent without one. */
  readonly sendAgain: (() => void) | undefined;
}

export const [UploadsContext, useUploads] = requiredContext<Uploads>("UploadsProvider");
