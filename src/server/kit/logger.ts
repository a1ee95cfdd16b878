/** One event as data, without secrets. */
export interface LogEvent {
  readonly event: string;
  readonly [fact: string]: unknown;
}

/** Takes the platform's events; the caller decides where they go, and in which form. */
export interface Logger {
  info(event: LogEvent): void;
  warn(event: LogEvent): void;
  error(event: LogEvent): void;
}
