/** A shop counter in front of the simulator: a memory, and a terminal that reads cards, counts and encrypts. */
import type { Clock } from '../../../src/base/clock.ts';
import { fromHex, toHex } from '../../../src/base/hex.ts';
import type { Random } from '../../../src/base/ids.ts';
import { money, numericOf } from '../../../src/base/money.ts';
import { type CvnName, cardKeys, cryptogramOf } from '../../../src/emv/cryptogram-versions.ts';
import { cvv } from '../../../src/emv/cvv.ts';
import {
  tdesEncryptData,
  tdesEncryptPinBlock,
  tdesInitialKey,
  tdesKsnAdvance,
  tdesTransactionKey,
  tdesWorkingKey,
} from '../../../src/emv/dukpt-tdes.ts';
import { encodePinBlock } from '../../../src/emv/pin-block.ts';
import { pvv } from '../../../src/emv/pin-verification.ts';
import { type TestCard, type TestCardName, testCard, testKeys } from '../../../src/emv/test-cards.ts';
import { encodeTlv, type Tlv, tlv } from '../../../src/emv/tlv.ts';
import { printTag57 } from '../../../src/emv/tracks.ts';
import {
  type SimulatorAcquirerOptions,
  simulatorAcquirer,
} from '../../../src/gateway/acquirers/simulator/simulator.ts';
import type { Acquirer, Authorisation, Reference } from '../../../src/gateway/payments/acquirer.ts';
import { acquirerMemory, type InMemory } from '../../support/gateway/acquirer-memory.ts';

export const NOW = Date.UTC(2026, 5, 1, 12, 0, 0);

export type Memory = InMemory;

export const memory = acquirerMemory;

/** Bytes that look random but repeat from run to run. */
export const seededRandom = (seed = 1): Random => {
  let state = seed;
  return (length) =>
    Uint8Array.from({ length }, () => {
      state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fff_ffff;
      return state >>> 16;
    });
};

const stopped: Clock = { now: () => NOW, monotonic: () => 0, after: () => () => undefined };

export const acquirer = (options: Partial<SimulatorAcquirerOptions> = {}): Acquirer =>
  simulatorAcquirer({ memory: memory(), clock: stopped, random: seededRandom(), ...options });

let lastId = 0;
export const nextId = (): string => {
  lastId += 1;
  return `pay${lastId.toString().padStart(29, '0')}`;
};

export type Counters = { nextKsn(): Uint8Array; nextAtc(pan: string): number };

/** Key serial numbers and chip counters of one terminal and its customers, starting with the first. */
export const counters = (keyId = 'FFFF0102000001'): Counters => {
  let ksn = fromHex(`${keyId}000000`);
  const atcs = new Map<string, number>();
  return {
    nextKsn() {
      ksn = tdesKsnAdvance(ksn) ?? fromHex(`${keyId}000001`);
      return ksn;
    },
    nextAtc(pan) {
      const atc = (atcs.get(pan) ?? 0) + 1;
      atcs.set(pan, atc);
      return atc;
    },
  };
};

export const sharedCounters = counters();

const workingKey = (ksn: Uint8Array, usage: 'pin' | 'dataRequest') =>
  tdesWorkingKey(tdesTransactionKey(tdesInitialKey(testKeys.bdk, ksn), ksn), usage);

export const seal = (plainBytes: Uint8Array, ksn: Uint8Array) => ({
  data: toHex(tdesEncryptData(workingKey(ksn, 'dataRequest'), plainBytes)),
  ksn: toHex(ksn),
});

export const sealPin = (pin: string, pan: string, ksn: Uint8Array) => ({
  data: toHex(tdesEncryptPinBlock(workingKey(ksn, 'pin'), encodePinBlock({ format: 0, pin, pan }))),
  ksn: toHex(ksn),
});

export const testCardOf = (name: TestCardName): TestCard => testCard(name);

export const discretionary = (card: TestCard, serviceCode: string): string =>
  testKeys.pvki +
  pvv({ pvk: testKeys.pvk, pvki: testKeys.pvki, pin: card.pin, pan: card.pan }) +
  cvv({ cvk: testKeys.cvk, pan: card.pan, expiry: card.expiry, serviceCode });

export type Presented = {
  by?: 'chip' | 'tap' | 'swipe' | 'fallback' | 'tapStripe';
  minor?: bigint;
  currency?: string;
  type?: 'PA' | 'DB' | 'CD';
  id?: string;
  pin?: string;
  /** Tag 9F27, hex. */
  cid?: string;
  /** Values of tags, whether or not the cryptogram covers them. */
  tags?: Readonly<Record<string, string>>;
  /** Values of tags that are changed after the cryptogram was made. */
  forged?: Readonly<Record<string, string>>;
  omittedTags?: readonly string[];
  custom?: Readonly<Record<string, string>>;
  /** Other parameters of the request, by wire name. */
  parameters?: Readonly<Record<string, string>>;
  at?: number;
  from?: Counters;
  ksn?: Uint8Array;
  stripeText?: string;
};

const iads: Readonly<Record<string, string>> = {
  visa10: '06010A03A00000',
  visa18: '06011203A00000',
  mchip10: '0110A00003220000DAC10000000000000000',
  interac133: '1501850440B100000000B00000000000000000000000',
  mchip14: '0114A00003220000DAC10000000000000000',
};

