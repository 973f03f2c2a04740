/** The captured and derived MMS bytes of the vector file, by name. */
import { readFileSync } from 'node:fs';
import { fromHex } from '../../../src/base/hex.ts';

export type Capture = { protocol: string; name: string; hex: string; kind: string; direction: string };

const file = new URL('../../vectors/terminal-captures.json', import.meta.url);
const all = JSON.parse(readFileSync(file, 'utf8')) as Capture[];

/** Those of one protocol: messages `magtek-mms`, reports `magtek-mms-hid`, frames `magtek-mms-slip`. */
export const captures = (protocol: string): Capture[] => all.filter((each) => each.protocol === protocol);

export const captured = (name: string): Uint8Array => {
  const found = all.find((each) => each.name === name);
  if (found === undefined) throw new Error(`no capture is named ${name}`);
  return fromHex(found.hex);
};
