import {
  emulateTerminal,
  keys,
  openTerminal,
  type OpenedTerminal,
  type TerminalOptions,
} from "../../support/tty.ts";
import { dashboardProgram, hostDashboard } from "./dashboard-host.ts";
import type { Meanwhile } from "./fake-orders.ts";

/** The options that `dashboard-program.ts` takes. */
export interface Wish {
  /** Records of the type `planning-application`; 42 unless given. */
  readonly count?: number;
  /** The first record's address is full of control sequences. */
  readonly hostile?: boolean;
  /** Control sequences in each text of each answer that is shown, or in all, ids and slugs too. */
  readonly poison?: "shown" | "all";
  /** The address of the second record. */
  readonly address?: string;
  /** Characters of the note of the works order. */
  readonly longNote?: number;
  /** The works order refers to an application that is not there. */
  readonly dangling?: boolean;
  /** Another user's write just before the first change of the works order. */
  readonly meanwhile?: Meanwhile;
  /** The workspace has so many members that those of the records are not among the first. */
  readonly crowded?: boolean;
  readonly signedIn?: boolean;
  /** The Object Type whose list was open at the end of the last visit, and opens again. */
  readonly opens?: string;
  /** Lands in home, where types have states and due dates; otherwise among the Object Types. */
  readonly home?: "filled" | "empty";
  /** The platform no longer accepts the access token. */
  readonly expired?: boolean;
  /** The platform no longer accepts it while there is a file at this path. */
  readonly expiredWhile?: string;
  /** False: signed in, and no workspace chosen. */
  readonly workspace?: boolean;
  /** The workspace of the earlier start is no longer one of the user's. */
  readonly lostWorkspace?: boolean;
  /** Whether the platform does not answer. */
  readonly down?: boolean;
  /** Nothing answers while there is a file at this path. */
  readonly downWhile?: string;
  /** Reviews of two documents, which end with their decisions. */
  readonly reviewQueue?: boolean;
  /** The document's pages are pictures: nothing was read on them. */
  readonly scanned?: boolean;
  /** There is one application, document and job more, the newest, while a file is at this path. */
  readonly newcomerWhile?: string;
  /** An application that is asked for by itself is gone while there is a file at this path. */
  readonly goneWhile?: string;
  /** Answers have no entity tags. */
  readonly untagged?: boolean;
  /** File that gets a line for each answer: its status and path. */
  readonly requestsTo?: string;
  /** Searches are too many while there is a file at this path. */
  readonly busyWhile?: string;
  /** The list of workspaces is not answered while there is a file at this path. */
  readonly workspacesWaitFor?: string;
  /** Stored conversations, and the messages of each. */
  readonly conversations?: number;
  readonly messages?: number;
  readonly crash?: string;
  readonly role?: string;
  /** The evaluation of capabilities answers, and refuses the provisioning of apps. */
  readonly refusing?: boolean;
  /** Lines instead of a screen. */
  readonly isSpoken?: boolean;
  /** The ids by place that are new since the last look; without them there are no marks. */
  readonly unseen?: Readonly<Record<string, readonly string[]>>;
  /** There are no webhooks, sources, alerts and rules. */
  readonly noEvents?: boolean;
  /**
   * File whose lines are the events of the stream: a type, an Object Type and an id, or a type
   * and the data as JSON. Without it there is no stream.
   */
  readonly eventsAt?: string;
  /** Milliseconds between two pieces of a chat answer. */
  readonly pauseMs?: number;
  readonly jobStatus?: string;
  /** Another user changes the newest record just before a batch. */
  readonly changedMeanwhile?: boolean;
  /** Milliseconds that a page of records takes. */
  readonly listMs?: number;
  /** A page of applications has at most so many, and no total. */
  readonly pageCap?: number;
  /** The definition of the applications has no properties. */
  readonly bareTypes?: boolean;
  /** There are more groups than were asked for. */
  readonly truncated?: boolean;
  /** The type `licence` has no property. */
  readonly propertyless?: boolean;
  /** So many uploads are refused, since the platform is busy, before it takes any. */
  readonly refusedUploads?: number;
  /** Uploads are taken in and never answered. */
  readonly stuck?: boolean;
  /** Milliseconds that a batch takes. */
  readonly batchMs?: number;
  /** The chosen columns in the profile. */
  readonly storedColumns?: unknown;
  /** The settings of the profile, not validated. */
  readonly profileSettings?: Readonly<Record<string, unknown>>;
  /** Why nothing may be changed. */
  readonly readOnly?: string;
  /** File that gets one line of JSON for each `storeColumns`. */
  readonly keepTo?: string;
}

export interface FakeOptions extends Partial<TerminalOptions> {
  /** The dashboard has its own process and pseudo-terminal, for tests of signals and modes. */
  readonly isAlone?: boolean;
}

/**
 * Opens the dashboard with a fake platform. Those of a file share a process, except those that are
 * alone, crash or have an environment.
 */
export function openFake(wish: Wish = {}, options: FakeOptions = {}): OpenedTerminal {
  const { isAlone = wish.crash !== undefined || options.env !== undefined, ...others } = options;
  const sized = { cols: 120, rows: 40, ...others };
  if (!isAlone) return emulateTerminal(sized, (onOutput) => hostDashboard(wish, sized, onOutput));
  const env = { FAKE: JSON.stringify(wish), ...options.env };
  return openTerminal({ command: dashboardProgram, ...sized, env });
}

/**
 * The planning applications, newest first, with the cursor on the newest. The dashboard starts
 * there, as after an earlier visit: the way through the Object Types takes a fifth of a test.
 */
export async function openRecords(
  wish: Wish = {},
  options: FakeOptions = {},
): Promise<OpenedTerminal> {
  const terminal = openFake({ ...wish, opens: "planning-application" }, options);
  await terminal.waitFor(/▸ PA-2026-/);
  return terminal;
}

/** The same list, with a way back to the Object Types that led to it. */
export async function openRecordsFromTypes(
  wish: Wish = {},
  options: FakeOptions = {},
): Promise<OpenedTerminal> {
  const terminal = openFake(wish, options);
  await terminal.waitFor("▸ licence");
  terminal.write("j");
  await terminal.waitFor("▸ planning-application");
  terminal.write(keys.enter);
  await terminal.waitFor(/▸ PA-2026-/);
  return terminal;
}

/** The list with the one works order that there is. */
export async function openOrders(
  wish: Wish = {},
  options: FakeOptions = {},
): Promise<OpenedTerminal> {
  const terminal = openFake({ ...wish, opens: "works-order" }, options);
  await terminal.waitFor("▸ WO-1");
  return terminal;
}

/** Opens a list of choices with its key, and takes the first that has these letters. */
export async function choose(
  terminal: OpenedTerminal,
  key: string,
  title: string,
  letters: string,
): Promise<void> {
  terminal.write(key);
  await terminal.waitFor(title);
  await terminal.type(letters);
  terminal.write(keys.enter);
}

/** The planning applications as bars, grouped by another field than the status. */
export async function openBarsBy(
  field: string,
  wish: Wish = {},
  options: FakeOptions = {},
): Promise<OpenedTerminal> {
  const terminal = await openRecords(wish, options);
  terminal.write("b");
  await terminal.waitFor("planning-application by status");
  await choose(terminal, "B", "Group by", field);
  return terminal;
}
