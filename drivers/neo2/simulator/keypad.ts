/** What is typed at the simulated NEO 2 reader: a PIN for the host, and the number of a card. */
import { isFault } from '../../../src/base/fault.ts';
import { toHex } from '../../../src/base/hex.ts';
import { hasPinPad } from '../../../src/emv/device-models.ts';
import type { Sealed } from '../../simulation/key-slots.ts';
import { pace } from '../../simulation/pace.ts';
import { type Neo2PinAnswer, pinEnds } from '../protocol/answers.ts';
import type { Neo2Ask } from '../protocol/commands.ts';
import { status } from '../protocol/status.ts';
import type { Neo2Customer } from './customer.ts';
import type { Neo2Unit } from './unit.ts';

/** The PIN under the next key; undefined when there is none left. */
export const sealedPin = (unit: Neo2Unit, pin: string, pan: string): Sealed | undefined => {
  try {
    return unit.parts.keys.sealPin(pin, pan, unit.parts.cipher);
  } catch (error) {
    if (!isFault(error, 'key.exhausted')) throw error;
    unit.parts.report('the PIN key is used up');
    return undefined;
  }
};

/** 62-01: an empty answer at once, the PIN in a second one. */
export const onlinePin = (unit: Neo2Unit, customer: Neo2Customer) => {
  const card = unit.lastRead;
  if (hasPinPad(unit.parts.config.model) === false) return unit.answer('onlinePin', { status: status.unknownSub });
  if (card === undefined) return unit.answer('onlinePin', { status: status.notAllowed });
  const { phase } = unit;
  unit.begin('onlinePin');
  // An entry that failed says so in its status too, and why in its data (IDG p346).
  const failure = unit.speaks('pin-failure-under-00') ? status.ok : status.failed;
  const failed = (answer: Neo2PinAnswer) => unit.end('onlinePin', { status: failure, answer }, phase);
  unit.stopKeys = () => failed({ kind: 'hostCancelled', code: pinEnds.hostCancelled });
  unit.answer('onlinePin', { status: unit.speaks('pin-acknowledged-63') ? status.accepted : status.ok });
  unit.parts.report('PIN entry');
  unit.later(pace.pinMs, () => {
    const digits = customer.pin();
    if (digits === 'cancel') return failed({ kind: 'customerCancelled', code: pinEnds.customerCancelled });
    const sealed = sealedPin(unit, digits, card.pan);
    if (sealed === undefined) return failed({ kind: 'noKey', code: pinEnds.keyUsedUp });
    const answer = { kind: 'entered', data: sealed.data, ksn: toHex(sealed.ksn) } as const;
    unit.end('onlinePin', { status: status.ok, answer }, phase);
  });
};

/** 83-41. */
export const manual = (
  unit: Neo2Unit,
  customer: Neo2Customer,
  { name, ask: { timeoutS } }: { name: 'manual' | 'manualUnderV3'; ask: Neo2Ask<'manual'> },
) => {
  unit.forget();
  unit.begin(name, new Set(['manual']));
  if (timeoutS > 0) unit.later(timeoutS * 1_000, () => unit.fail(status.timedOut));
  customer.readerOn();
};
