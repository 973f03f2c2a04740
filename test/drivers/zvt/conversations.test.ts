/**
 * What other makers' registers send to a ZVT terminal, in bytes, and what the document and those registers expect:
 * played to the simulated terminal, which must be at least as strict.
 */
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { cutter } from '../../../drivers/framing/framer.ts';
import { type ZvtApdu, zvtApduFramer, zvtApduMax } from '../../../drivers/framing/zvt-frame.ts';
import type { Link } from '../../../drivers/links/link.ts';
import { createWallet } from '../../../drivers/simulation/card.ts';
import { repeatingCardholder, seededRandom } from '../../../drivers/simulation/cardholder.ts';
import type { Presentation, SimulatorOptions } from '../../../drivers/simulation/simulator.ts';
import { type Bmp, bmp, decodeBmps } from '../../../drivers/zvt/protocol/fields.ts';
import { zvtSimulatorOf } from '../../../drivers/zvt/simulator/simulator.ts';
import { fromHex, toHex } from '../../../src/base/hex.ts';
import { testCard } from '../../../src/emv/test-cards.ts';
import { memoryLinks } from '../../support/devices/memory-link.ts';
import { type VirtualClock, virtualClock } from '../../support/time/virtual-clock.ts';

type Follow = {
  ends?: string | string[];
  stopAt?: string;
  answerIt?: true;
  forMs?: number;
  allow?: string[];
  forbid?: string[];
  answers?: Record<string, string | string[]>;
  result?: Record<string, string>;
  counts?: Record<string, string>;
  keep?: Record<string, string>;
  has?: string[];
  endData?: string;
  tlv?: false;
};
type Step = {
  send?: string;
  sendPieces?: string;
  each?: number;
  fixLength?: true;
  expect?: string;
  expectCode?: string;
  expectMessage?: string;
  bmps?: Record<string, string>;
  has?: string[];
  hasNot?: string[];
  data?: string;
  starts?: string;
  ends?: string;
  follow?: Follow;
  keep?: Record<string, string>;
  refusedOrAborted?: string[];
  answers?: string[];
  silence?: number;
  wait?: number;
  close?: true;
  connect?: true;
};
type Conversation = { name: string; source: string; till?: string; steps: Step[]; means?: string };

const file = new URL('../../vectors/zvt-conversations.json', import.meta.url);
const { conversations } = JSON.parse(readFileSync(file, 'utf8')) as { conversations: Conversation[] };

const visa: Presentation = { card: testCard('visa-no-cvm'), by: 'chip' };
/** The customer at the terminal, by what happens meanwhile. The simulated issuer has its own decline code. */
const customers: Readonly<Record<string, Presentation>> = {
  'declines (host code 05)': { card: testCard('visa-stolen'), by: 'chip' },
  'customer cancels': { ...visa, cancels: true },
  'nobody comes': { ...visa, never: true },
};
/** The simulated issuer's decline code, which replaces 05. */
const NO = '2B';

/** Conversations that this terminal cannot have, and why. */
const leftOut: Readonly<Record<string, string>> = {
  'unknown-no-word': 'of a till that plays a terminal, and has a gateway to ask',
  'unknown-then-next': 'of a till that plays a terminal, and has a gateway to ask',
  'unknown-resolved-0620': 'of a till that plays a terminal, and has a gateway to ask',
  'unknown-0620-too-early': 'of a till that plays a terminal, and has a gateway to ask',
  'sync-1F1F-behind': 'it has no bytes',
};
/** Commands that this terminal does not support: refused like every unknown command. */
const refused: Readonly<Record<string, string>> = {
  'open-preauths-none': '06230387FFFF',
  'preauth-release-everest': '06220A04000000002500490978',
  'preauth-partial-everest': '06220A04000000002500490978',
};

