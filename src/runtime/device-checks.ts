/** What a terminal tells of itself → what a technician has to know of it, in sentences. */
import type { Found } from '../../drivers/discovery-probe.ts';
import type { Health, KeyState } from '../../drivers/terminal.ts';
import type { PairedDevice } from './config.ts';
import { isPaired } from './paired-device.ts';
import type { Check } from './port-check.ts';

/** Device, keys and health of a terminal that answered; `device` is the one the till is paired with. */
export const checkTold = (
  found: Pick<Found, 'kind' | 'info' | 'keys' | 'health' | 'problems'>,
  device?: PairedDevice,
): Check[] => [
  deviceCheck(found, device),
  ...(found.keys ?? []).map(keyCheck),
  ...(found.kind === 'integrated'
    ? [{ what: 'Keys', verdict: 'good', says: 'It keeps its keys to itself, and asks its own host.' } as const]
    : []),
  ...(found.health === undefined ? [] : healthChecks(found.health)),
  ...found.problems.map((says): Check => ({ what: 'Device', verdict: 'attention', says, cure: again })),
];

const again = 'Switch the terminal off and on, and diagnose it again.';

const deviceCheck = ({ info }: Pick<Found, 'info'>, device: PairedDevice | undefined): Check => {
  const { model, serial, firmware } = info;
  const says = `${model}, serial number ${serial || 'unknown'}, firmware ${firmware || 'unknown'}.`;
  if (device === undefined) return { what: 'Device', verdict: 'good', says };
  if (!isPaired(info, device)) {
    const other = `${says} The till is paired with another: ${device.model}, serial number ${device.serial}.`;
    return { what: 'Device', verdict: 'attention', says: other, cure: 'Pair the till anew: npm run till -- pair' };
  }
  return { what: 'Device', verdict: 'good', says: `${says} It is the paired one, since ${device.pairedAt} UTC.` };
};

/** Below this many uses new keys are ordered; a busy till has a few hundred sales a day. */
const FEW_USES = 10_000;
const uses = { sred: 'card data', pin: 'PINs', mac: 'message checks' } as const;
const newKeys = 'Have new keys loaded into the terminal.';

const keyCheck = ({ use, slot, ksn, usesLeft, ready }: KeyState): Check => {
  const place = [
    slot === undefined ? [] : [`slot ${slot}`],
    ksn === undefined ? [] : [`key serial number ${ksn}`],
  ].flat();
  const which = `The key for ${uses[use]}${place.length > 0 ? ` (${place.join(', ')})` : ''}`;
  if (!ready || usesLeft === 0) {
    // Without a PIN key cards that need none can still be taken.
    const verdict = use === 'sred' ? 'bad' : 'attention';
    const why = usesLeft === 0 ? 'has been used up' : 'is missing or not ready';
    return { what: 'Keys', verdict, says: `${which} ${why}.`, cure: newKeys };
  }
  if (usesLeft === undefined) return { what: 'Keys', verdict: 'good', says: `${which} is ready.` };
  const left = `${which} is good for ${usesLeft.toLocaleString('en-US')} more uses.`;
  return usesLeft < FEW_USES
    ? { what: 'Keys', verdict: 'attention', says: left, cure: newKeys }
    : { what: 'Keys', verdict: 'good', says: left };
};

/** A clock that is this far off gives receipts and cryptograms a wrong time. */
const CLOCK_OFF_MS = 120_000;

const healthChecks = ({ ok, problems, batteryPercent, tampered, clockDifferenceMs }: Health): Check[] => {
  const what = 'Health';
  const battery = batteryPercent === undefined ? '' : ` Battery ${batteryPercent} %.`;
  const difference = clockDifferenceMs === undefined ? '' : ` Clock ${clockWords(clockDifferenceMs)}.`;
  if (tampered === true) {
    const cure = 'Take it out of use, keep it apart, and tell whoever is responsible for terminals.';
    return [{ what, verdict: 'bad', says: 'The terminal says that somebody opened it.', cure }];
  }
  const off = clockDifferenceMs !== undefined && Math.abs(clockDifferenceMs) > CLOCK_OFF_MS;
  return [
    ...problems.map((says): Check => ({ what, verdict: 'attention', says: says.replace(/[^.]$/, '$&.'), cure: again })),
    ...(off
      ? [
          {
            what,
            verdict: 'attention',
            says: `The terminal’s clock is ${clockWords(clockDifferenceMs)}.`,
            cure: 'Set the terminal’s clock; look at the till’s own too.',
          } as const,
        ]
      : []),
    ...(ok && !off ? [{ what, verdict: 'good', says: `All well.${battery}${difference}` } as const] : []),
  ];
};

/** `2 s ahead`, `14 min behind`, `right`. */
const clockWords = (differenceMs: number): string => {
  const seconds = Math.round(Math.abs(differenceMs) / 1_000);
  if (seconds === 0) return 'right';
  const much =
    seconds < 120
      ? `${seconds} s`
      : seconds < 7_200
        ? `${Math.round(seconds / 60)} min`
        : `${Math.round(seconds / 3_600)} h`;
  return `${much} ${differenceMs > 0 ? 'ahead' : 'behind'}`;
};
