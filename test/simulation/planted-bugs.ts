/** Bugs that can be planted into a simulated till: the simulation must find each one. */
import type { Host } from '../../src/till/ports.ts';
import type { Fate, Operation } from '../support/disk/disk.ts';
import { replyOf } from '../support/till/issuer-books.ts';

export const plantedBugs = {
  doubleSend: 'a stored sale that was sent before is sent again under a new key, without an inquiry',
  lostWrite: 'sometimes the disk acknowledges a sync that it did not perform',
  wrongOrder: 'the queue sends what follows a sale before it, and stored sales before reversals',
  droppedReversal: 'a reversal is counted as done without being sent',
  firstKey: 'a reversal that came too early is repeated under its first key',
  impatience: 'unknown sales are sent again before each sale, due or not',
  normalSync: 'the journal is opened with synchronous = NORMAL',
} as const;

export type PlantedBug = keyof typeof plantedBugs;

export const isPlantedBug = (name: string): name is PlantedBug => Object.hasOwn(plantedBugs, name);

/** The gateway, with the requests of this till's planted bug. */
export const hostWithBug = (plantedBug: PlantedBug | undefined, host: Host): Host => {
  if (plantedBug === 'droppedReversal') return { ...host, refer: droppedReversals(host) };
  if (plantedBug === 'firstKey') return { ...host, refer: underFirstKeys(host) };
  return plantedBug === 'doubleSend' ? doubleSending(host) : host;
};

const underFirstKeys =
  (host: Host): Host['refer'] =>
  (payment, parameters, key) =>
    host.refer(payment, parameters, key.replace(/^(reverse-\w+)-\d+$/, '$1'));

const droppedReversals =
  (host: Host): Host['refer'] =>
  async (payment, parameters, key) => {
    if (!key.startsWith('reverse-')) return host.refer(payment, parameters, key);
    return replyOf('000.100.110', { id: payment, merchantTransactionId: parameters['merchantTransactionId'] });
  };

const doubleSending = (host: Host): Host => {
  const sendCounts = new Map<string, number>();
  /** Sent without an answer; the bug makes no inquiry for these. */
  const lostPayments = new Set<unknown>();
  return {
    ...host,
    async pay(parameters, key) {
      if (parameters['customParameters[offline]'] === undefined) return host.pay(parameters, key);
      const times = (sendCounts.get(key) ?? 0) + 1;
      sendCounts.set(key, times);
      lostPayments.add(parameters['merchantTransactionId']);
      const reply = await host.pay(parameters, times === 1 ? key : `${key}-${times}`);
      if (reply.kind === 'answered') lostPayments.delete(parameters['merchantTransactionId']);
      return reply;
    },
    find: async (reference, linked) =>
      lostPayments.has(reference) ? replyOf('700.400.580', {}) : host.find(reference, linked),
  };
};

/** Holds reversals back until each stored sale was tried once: waiting until all are sent would block for days. */
const noForward =
  "NOT EXISTS (SELECT 1 FROM message f WHERE f.kind = 'forward' AND f.state = 'waiting' AND f.attempts = 0)";

/** A statement of the till with its planted bug. */
export const statementWithBug = (plantedBug: PlantedBug | undefined, text: string): string => {
  if (plantedBug === 'impatience')
    return text.replace("kind IN ('reversal', 'repeat') AND due_at", "kind IN ('reversal', 'repeat') AND 1 OR due_at");
  if (plantedBug !== 'wrongOrder') return text;
  return text
    .replace(/\(after_sale IS NULL OR /g, '(1 OR ')
    .replace(/kind = 'reversal' AND due_at/g, `kind = 'reversal' AND ${noForward} AND due_at`);
};

/** One sync in this many is not performed. */
const LIES_EVERY = 40;

export const fateWithBug = (plantedBug: PlantedBug | undefined, { what: operationKind }: Operation, n: number): Fate =>
  plantedBug === 'lostWrite' && operationKind === 'sync' && n % LIES_EVERY < 4 ? 'lied' : 'done';
