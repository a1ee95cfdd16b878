export interface Sent {
  readonly call: string;
  readonly workspace: string | null;
  readonly body: unknown;
}
