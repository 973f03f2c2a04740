/** Bugs that can be planted into a simulated till: each must be found. */
import type { Host } from '../../src/till/ports.ts';
import type { Fate, Operation } from '../support/disk/disk.ts';
import { replyOf } from '../support/till/issuer-books.ts';

export const plants = {
  doubleSend: 'a stored sale that was sent before is sent again under a new key, without asking for it',
  lostWrite: 'now and then the disk acknowledges a sync that it has not made',
  wrongOrder: 'the queue sends what follows a sale before it, and stored sales before reversals',
  droppedReversal: 'a reversal is counted as done without being sent',
  firstKey: 'a reversal that came too early is sent again under its first key',
  impatience: 'what is unknown is sent again before each sale, whether its turn has come or not',
  normalSync: 'the journal is opened with synchronous = NORMAL',
} as const;

export type Plant = keyof typeof plants;

export const isPlant = (name: string): name is Plant => Object.hasOwn(plants, name);

/** The gateway as this till's planted bug has it asked. */
export const plantedHost = (plant: Plant | undefined, host: Host): Host => {
  if (plant === 'droppedReversal') return { ...host, refer: droppedReversals(host) };
  if (plant === 'firstKey') return { ...host, refer: underFirstKeys(host) };
  return plant === 'doubleSend' ? doubleSending(host) : host;
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
  const sent = new Map<string, number>();
  /** Sent, and no answer heard: of these it does not ask. */
  const unheard = new Set<unknown>();
  return {
    ...host,
    async pay(parameters, key) {
      if (parameters['customParameters[offline]'] === undefined) return host.pay(parameters, key);
      const times = (sent.get(key) ?? 0) + 1;
      sent.set(key, times);
      unheard.add(parameters['merchantTransactionId']);
      const reply = await host.pay(parameters, times === 1 ? key : `${key}-${times}`);
      if (reply.kind === 'answered') unheard.delete(parameters['merchantTransactionId']);
      return reply;
    },
    find: async (reference, linked) =>
      unheard.has(reference) ? replyOf('700.400.580', {}) : host.find(reference, linked),
  };
};

/** Each stored sale is tried once before any reversal: one that waited for all of them would stand still for days. */
const noForward =
  "NOT EXISTS (SELECT 1 FROM message f WHERE f.kind = 'forward' AND f.state = 'waiting' AND f.attempts = 0)";

/** A statement of the till as its planted bug has it. */
export const plantedStatement = (plant: Plant | undefined, text: string): string => {
  if (plant === 'impatience')
    return text.replace("kind IN ('reversal', 'repeat') AND due_at", "kind IN ('reversal', 'repeat') AND 1 OR due_at");
  if (plant !== 'wrongOrder') return text;
  return text
    .replace(/\(after_sale IS NULL OR /g, '(1 OR ')
    .replace(/kind = 'reversal' AND due_at/g, `kind = 'reversal' AND ${noForward} AND due_at`);
};

/** Of the disk's syncs every so many is a lie. */
const LIES_EVERY = 40;

export const plantedFate = (plant: Plant | undefined, { what }: Operation, n: number): Fate =>
  plant === 'lostWrite' && what === 'sync' && n % LIES_EVERY < 4 ? 'lied' : 'done';
