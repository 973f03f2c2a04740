/** The captured, printed and derived bytes in the terminals' vector file. */
import { readFileSync } from 'node:fs';
import { fromHex } from '../../../src/base/hex.ts';

export type Capture = { protocol: string; name: string; hex: string; kind: string; direction: string };

const file = new URL('../../vectors/terminal-captures.json', import.meta.url);
const all = JSON.parse(readFileSync(file, 'utf8')) as Capture[];

/** The captures of one maker's protocols, and the bytes of one of them by its name. */
export const capturesOf = (isMine: (protocol: string) => boolean) => {
  const captures: readonly Capture[] = all.filter(({ protocol }) => isMine(protocol));
  const capture = (name: string): Uint8Array => {
    const found = captures.find((each) => each.name === name);
    if (found === undefined) throw new Error(`no capture is named ${name}`);
    return fromHex(found.hex);
  };
  return { captures, captured: capture };
};