const register = ({ till = '' }: Conversation) => {
  const clock: VirtualClock = virtualClock();
  const options: SimulatorOptions = {
    ...{ clock, random: seededRandom(7), wallet: createWallet() },
    cardholder: repeatingCardholder([customers[till] ?? visa]),
  };
  let link: Link;
  let received: ZvtApdu[] = [];
  const stored: Record<string, string> = {};
  const connect = (): void => {
    const [deviceEnd, tillEnd] = memoryLinks();
    zvtSimulatorOf({ form: 'apdu' })(deviceEnd, options);
    const cuts = cutter(zvtApduFramer, zvtApduMax);
    received = [];
    link = tillEnd;
    link.listen({
      bytes: (bytes) => {
        for (const piece of cuts.push(bytes)) {
          if (piece.kind === 'noise') throw new Error(`no APDU: ${toHex(piece.bytes)}`);
          received.push(piece.frame);
        }
      },
      closed: () => {},
    });
  };
  const send = async (hex: string): Promise<void> => {
    await link.write(fromHex(hex));
    await clock.settle();
  };
  /** Waits for the next message, as long as T4 allows. */
  const nextApdu = async (forMs = 180_000): Promise<ZvtApdu | undefined> => {
    for (let waited = 0; received.length === 0 && waited < forMs; waited += 100) await clock.advance(100);
    return received.shift();
  };
  const fill = (hex: string): string => hex.replace(/\{(\w+)\}/g, (_, name: string) => stored[name] ?? '');
  const keepFrom = (bmps: readonly Bmp[], request: Record<string, string> = {}): void => {
    for (const [name, number] of Object.entries(request)) stored[name] = toHex(bmp(bmps, number) ?? new Uint8Array());
  };
  connect();
  return {
    clock,
    connect,
    send,
    next: nextApdu,
    filled: fill,
    keepFrom,
    close: () => link.close(),
    pending: () => received,
  };
};
type Register = ReturnType<typeof register>;

const all = <T>(value: T | T[] | undefined): T[] => (value === undefined ? [] : Array.isArray(value) ? value : [value]);

const expectBmps = (bmps: readonly Bmp[], expected: Record<string, string>, filled: Register['filled']): void => {
  for (const [number, hex] of Object.entries(expected))
    expect([number, toHex(bmp(bmps, number) ?? new Uint8Array())]).toEqual([number, filled(hex)]);
};

const isCounted = (count: number, expected: string): boolean =>
  expected === '>0' ? count > 0 : count === Number(expected);

/** Reads and acknowledges up to the named end. */
const follow = async (register: Register, request: Follow, keep?: Record<string, string>): Promise<void> => {
  const answers = new Map(Object.entries(request.answers ?? {}).map(([code, list]) => [code, all(list)]));
  const counts: Record<string, number> = {};
  let result: Bmp[] = [];
  for (;;) {
    const apdu = await register.next();
    if (apdu === undefined) throw new Error(`nothing came; so far ${JSON.stringify(counts)}`);
    const { code, data } = apdu;
    counts[code] = (counts[code] ?? 0) + 1;
    const end = all(request.ends).includes(code);
    expect(request.forbid ?? []).not.toContain(code);
    if (request.allow !== undefined && !end) expect(request.allow).toContain(code);
    if (code === '040F') result = decodeBmps(data);
    if (code === '040F' && request.tlv === false) expect(bmp(result, '06')).toBeUndefined();
    if (code === request.stopAt) return request.answerIt === true ? register.send('800000') : undefined;
    await register.send(answers.get(code)?.shift() ?? '800000');
    if (!end) continue;
    if (request.endData !== undefined) expect(toHex(data)).toBe(request.endData);
    break;
  }
  expectBmps(result, request.result ?? {}, register.filled);
  for (const number of request.has ?? []) expect(bmp(result, number), number).toBeDefined();
  for (const [code, expected] of Object.entries(request.counts ?? {}))
    expect(isCounted(counts[code] ?? 0, expected)).toBe(true);
  register.keepFrom(result, { ...request.keep, ...keep });
};

