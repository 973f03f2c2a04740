/** The DUKPT keys of a reader, as it tells of them (81-0B): which are there, and how long they last. */
import { fromHex } from '../../../src/base/hex.ts';
import { aesKsnUsesLeft } from '../../../src/emv/dukpt-aes-ksn.ts';
import { tdesKsnUsesLeft } from '../../../src/emv/dukpt-tdes-ksn.ts';
import { present } from '../../present.ts';
import type { KeyState } from '../../terminal.ts';
import { statusRow } from '../protocol/status.ts';
import type { Neo2Device } from './device.ts';

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
    const left = state === 'ended' ? 0 : usesLeft(ksn);
    const ready = state === 'valid' && left !== 0;
    states.push({ use, slot: '0', ready, ...present({ ksn, usesLeft: left }) });
  }
  return { states, tampered };
};

/** A serial number of 10 bytes is one of Triple DES, of 12 one of AES; the answer has no other. */
const usesLeft = (ksn: string | undefined): number | undefined => {
  if (ksn === undefined) return undefined;
  return ksn.length === 20 ? tdesKsnUsesLeft(fromHex(ksn)) : aesKsnUsesLeft(fromHex(ksn));
};

/** Whether the reader itself said that it has the key, and that it is good. */
export const showsKey = ({ states }: Neo2KeyStatus, use: KeyState['use']): boolean =>
  states.some((each) => each.use === use && each.ready && each.slot !== undefined);

export const isReady = ({ states }: Neo2KeyStatus, use: KeyState['use']): boolean =>
  states.some((each) => each.use === use && each.ready);
