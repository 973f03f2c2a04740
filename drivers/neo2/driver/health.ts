/** What a reader says of itself: at the first words with it, of its keys, and of its health. */
import { usesLeftOf } from '../../reader-terminal.ts';
import { asSimulated, isSimulated, type KeyState, type TerminalHealth, type TerminalInfo } from '../../terminal.ts';
import { proprietaryCipherWords, proprietaryModeOf } from '../protocol/card-data.ts';
import { bootNotices } from '../protocol/commands.ts';
import { statusRow } from '../protocol/status.ts';
import { neo2Tlv } from '../protocol/tlv.ts';
import type { Neo2Device } from './device.ts';

const fewLeft = 1_000;

/** Asks the reader how it is. `keys` are fresh. */
export const healthOf = async (device: Neo2Device, keys: Neo2KeyStatus): Promise<TerminalHealth> => {
  const { status, answer = {} } = await device.ask('state', {});
  const tampered = keys.tampered || statusRow(status).means === 'tampered';
  const problems = [
    ...(tampered ? ['The terminal says that somebody opened it'] : []),
    ...(answer.active === 0 ? ['It has not been activated: whoever supplied it has to do that'] : []),
    ...(answer.locked === 1 ? ['It is locked: whoever supplied it has to unlock it'] : []),
    ...(device.restarted ? ['The terminal has restarted by itself'] : []),
    ...proprietaryCipherProblems(device),
    ...(device.lacksKey === undefined ? [] : [capital(device.lacksKey)]),
    ...(device.gaveClear ? ['At the last card it gave no encrypted card data'] : []),
    ...(device.outputMode?.variant === 'pin' ? [pinVariant] : []),
    ...(isReady(keys, 'sred') ? [] : [missing(keys, 'sred', 'card data')]),
    ...(isReady(keys, 'pin') ? [] : [missing(keys, 'pin', 'PINs')]),
    ...keys.states
      .filter(({ ready, usesLeft }) => ready && usesLeft !== undefined && usesLeft < fewLeft)
      .map(({ use, usesLeft }) => `The key for ${names[use]} is good for ${usesLeft} more uses`),
  ];
  return { ok: problems.length === 0, problems, tampered };
};

/** What it says of its key before any card, or else what the last card was under. */
const proprietaryCipherProblems = ({ outputMode, proprietaryCipher }: Neo2Device): string[] => {
  const set = proprietaryModeOf(outputMode);
  if (set !== undefined) return [capital(proprietaryCipherWords(set))];
  return proprietaryCipher === undefined ? [] : [`At the last card ${proprietaryCipherWords(proprietaryCipher)}`];
};

const capital = (words: string): string => words.charAt(0).toUpperCase() + words.slice(1);

/** Hosts take data keys of ANSI X9.24 for data. */
const pinVariant =
  'It encrypts card data under the PIN variant of its key: whoever runs the gateway has to know that, or whoever ' +
  'supplied the reader has to set the data variant (command C7-A2)';

const names = { sred: 'card data', pin: 'PINs', mac: 'messages' } as const;

const missing = ({ states }: Neo2KeyStatus, use: 'sred' | 'pin', name: string): string =>
  states.find((each) => each.use === use)?.usesLeft === 0
    ? `The key for ${name} is used up`
    : `There is no key for ${name}`;

// The DUKPT keys of a reader, as it tells of them (81-0B): which are there, and how long they last.

/** The numbers of the keys in 81-0B; all are in slot 0. */
const uses = [
  ['sred', 2],
  ['pin', 1],
  ['mac', 5],
] as const;

export type Neo2KeyStatus = {
  states: readonly KeyState[];
  /** The reader answered that somebody opened it. */
  tampered: boolean;
};

/** How the reader uses its key for card data; older ones do not tell. */
export const readOutputMode = async (device: Neo2Device): Promise<void> => {
  device.outputMode = await device.wish('outputMode', { key: 1, slot: 0 });
};

/** Asks for each key. A reader that does not know the question is taken to have its keys: its data tells. */
export const readKeys = async (device: Neo2Device): Promise<Neo2KeyStatus> => {
  const states: KeyState[] = [];
  let tampered = false;
  for (const [use, number] of uses) {
    const { status, answer } = await device.ask('keyState', { use: number, slot: 0 });
    const { means } = statusRow(status);
    tampered ||= means === 'tampered';
    if (answer === undefined) {
      if (use !== 'mac') states.push({ use, ready: means === 'unsupported' });
      continue;
    }
    const { state, ksn } = answer;
    if (use === 'mac' && state !== 'valid') continue;
    const left = state === 'ended' ? 0 : usesLeftOf(ksn);
    const ready = state === 'valid' && left !== 0;
    states.push({ use, slot: '0', ready, ksn, usesLeft: left });
  }
  return { states, tampered };
};

/** Whether the reader itself said that it has the key, and that it is good. */
export const showsKey = ({ states }: Neo2KeyStatus, use: KeyState['use']): boolean =>
  states.some((each) => each.use === use && each.ready && each.slot !== undefined);

export const isReady = ({ states }: Neo2KeyStatus, use: KeyState['use']): boolean =>
  states.some((each) => each.use === use && each.ready);

// The first words with a reader: it stops what it does, says what it is, and takes the settings this driver needs.

/** Stops the reader, reads what it is, and settles it. Throws the faults of link and device. */
export const greet = async (device: Neo2Device): Promise<TerminalInfo> => {
  // First of all: any other command would be taken for a cancel by a reader that still waits for a card.
  await device.wish('cancel', {});
  await device.need('ping', {});
  const { text: serial } = await device.need('serial', {});
  const version = (await device.wish('version', {}))?.text ?? '';
  const firmware = (await device.wish('firmware', {}))?.text ?? version;
  await settle(device);
  return {
    model: modelIn(`${version} ${firmware}`),
    serial: serial.trim(),
    firmware: firmware.trim(),
  };
};

const modelIn = (said: string): string => {
  const model = /\b(VP\d{4}\w*|Kiosk \w+|VIVOpay \w+)/i.exec(said)?.[0] ?? 'ID TECH';
  return isSimulated({ model: said, serial: '' }) ? asSimulated(model) : model;
};

/** Cards on demand only, no bursts of data nobody asked for, and a word at every restart. */
export const settle = async (device: Neo2Device): Promise<void> => {
  device.restarted = false;
  await device.need('pollMode', { mode: 1 });
  await device.wish('configure', { tlvs: [neo2Tlv('DFEE7E', '00')] });
  await device.wish('bootNotice', { on: bootNotices.frame });
};
