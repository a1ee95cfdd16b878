import type { Resource } from "#client/index.ts";
import type { Failure } from "../kit/answers/failure.ts";
import { Part, usePart } from "../kit/state/part.ts";
import type { Followed } from "../kit/state/store.ts";

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
  /** The uploads of this session, newest first. */
  readonly list: Followed<readonly Upload[]>;
  /** The number of files that wait for others to be sent. */
  readonly waiting: Followed<number>;
  /** Asks for a file or a folder, its record and its mode, and sends it. */
  readonly start: () => void;
  readonly canStartFor: (objectType: string) => boolean;
  /** Does what `start` does, for a given record. */
  readonly startFor: (objectType: string, record: Resource) => void;
  /** Stops the newest upload that is being sent; files that wait are not sent then. */
  readonly stop: () => void;
  /** Sends the failed uploads of this workspace again. */
  readonly sendAgain: () => void;
  /** Whether there is an upload that `sendAgain` sends. */
  readonly canSendAgain: () => boolean;
}

export const uploadsPart = new Part<Uploads>("uploads");

export function useUploads(): Uploads {
  return usePart(uploadsPart);
}
