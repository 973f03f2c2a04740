/** What a reader says of itself, in sentences for a person. */
import type { TerminalHealth } from '../../terminal.ts';
import { proprietaryCipherWords, proprietaryModeOf } from '../protocol/proprietary-cipher.ts';
import { statusRow } from '../protocol/status.ts';
import type { Neo2Device } from './device.ts';
import { isReady, type Neo2KeyStatus } from './keys.ts';

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
