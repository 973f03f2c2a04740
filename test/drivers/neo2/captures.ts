/** The captured, printed and derived bytes of ID TECH readers in the vector file. */
import { readFileSync } from 'node:fs';
import { fromHex } from '../../../src/base/hex.ts';

export type Capture = { protocol: string; name: string; hex: string; kind: string; direction: string };

const file = new URL('../../vectors/terminal-captures.json', import.meta.url);

export const captures: readonly Capture[] = (JSON.parse(readFileSync(file, 'utf8')) as Capture[]).filter(
  ({ protocol }) => protocol.startsWith('idtech'),
);

/** Those that are whole frames. */
export const frames = captures.filter(({ protocol, hex }) => protocol === 'idtech-neo2' && hex.startsWith('5669564F'));

export const captured = (name: string): Uint8Array => {
  const found = captures.find((each) => each.name === name);
  if (found === undefined) throw new Error(`no capture is named ${name}`);
  return fromHex(found.hex);
};