const play = async (register: Register, step: Step): Promise<void> => {
  const { clock, send, next, filled } = register;
  if (step.send !== undefined) {
    const hex = filled(step.send);
    const length = (hex.length / 2 - 3).toString(16).padStart(2, '0').toUpperCase();
    await send(step.fixLength === true ? `${hex.slice(0, 4)}${length}${hex.slice(6)}` : hex);
  }
  if (step.sendPieces !== undefined) for (const byte of step.sendPieces.match(/../g) ?? []) await send(byte);
  if (step.close === true) await register.close();
  if (step.connect === true) register.connect();
  if (step.wait !== undefined) await clock.advance(step.wait);
  if (step.silence !== undefined) expect(await next(step.silence)).toBeUndefined();
  if (step.expect !== undefined) {
    const apdu = await next();
    expect(apdu && `${apdu.code}00`).toBe(step.expect);
  }
  if (step.answers !== undefined) expect((await next())?.code).toMatch(new RegExp(`^(${step.answers.join('|')})`));
  if (step.refusedOrAborted !== undefined) await expectRefused(register, step.refusedOrAborted);
  if (step.expectCode !== undefined) expectSaid(await next(), step, filled);
  if (step.follow !== undefined) await follow(register, step.follow, step.keep);
};

/** Expects `84 xx`, or `80` and an abort with one of these codes; a result with the code can precede the abort. */
const expectRefused = async ({ next, send }: Register, codes: readonly string[]): Promise<void> => {
  const first = await next();
  if (first?.code.startsWith('84')) return expect(codes).toContain(first.code.slice(2));
  for (;;) {
    const apdu = await next();
    await send('800000');
    if (apdu?.code === '040F') expect(toHex(bmp(decodeBmps(apdu.data), '27') ?? new Uint8Array())).not.toBe('00');
    else return expect(codes).toContain(apdu?.code === '061E' ? toHex(apdu.data) : apdu?.code);
  }
};

const expectSaid = (apdu: ZvtApdu | undefined, step: Step, filled: Register['filled']): void => {
  expect(apdu?.code).toBe(step.expectCode);
  const hex = toHex(apdu?.data ?? new Uint8Array());
  if (step.data !== undefined) expect(hex).toBe(step.data);
  if (step.starts !== undefined) expect(hex.startsWith(step.starts)).toBe(true);
  if (step.ends !== undefined) expect(hex.endsWith(step.ends)).toBe(true);
  if (step.bmps === undefined && step.has === undefined && step.hasNot === undefined) return;
  // A software version and a state are followed by ordinary bitmaps.
  const [, , rest = hex] = /^(F\d){3}/.test(hex) ? splitVersion(hex) : [];
  const bmps = decodeBmps(fromHex(rest));
  expectBmps(bmps, step.bmps ?? {}, filled);
  for (const number of step.has ?? []) expect(bmp(bmps, number), number).toBeDefined();
  for (const number of step.hasNot ?? []) expect(bmp(bmps, number), number).toBeUndefined();
};

const splitVersion = (hex: string): [version: string, state: string, rest: string] => {
  const length = Number(`${hex[1]}${hex[3]}${hex[5]}`) * 2;
  return [hex.slice(6, 6 + length), hex.slice(6 + length, 8 + length), hex.slice(8 + length)];
};

/** The steps of a conversation for which this terminal has its own code. */
const withOwnCode = ({ till, steps }: Conversation): Step[] =>
  till?.includes('05') ? (JSON.parse(JSON.stringify(steps).replaceAll('"05"', `"${NO}"`)) as Step[]) : steps;

const played = conversations.filter(({ name }) => leftOut[name] === undefined && refused[name] === undefined);

test.each(played)('$name: $means', async (conversation) => {
  const spoken = register(conversation);
  for (const step of withOwnCode(conversation)) await play(spoken, step);
});

test.each(Object.entries(refused))('%s: an unsupported command is refused, and nothing follows', async (_, hex) => {
  const spoken = register({ name: '', source: '', steps: [] });
  await spoken.send(hex);
  expect((await spoken.next())?.code).toBe('8483');
  expect(await spoken.next(5_000)).toBeUndefined();
});

test('every conversation is played, refused as a whole, or left out for a reason', () => {
  const names = new Set(conversations.map(({ name }) => name));
  expect([...Object.keys(leftOut), ...Object.keys(refused)].filter((name) => !names.has(name))).toEqual([]);
  expect(played.length).toBeGreaterThan(30);
});
