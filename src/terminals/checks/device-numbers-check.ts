/** Whether somebody else sells on a terminal of this till, as the receipt numbers between two of its sales tell. */
import type { Check } from '../../api/ports/devices.ts';
import type { LocalizedMessage } from '../../base/localized-message.ts';
import type { PairedDevice } from '../../folder/config.ts';
import type { Ledger } from '../../till/ports.ts';
import { type Jump, jumpsIn } from '../../till/terminal/device-numbers.ts';
import { tellCheck } from '../../words/en/messages/machine.ts';
import { checkOf } from './port-check.ts';

/** What is longer ago has been seen, or is over. */
const DAYS = 30;
const DAY_MS = 86_400_000;

/** The jumps lately at the device that is paired with this counter, oldest first. */
export const jumpsAt = (ledger: Pick<Ledger, 'atDevice'>, { device, terminalId }: PairedPlace, now: number): Jump[] =>
  jumpsIn(ledger.atDevice({ device: `${device.model} ${device.serial}`, terminalId }, now - DAYS * DAY_MS));

type PairedPlace = { device: Pick<PairedDevice, 'model' | 'serial'>; terminalId: string };

/** The last one in words; undefined where there is none. */
export const tellJumps = (jumps: readonly Jump[]): LocalizedMessage | undefined => {
  const last = jumps.at(-1);
  if (last === undefined) return undefined;
  const receipt = String(last.receipt).padStart(6, '0');
  return tellCheck('otherRegister', { count: jumps.length, days: DAYS, from: last.from, to: last.to, receipt });
};

export const numbersCheck = (jumps: readonly Jump[]): Check => {
  const says = tellJumps(jumps);
  return says === undefined
    ? checkOf('Numbers', 'good', { says: tellCheck('numbersFollow') })
    : checkOf('Numbers', 'attention', { says, cure: tellCheck('whoElse') });
};
