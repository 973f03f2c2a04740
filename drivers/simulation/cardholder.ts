/**
 * Simulated customers: a list of presentations played in order, a seeded choice, and the scenario file they come from.
 */
import { z } from 'zod';
import { Fault } from '../../src/base/fault.ts';
import { fromHex } from '../../src/base/hex.ts';
import type { Random } from '../../src/base/ids.ts';
import { type TestCardName, testCard, testCards } from '../../src/emv/test-cards.ts';
import type { DeviceFault, Faults } from './faults.ts';
import type { Cardholder, Presentation } from './simulator.ts';
import type { TerminalConfig } from './terminal-config.ts';

/** What a customer does, with the card given by its test-card name. */
export const presentationFor = ({
  card,
  ...rest
}: Omit<Presentation, 'card'> & { card: TestCardName }): Presentation => ({
  ...rest,
  card: testCard(card),
});

/** Plays the list once; after that nobody comes. */
export const scriptedCardholder = (presentations: readonly Presentation[]): Cardholder => {
  const left = [...presentations];
  return () => left.shift() ?? { card: testCard('visa-credit'), by: 'chip', never: true };
};

/** Plays the list in a loop. The command line's default is one customer: chip, right PIN. */
export const repeatingCardholder = (presentations: readonly Presentation[] = [byDefault]): Cardholder => {
  let at = 0;
  return () => {
    const next = presentations[at % presentations.length] ?? byDefault;
    at += 1;
    return next;
  };
};

const byDefault: Presentation = { card: testCard('visa-credit'), by: 'chip' };

/** Picks one from the list each time, by the random source. */
export const choosingCardholder = (presentations: readonly Presentation[], random: Random): Cardholder => {
  return () => {
    const [high = 0, low = 0] = random(2);
    return presentations[((high << 8) | low) % presentations.length] ?? byDefault;
  };
};

export type Scenario = {
  says: string;
  /** Start over after the last presentation (`repeat`), pick one at random (`choose`), or stop (`once`). */
  play: 'once' | 'repeat' | 'choose';
  presentations: readonly Presentation[];
  faults: Faults;
  /** How the device differs from the default. */
  device: Partial<Pick<TerminalConfig, 'tampered' | 'batteryPercent' | 'clockOffsetMs'>>;
};

const names = Object.keys(testCards) as [TestCardName, ...TestCardName[]];
const count = z.int().min(1).max(100_000);
const ms = z.int().min(0).max(3_600_000);

const presentation = z
  .strictObject({
    card: z.enum(names),
    by: z.enum(['chip', 'tap', 'swipe', 'manual']).default('chip'),
    pin: z.union([z.literal('cancel'), z.string().regex(/^\d{4,12}$/, 'must be 4 to 12 digits or "cancel"')]),
    pullsCardAt: z.enum(['read', 'complete']),
    cancels: z.boolean(),
    never: z.boolean(),
    afterMs: ms,
  })
  .partial({ pin: true, pullsCardAt: true, cancels: true, never: true, afterMs: true });

const fault = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('silence'), atCommand: count }),
  z.strictObject({ kind: z.literal('split'), atMessage: count.optional() }),
  z.strictObject({ kind: z.literal('merge'), atMessage: count }),
  z.strictObject({ kind: z.literal('wrongChecksum'), atMessage: count }),
  z.strictObject({ kind: z.literal('linkDrop'), atMessage: count, when: z.enum(['before', 'midway', 'after']) }),
  z.strictObject({ kind: z.literal('duplicate'), atMessage: count }),
  z.strictObject({ kind: z.literal('unsolicited'), atCommand: count }),
  z.strictObject({ kind: z.literal('lateAnswer'), afterMs: ms }),
  z.strictObject({
    kind: z.literal('staleBytes'),
    bytes: z.string().regex(/^([0-9A-Fa-f]{2}){1,4096}$/, 'must be hex'),
  }),
  z.strictObject({ kind: z.literal('garbage'), fromCommand: count, everyMs: z.int().min(10).max(60_000) }),
  z.strictObject({ kind: z.literal('reset'), atCommand: count }),
  z.strictObject({ kind: z.literal('unknownMessage'), atCommand: count }),
  z.strictObject({ kind: z.literal('repeatedRequest'), times: z.int().min(1).max(100) }),
]);

/** The state of the device itself: whole milliseconds, at most a year off. */
const device = z
  .strictObject({
    tampered: z.boolean(),
    batteryPercent: z.int().min(0).max(100),
    clockOffsetMs: z.int().min(-31_536_000_000).max(31_536_000_000),
  })
  .partial();

const scenario = z.strictObject({
  says: z.string().max(200).default(''),
  play: z.enum(['once', 'repeat', 'choose']).default('repeat'),
  presentations: z.array(presentation).min(1).max(1_000),
  faults: z.array(fault).max(100).default([]),
  device: device.default({}),
});

const presentationOf = ({ card, ...rest }: z.output<typeof presentation>): Presentation => ({
  ...(dropUndefined(rest) as Omit<Presentation, 'card'>),
  card: testCard(card),
});

const faultOf = (row: z.output<typeof fault>): DeviceFault =>
  row.kind === 'staleBytes' ? { ...row, bytes: fromHex(row.bytes) } : (dropUndefined(row) as DeviceFault);

const dropUndefined = <T extends object>(row: T): object =>
  Object.fromEntries(Object.entries(row).filter(([, value]) => value !== undefined));

/**
 * Reads a scenario file's text: JSON `{ says?, play?, presentations: [{ card, by, pin?, pullsCardAt?, cancels?, never?,
 * afterMs? }], faults?: [{ kind, … }], device?: { tampered?, batteryPercent?, clockOffsetMs? } }`, cards by their
 * test-card name. Throws `config.malformed` with the place.
 */
export const parseScenario = (text: string, file: string): Scenario => {
  let raw: unknown;
  try {
    raw = JSON.parse(text);
  } catch (cause) {
    throw new Fault('config.malformed', { file, why: 'it is not JSON' }, cause);
  }
  const read = scenario.safeParse(raw);
  if (!read.success) {
    const [issue] = read.error.issues;
    const place = issue === undefined || issue.path.length === 0 ? 'the whole' : issue.path.join('.');
    throw new Fault('config.malformed', { file, why: `${place}: ${issue?.message ?? 'malformed'}` });
  }
  const { presentations, faults, device: config, ...rest } = read.data;
  return {
    ...rest,
    presentations: presentations.map(presentationOf),
    faults: faults.map(faultOf),
    device: dropUndefined(config),
  };
};

export const cardholderOf = ({ play, presentations }: Scenario, random: Random): Cardholder => {
  if (play === 'once') return scriptedCardholder(presentations);
  return play === 'repeat' ? repeatingCardholder(presentations) : choosingCardholder(presentations, random);
};

// A repeatable random source: the same seed gives the same bytes. For simulations, never for keys of real money.

/** Bytes of Mulberry32 (Tommy Ettinger, public domain), four from each step. */
export const seededRandom = (seed: number): Random => {
  let state = seed >>> 0;
  const nextWord = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return (mixed ^ (mixed >>> 14)) >>> 0;
  };
  return (length) => {
    const bytes = new Uint8Array(length);
    let next = 0;
    for (let offset = 0; offset < length; offset += 1) {
      next = offset % 4 === 0 ? nextWord() : next << 8;
      bytes[offset] = next >>> 24;
    }
    return bytes;
  };
};
