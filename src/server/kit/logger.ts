/** One thing that happened, as data: `event` names it, the rest are its facts. Never a secret. */
export interface LogEvent {
  readonly event: string;
  readonly [fact: string]: unknown;
}

/** Where the platform says what happens inside; the caller decides on form and place. */
export interface Logger {
  info(event: LogEvent): void;
  warn(event: LogEvent): void;
  error(event: LogEvent): void;
}
