/* Types of the page Logs. */
import type { Schemas } from "../../lib/types.d.ts";

export type Log = Schemas["RoutingLog"];

/** A file that is on its way: sent so far as `share` says, read by the service when all of it is. */
export interface Sending {
  name: string;
  share: number;
}

/** A part of a sequence of A, or of the one that agrees least: null. */
export interface Part {
  sequence: number | null;
  offset: number;
}

/** Tokens of a sequence, from the place `offset` among those that were compared. */
export type Text = Schemas["ComparedTokens"] & { offset: number };

export interface LogsState {
  /** Bytes that a file may have. */
  most: number;
  /** Newest first; null until they have come. */
  logs: Log[] | null;
  /** Ids of the log that is looked into and of the one it is compared with. */
  a: string | null;
  b: string | null;
  /** A token by its place in A. */
  token: number | null;
  /** The part of a text that was asked for; null: that of the token, or the first. */
  part: Part | null;
  /** Why it is not told what the token that was asked for took. */
  untold: string | null;
  sending: Sending | null;
  recording: boolean;
  /** What was wrong with the last file, or with asking. */
  problem: string | null;
}
