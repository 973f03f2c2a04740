/** The captured and derived ZVT bytes of the vector file, by name. */
import { readFileSync } from 'node:fs';
import { fromHex } from '../../../src/base/hex.ts';

export type Capture = { protocol: string; name: string; hex: string; kind: string; direction: string };

const file = new URL('../../vectors/terminal-captures.json', import.meta.url);

const all = JSON.parse(readFileSync(file, 'utf8')) as Capture[];
export const apduCaptures: readonly Capture[] = all.filter(({ protocol }) => protocol === 'zvt');
export const frameCaptures: readonly Capture[] = all.filter(({ protocol }) => protocol === 'zvt-serial');

export const captured = (name: string): Uint8Array => {
  const found = all.find((each) => each.protocol.startsWith('zvt') && each.name === name);
  if (found === undefined) throw new Error(`no capture is named ${name}`);
  return fromHex(found.hex);
};
