/* Types of the page Logs. */
import type { Schemas } from "../../lib/types.d.ts";

export type Log = Schemas["RoutingLog"];

/** A file that is on its way: sent so far as `share` says, read by the service when all of it is. */
export interface Sending {
  name: string;
  share: number;
}

export interface LogsState {
  /** Bytes that a file may have. */
  most: number;
  /** Newest first; null until they have come. */
  logs: Log[] | null;
  /** Ids of the log that is looked into and of the one it is compared with. */
  a: string | null;
  b: string | null;
  sending: Sending | null;
  recording: boolean;
  /** What was wrong with the last file, or with asking. */
  problem: string | null;
  usage: Schemas["LogUsage"] | null;
  comparison: Schemas["RoutingComparison"] | null;
  /** A part of a sequence, from its place `offset` among those that were compared. */
  text: (Schemas["ComparedTokens"] & { offset: number }) | null;
  /** A token by its place in A, and what it took in both. */
  token: number | null;
  decision: Schemas["ComparedDecision"] | null;
  /** Why the use of A's experts is not shown. */
  unshown: string | null;
  /** Why A and B are not compared. */
  apart: string | null;
  /** Why the part of the text that was asked for is not shown. */
  unread: string | null;
  /** Why it is not told what the token that was asked for took. */
  untold: string | null;
}
