/** Turns what a terminal reports about itself into checks for a technician. */

import type { FoundTerminal } from '../../../drivers/discovery.ts';
import type { KeyState, TerminalHealth } from '../../../drivers/terminal.ts';
import type { Check } from '../../api/contract/diagnosis.ts';
import { DAY_MS } from '../../base/clock.ts';
import type { LocalizedMessage } from '../../base/localized-message.ts';
import type { PairedDevice } from '../../folder/config.ts';
import { tellCheck } from '../../locales/messages/en/machine.ts';
import type { Ledger } from '../../till/ports.ts';
import { type Jump, jumpsIn } from '../../till/terminal/device-numbers.ts';
import { isPaired } from '../paired-device.ts';
import { checkOf } from './port-check.ts';

/** Device, keys and health of a terminal that answered; `device` is the one that the till is paired with. */
export const terminalChecks = (
  found: Pick<FoundTerminal, 'kind' | 'info' | 'keys' | 'health' | 'problems'>,
  device?: PairedDevice,
): Check[] => [
  deviceCheck(found, device),
  ...(found.keys ?? []).map(keyCheck),
  ...(found.kind === 'integrated' ? [checkOf('Keys', 'good', { says: tellCheck('ownKeys') })] : []),
  ...(found.health === undefined ? [] : healthChecks(found.health)),
  ...found.problems.map((text) => checkOf('Device', 'attention', { says: tellCheck('terminalSays', { text }), cure })),
];

const cure = tellCheck('offAndOn');

const deviceCheck = ({ info }: Pick<FoundTerminal, 'info'>, device: PairedDevice | undefined): Check => {
  const { model, serial, firmware } = info;
  const known = { model, serial: serial || tellCheck('unknown'), firmware: firmware || tellCheck('unknown') };
  const message = tellCheck('device', known);
  if (device === undefined) return checkOf('Device', 'good', { says: message });
  if (!isPaired(info, device)) {
    const other = tellCheck('otherDevice', { device: message, model: device.model, serial: device.serial });
    const check = checkOf('Device', 'attention', { says: other, cure: tellCheck('pairAnew') });
    return { ...check, cure: 'Pair the till anew: npm run till -- pair' };
  }
  const since = { at: Date.parse(`${device.pairedAt.replace(' ', 'T')}Z`) };
  return checkOf('Device', 'good', { says: tellCheck('pairedDevice', { device: message, since }) });
};

/** Below this number of uses new keys should be ordered; a busy till has a few hundred sales a day. */
const FEW_USES = 10_000;

const keyCheck = ({ use, slot, ksn, usesLeft, ready }: KeyState): Check => {
  const places = [
    slot === undefined ? [] : [`slot ${slot}`],
    ksn === undefined ? [] : [`key serial number ${ksn}`],
  ].flat();
  const place = places.length > 0 ? ` (${places.join(', ')})` : '';
  const key = tellCheck('key', { use: tellCheck(use), place });
  const newKeys = tellCheck('newKeys');
  if (!ready || usesLeft === 0) {
    // Without a PIN key, cards that need no PIN can still be taken.
    const verdict = use === 'sred' ? 'bad' : 'attention';
    return checkOf('Keys', verdict, {
      says: tellCheck(usesLeft === 0 ? 'keyUsedUp' : 'keyMissing', { key }),
      cure: newKeys,
    });
  }
  if (usesLeft === undefined) return checkOf('Keys', 'good', { says: tellCheck('keyReady', { key }) });
  const message = tellCheck('keyLeft', { key, uses: usesLeft });
  return usesLeft < FEW_USES
    ? checkOf('Keys', 'attention', { says: message, cure: newKeys })
    : checkOf('Keys', 'good', { says: message });
};

/** A clock this far off gives receipts and cryptograms a wrong time. */
const CLOCK_OFF_MS = 120_000;

const healthChecks = ({ ok, problems, batteryPercent, tampered, clockDifferenceMs }: TerminalHealth): Check[] => {
  const what = 'Health';
  if (tampered === true) return [checkOf(what, 'bad', { says: tellCheck('tampered'), cure: tellCheck('outOfUse') })];
  const clock = clockDifferenceMs === undefined ? undefined : clockMessage(clockDifferenceMs);
  const off = clockDifferenceMs !== undefined && Math.abs(clockDifferenceMs) > CLOCK_OFF_MS;
  const facts = {
    battery: batteryPercent === undefined ? '' : tellCheck('battery', { percent: batteryPercent }),
    clock: clock === undefined ? '' : tellCheck('clockIs', { clock }),
  };
  return [
    ...problems.map((text) => {
      const message = tellCheck('terminalSays', { text: text.replace(/[^.]$/, '$&.') });
      return checkOf(what, 'attention', { says: message, cure });
    }),
    ...(off && clock
      ? [checkOf(what, 'attention', { says: tellCheck('clockOff', { clock }), cure: tellCheck('setClock') })]
      : []),
    ...(ok && !off ? [checkOf(what, 'good', { says: tellCheck('allWell', facts) })] : []),
  ];
};

/** `2 s ahead`, `14 min behind`, `right`. */
const clockMessage = (differenceMs: number): LocalizedMessage => {
  const seconds = Math.round(Math.abs(differenceMs) / 1_000);
  if (seconds === 0) return tellCheck('clockRight');
  const much =
    seconds < 120
      ? `${seconds} s`
      : seconds < 7_200
        ? `${Math.round(seconds / 60)} min`
        : `${Math.round(seconds / 3_600)} h`;
  return tellCheck(differenceMs > 0 ? 'clockAhead' : 'clockBehind', { much });
};

// Detects from the receipt numbers whether another register sells on a terminal of this till.

/** Older jumps were already reported, or their cause is gone. */
const DAYS = 30;

/** Recent jumps at the device paired with this counter, oldest first. */
export const jumpsAtDevice = (
  ledger: Pick<Ledger, 'salesAtDevice'>,
  { device, terminalId }: PairedPlace,
  now: number,
): Jump[] =>
  jumpsIn(ledger.salesAtDevice({ device: `${device.model} ${device.serial}`, terminalId }, now - DAYS * DAY_MS));

type PairedPlace = { device: Pick<PairedDevice, 'model' | 'serial'>; terminalId: string };

/** The last jump as text. Undefined if there is none. */
export const tellJumps = (jumps: readonly Jump[]): LocalizedMessage | undefined => {
  const last = jumps.at(-1);
  if (last === undefined) return undefined;
  const receipt = String(last.receipt).padStart(6, '0');
  return tellCheck('otherRegister', { count: jumps.length, days: DAYS, from: last.from, to: last.to, receipt });
};

export const numbersCheck = (jumps: readonly Jump[]): Check => {
  const message = tellJumps(jumps);
  return message === undefined
    ? checkOf('Numbers', 'good', { says: tellCheck('numbersFollow') })
    : checkOf('Numbers', 'attention', { says: message, cure: tellCheck('whoElse') });
};
