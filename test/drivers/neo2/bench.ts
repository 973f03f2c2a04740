/** A simulated NEO 2 reader on a memory link, of bytes or reports, and the driver at its other end. */

import { present } from '../../../drivers/codec.ts';
import type { Link } from '../../../drivers/links/link.ts';
import { neo2 } from '../../../drivers/neo2/driver/driver.ts';
import { type Neo2SimulatorOptions, neo2Simulator } from '../../../drivers/neo2/simulator/simulator.ts';
import { fromHex, toHex } from '../../../src/base/hex.ts';
import { decryptPinBlock4 } from '../../../src/emv/pin-block.ts';
import { type BenchOptions as AnyBenchOptions, openedOn, poweredOn } from '../../support/devices/driver-bench.ts';
import { openTdesPin, openTdesSred, type Pair, workingKey } from '../../support/devices/driver-hsm.ts';
import { aesFor } from './keys.ts';

export type BenchOptions = AnyBenchOptions & Pick<Neo2SimulatorOptions, 'cipher' | 'menu'>;

/** A powered-on device and the till's end of its link. */
export const bench = ({ cipher, menu, ...options }: BenchOptions = {}) => {
  const own = present({ cipher, menu });
  return poweredOn((link, usual) => neo2Simulator(link, { ...usual, ...own }), options);
};

/** The driver on such a device. */
export const openBench = (options: BenchOptions, wrap: (link: Link) => Link = (link) => link) => {
  const rig = bench(options);
  return openedOn({ ...rig, hostLink: wrap(rig.hostLink) }, neo2);
};

export type Cipher = 'tdes' | 'aes';

/** The plain text of an encrypted pair, as the host's HSM decrypts it, hex. */
export const openSred = (pair: Pair, cipher: Cipher = 'tdes'): string =>
  cipher === 'tdes' ? openTdesSred(pair) : toHex(aesFor(workingKey(fromHex(pair.ksn), 'dataRequest'), pair.data));

export const openPin = (pair: Pair, pan: string): string => {
  const block = pair.data;
  if (block.length !== 16) return openTdesPin(pair, pan);
  return decryptPinBlock4({ key: workingKey(fromHex(pair.ksn), 'pin'), block, pan });
};
