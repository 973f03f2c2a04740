/**
 * The messages between the two threads of a gateway: the edge, which has the connections and reads requests, and the
 * core, which processes them. Plain data.
 */
import { errorText, Fault, isFault } from '../../../base/fault.ts';
import type { FaultCode } from '../../../base/faults.ts';
import type { Channel, Merchant } from '../../channel.ts';
import type { Incoming } from '../../payments/endpoint.ts';
import { createBare } from '../../spec/json.ts';
import type { ParameterError } from '../../spec/parameters/errors.ts';
import type { Warning } from '../../spec/parameters/parser.ts';
import type { RequestFacts } from '../http/observer.ts';
import type { WrittenAnswer } from '../http/respond.ts';

/** How the core opens the gateway, with the settings of `openGateway` by the same names. */
export type CoreTask = {
  dataDir: string;
  database?: string;
  vaultKey?: string;
  channels: readonly Channel[];
  merchants?: readonly Merchant[];
  patienceMs?: number;
  allowPrivateUrls?: boolean;
  /** The maximum number of transactions that share one sync of the disk. */
  group?: number;
};

/** Names and values alternating. */
type Flat = readonly string[];

/** A request as the edge has read it. Fields are those of `Incoming`, with the channel by its entityId. */
export type ParsedRequest = Pick<Incoming, 'id' | 'errors' | 'repeats' | 'key' | 'requestId' | 'base' | 'at'> & {
  entityId: string;
  /** Present if the request can have a claim. */
  fingerprint?: string;
} & ({ sent: Flat } | { request: Flat; warnings: readonly Warning[] } | { wrong: readonly ParameterError[] });

/** Any other request, and the answer to it, unchanged. */
export type RawRequest = {
  method: string;
  url: string;
  headers: readonly [string, string][];
  body?: Uint8Array;
  base?: string;
};
export type RawResponse = { status: number; headers: readonly [string, string][]; body: Uint8Array };

/** Each is answered by a message with its number. `endpoint`: method and path of its operation. */
export type ThreadRequest = { call: number } & (
  | { kind: 'read'; endpoint: string; read: ParsedRequest }
  | { kind: 'request'; request: RawRequest }
  | { kind: 'ping' }
  | { kind: 'tryWrite' }
  | { kind: 'close' }
);

/** A fault as data: `words` for an error that is not a fault of ours. */
export type Failure = { code: FaultCode; facts: Fault['facts'] } | { words: string };

export type ThreadReply =
  | { kind: 'written'; call: number; written: WrittenAnswer }
  | { kind: 'response'; call: number; response: RawResponse }
  | { kind: 'done'; call: number }
  | { kind: 'failed'; call: number; failure: Failure }
  /** Once, before anything else: the gateway is open, or why it is not. `secret` is the key of request fingerprints. */
  | { kind: 'open'; secret: Uint8Array }
  | { kind: 'shut'; failure: Failure }
  | { kind: 'fault'; failure: Failure }
  | { kind: 'committed'; workCount: number }
  | { kind: 'answered'; facts: RequestFacts };

/** Flush after this many so that the other thread can start. */
const BATCH_MAX = 4;

/** Posts messages a few at a time, and the rest in the next turn of the event loop. */
export const createBatcher = <M>(post: (messages: readonly M[]) => void): ((message: M) => void) => {
  let queued: M[] = [];
  const send = (): void => {
    if (queued.length === 0) return;
    const messages = queued;
    queued = [];
    post(messages);
  };
  return (message) => {
    queued.push(message);
    if (queued.length === BATCH_MAX) send();
    else if (queued.length === 1) setImmediate(send);
  };
};

export const flatten = (values: Readonly<Record<string, string>>): Flat => {
  const list: string[] = [];
  for (const name in values) list.push(name, values[name] ?? '');
  return list;
};

export const unflatten = (list: Flat): Readonly<Record<string, string>> => {
  const values = createBare<string>();
  for (let i = 0; i < list.length; i += 2) values[list[i] ?? ''] = list[i + 1] ?? '';
  return values;
};

export const failureOf = (error: unknown): Failure =>
  isFault(error) ? { code: error.code, facts: error.facts } : { words: errorText(error) };

export const errorOf = (failure: Failure): Error =>
  'code' in failure ? new Fault(failure.code, { ...failure.facts }) : new Error(failure.words);