/** The chip's tags with a genuine cryptogram over them, made as the card makes it. */
export const chipTags = (card: TestCard, options: Presented): Tlv[] => {
  const { minor = 1_250n, currency = 'EUR', cid = '80', from = sharedCounters } = options;
  const values: Record<string, string> = {
    '9F02': minor.toString().padStart(12, '0'),
    '9F03': '000000000000',
    '9F1A': '0276',
    '95': '0000008000',
    '5F2A': numericOf(currency).padStart(4, '0'),
    '9A': '260601',
    '9C': options.type === 'CD' ? '20' : '00',
    '9F37': '1A2B3C4D',
    '82': '1C00',
    '9F36': from.nextAtc(card.pan).toString(16).padStart(4, '0'),
    '9F10': iads[card.cvn] ?? '',
    '9F27': cid,
    '5F34': card.psn,
    ...options.tags,
  };
  const tags = (tag: string) => (values[tag] === undefined ? undefined : fromHex(values[tag]));
  const keys = cardKeys({ ...testKeys, pan: card.pan, psn: card.psn });
  values['9F26'] = toHex(cryptogramOf(card.cvn as CvnName, keys, tags));
  return Object.entries({ ...values, ...options.forged })
    .filter(([tag]) => !options.omittedTags?.includes(tag))
    .map(([tag, value]) => tlv(tag, value));
};

const entryModes = {
  chip: 'ICC',
  tap: 'NFC_ICC',
  swipe: 'MAGSTRIPE',
  fallback: 'MAGSTRIPE_AS_FALLBACK',
  tapStripe: 'NFC_MAGSTRIPE',
} as const;

const ascii = (text: string): Uint8Array => new Uint8Array(Buffer.from(text, 'latin1'));

/** Account data in Miura's layout: 57 for a chip, 5F21 and 5F22 for a stripe. */
export const accountData = (card: TestCard, options: Presented): Uint8Array => {
  const { pan, expiry, serviceCode, holder } = card;
  const { by = 'chip' } = options;
  if (by === 'swipe' || by === 'fallback') {
    const rest = `${expiry}${serviceCode}${options.stripeText ?? discretionary(card, serviceCode)}`;
    return encodeTlv([tlv('5F21', ascii(`%B${pan}^${holder}^${rest}?`)), tlv('5F22', ascii(`;${pan}=${rest}?<`))]);
  }
  const cardData = { pan, expiry, serviceCode, discretionary: options.stripeText ?? discretionary(card, '999') };
  return encodeTlv([tlv('57', printTag57(cardData)), tlv('5F20', ascii(holder))]);
};

/** A complete request for a card at the terminal. */
export const present = (name: TestCardName | TestCard, options: Presented = {}): Authorisation => {
  const card = typeof name === 'string' ? testCard(name) : name;
  const { by = 'chip', minor = 1_250n, currency = 'EUR', from = sharedCounters } = options;
  const ksn = options.ksn ?? from.nextKsn();
  const hasChip = by === 'chip' || by === 'tap';
  return {
    id: options.id ?? nextId(),
    paymentType: options.type ?? 'DB',
    amount: money(minor, currency),
    account: 'pos',
    pos: {
      entryMode: entryModes[by],
      terminalId: '12345678',
      encryptedSred: seal(accountData(card, options), ksn),
      encryptedPin: options.pin === undefined ? undefined : sealPin(options.pin, card.pan, from.nextKsn()),
      iccDataRequest: hasChip ? toHex(encodeTlv(chipTags(card, options))) : undefined,
    },
    parameters: options.parameters ?? {},
    customParameters: options.custom ?? {},
    at: options.at ?? NOW,
  };
};

/** A request with a typed card number, as an online shop sends it. */
export const cardOf = (
  number: string,
  {
    cvv: code = '123',
    ...settings
  }: Omit<Presented, 'by' | 'pin'> & { cvv?: string; month?: string; year?: string } = {},
): Authorisation => ({
  id: settings.id ?? nextId(),
  paymentType: settings.type ?? 'DB',
  amount: money(settings.minor ?? 1_250n, settings.currency ?? 'EUR'),
  account: 'card',
  card: {
    number,
    expiryMonth: settings.month ?? '05',
    expiryYear: settings.year ?? '2030',
    cvv: code,
    holder: 'Jane Jones',
  },
  parameters: settings.parameters ?? {},
  customParameters: settings.custom ?? {},
  at: settings.at ?? NOW,
});

/** A follow-up of a payment, for 12.50 by default. */
export const reference = (
  operation: Reference['operation'],
  parentId: string,
  settings: { minor?: bigint; currency?: string; id?: string; at?: number } = {},
): Reference => ({
  id: settings.id ?? nextId(),
  of: parentId,
  operation,
  amount: money(settings.minor ?? 1_250n, settings.currency ?? 'EUR'),
  parameters: {},
  at: settings.at ?? NOW,
});

export const available = (memory: Memory): bigint[] =>
  [...memory.documents]
    .filter(([key]) => key.startsWith('simulator/account/'))
    .map(([, text]) => BigInt(JSON.parse(text).available));

/** All documents of this kind. */
export const documents = (memory: Memory, kind: string): Record<string, unknown>[] =>
  [...memory.documents]
    .filter(([key]) => key.startsWith(`simulator/${kind}/`))
    .map(([, text]) => JSON.parse(text) as Record<string, unknown>);

/** Inquires about an operation that started now. */
export const inquire = (issuer: Acquirer, id: string) => issuer.inquire(id, NOW);
