/** A simulated NIMBUS terminal on a link. Its issuer is simulated: no real money is involved. */
import type { PlainCall } from '../../../drivers/plain-terminal.ts';
import { createPlainDevice, type PlainSpeech } from '../../../drivers/simulation/plain-device.ts';
import { digits, frames, type Message, nameOf, notice, refusals, statuses } from './commands.ts';

const callOf = ({ letter, fields: [trace = '', minor = '', currency = ''] }: Message): PlainCall | undefined => {
  const name = nameOf(letter);
  if (name === 'reverse') return { do: name, receiptNumber: trace };
  if (name === 'pay' || name === 'refund') return { do: name, amount: { minor: BigInt(minor), currency } };
  return name === undefined ? undefined : { do: name };
};

const answer = ({ letter, fields: [trace = ''] }: Message, speech: PlainSpeech): Message => {
  if (speech.says === 'info') {
    const { model, serial, firmware } = speech.info;
    return { letter: 'K', fields: [model, serial, firmware] };
  }
  if (speech.says === 'lines') return { letter: 'T', fields: speech.lines };
  if (speech.says === 'taken') return { letter: 'K', fields: [] };
  const { outcome } = speech;
  if (outcome.kind === 'none') return { letter: 'N', fields: [] };
  if (outcome.kind === 'busy') return { letter: 'D', fields: refusals.busy };
  if (outcome.kind === 'declined') return { letter: 'D', fields: refusals[outcome.why] };
  const { card, amountMinor, currency, entryMode, at } = outcome.done;
  // The terminal identifies a payment by the till's trace, other operations by its own numbers.
  outcome.done.receipt = nameOf(letter) === 'pay' ? trace : digits(outcome.done.receipt, 6);
  const named = nameOf(letter) === 'reverse' ? trace : outcome.done.receipt;
  const messages = [digits(`${at % 1_000_000}`, 6), `************${card.pan.slice(-4)}`, card.label, entryMode];
  return { letter: 'A', fields: [named, digits(amountMinor, 12), currency, ...messages] };
};

export const nimbusSimulator = createPlainDevice<Message>({
  model: 'NIMBUS',
  frames,
  callOf,
  answer,
  notice: (event) => ({ letter: notice, fields: [statuses[event] ?? 'card'] }),
  unknown: { letter: 'Z', fields: [] },
});
