/** A simulated NEO 2 reader on a memory link, of bytes or reports, and the driver at its other end. */

import type { Link } from '../../../drivers/links/link.ts';
import { memoryLinks } from '../../../drivers/links/memory.ts';
import { neo2 } from '../../../drivers/neo2/driver.ts';
import { type Neo2SimulatorOptions, neo2Simulator } from '../../../drivers/neo2/simulator.ts';
import { scripted } from '../../../drivers/simulation/cardholder.ts';
import { seededRandom } from '../../../drivers/simulation/seeded-random.ts';
import type { Presentation } from '../../../drivers/simulation/simulator.ts';
import type { CardInterface, HostVerdict, ReadOutcome, ReadRequest, TerminalEvent } from '../../../drivers/terminal.ts';
import type { Fault } from '../../../src/base/fault.ts';
import { fromHex, toHex } from '../../../src/base/hex.ts';
import { cardKeys, cryptogramOf, cvnOfIad, issuerAuthentication } from '../../../src/emv/cryptogram-versions.ts';
import {
  tdesDecryptData,
  tdesDecryptPinBlock,
  tdesInitialKey,
  tdesTransactionKey,
  tdesWorkingKey,
} from '../../../src/emv/dukpt-tdes.ts';
import { decodePinBlock } from '../../../src/emv/pin-block.ts';
import { decryptPinBlock4 } from '../../../src/emv/pin-block-4.ts';
import { type TestCardName, testCard } from '../../../src/emv/test-cards.ts';
import { testKeys } from '../../../src/emv/test-keys.ts';
import { decodeTlv, encodeTlv, find, tlv } from '../../../src/emv/tlv.ts';
import { virtualClock } from '../../support/virtual-clock.ts';
import { aesFor } from './keys.ts';

export type BenchOptions = Partial<Omit<Neo2SimulatorOptions, 'clock' | 'random' | 'cardholder'>> & {
  presentations?: readonly Presentation[];
  seed?: number;
  carries?: Link['carries'];
};

/** A powered-on device and the till's end of its link. */
export const bench = ({ presentations = [], seed = 1, carries = 'stream', ...options }: BenchOptions = {}) => {
  const [deviceLink, hostLink] = memoryLinks(carries);
  const clock = virtualClock();
  const lines: string[] = [];
  const device = neo2Simulator(deviceLink, {
    clock,
    random: seededRandom(seed),
    cardholder: scripted(presentations),
    report: (line) => lines.push(line),
    ...options,
  });
  return { clock, device, hostLink, lines };
};

export const all: readonly CardInterface[] = ['chip', 'tap', 'swipe'];

/** The driver on such a device. */
export const opened = async (options: BenchOptions, wrap: (link: Link) => Link = (link) => link) => {
  const made = bench(options);
  const strays: Fault[] = [];
  const tools = { clock: made.clock, report: (stray: Fault) => strays.push(stray) };
  const terminal = await made.clock.until(neo2.open(wrap(made.hostLink), tools));
  const events: TerminalEvent[] = [];
  const request = (minor: bigint, accept: readonly CardInterface[]): ReadRequest => ({
    amount: { minor, currency: 'EUR' },
    kind: 'purchase',
    at: made.clock.now(),
    accept,
    withinMs: 30_000,
  });
  const start = (minor = 9_900n, accept = all) => terminal.read(request(minor, accept), (event) => events.push(event));
  return {
    ...made,
    terminal,
    strays,
    events,
    start,
    read: (minor = 9_900n, accept = all) => made.clock.until(start(minor, accept)),
    complete: (verdict: HostVerdict) => made.clock.until(terminal.complete(verdict)),
  };
};

export const cardOf = (outcome: ReadOutcome) => {
  if (outcome.kind === 'notRead') throw new Error(`not read: ${outcome.why}`);
  return outcome.card;
};

/** The issuer, with nothing but what the till would send it. */
export const issuer = (name: TestCardName, icc: string) => {
  const { pan, psn, brand } = testCard(name);
  const { imkAc, imkSmi, imkSmc } = testKeys;
  const keys = cardKeys({ imkAc, imkSmi, imkSmc, pan, psn });
  const list = decodeTlv(fromHex(icc));
  const tags = (tag: string) => find(list, tag)?.value ?? (tag === '9F03' ? new Uint8Array(6) : undefined);
  const cvn = cvnOfIad(brand, tags('9F10') ?? new Uint8Array(0));
  if (cvn === undefined) throw new Error('unknown cryptogram version');
  const cryptogram = tags('9F26') ?? new Uint8Array(0);
  return {
    genuine: toHex(cryptogramOf(cvn, keys, tags)) === toHex(cryptogram),
    answer(approve: boolean): string {
      const arc = approve ? '00' : '05';
      const data = issuerAuthentication(cvn, keys, { tags, cryptogram, approve, arc });
      return toHex(encodeTlv([tlv('8A', new Uint8Array(Buffer.from(arc))), tlv('91', data)]));
    },
  };
};

const keyOf = (ksn: Uint8Array, usage: 'pin' | 'dataRequest') =>
  tdesWorkingKey(tdesTransactionKey(tdesInitialKey(testKeys.bdk, ksn), ksn), usage);

type Pair = { data: string; ksn: string };
export type Cipher = 'tdes' | 'aes';

/** What the host's HSM makes of an encrypted pair, hex. */
export const openSred = ({ data, ksn }: Pair, cipher: Cipher = 'tdes'): string => {
  const key = keyOf(fromHex(ksn), 'dataRequest');
  return toHex(cipher === 'tdes' ? tdesDecryptData(key, fromHex(data)) : aesFor(key, fromHex(data)));
};

export const openPin = ({ data, ksn }: Pair, pan: string): string => {
  const key = keyOf(fromHex(ksn), 'pin');
  const block = fromHex(data);
  if (block.length === 16) return decryptPinBlock4({ key, block, pan });
  return decodePinBlock({ format: 0, block: tdesDecryptPinBlock(key, block), pan });
};
