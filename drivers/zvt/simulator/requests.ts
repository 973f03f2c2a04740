/** Which commands the simulated ZVT terminal takes, and by which code it refuses the others. */
import type { ZvtApdu } from '../../framing/zvt-apdu.ts';
import { isUnknownBmp } from '../protocol/bmps.ts';
import { decodeRequest, type ZvtRequest } from '../protocol/commands.ts';
import type { ZvtDialectPredicate } from '../protocol/dialects.ts';
import { refusal } from '../protocol/messages.ts';
import { takesCurrency } from './register.ts';

/** Refused before anything is begun: a foreign currency, card data that no register may bring, nothing to pay. */
export const refusalOf = (request: ZvtRequest, speaks: ZvtDialectPredicate): ZvtApdu | undefined => {
  switch (request.name) {
    case 'status':
      return speaks('status-plain') && request.ask.service !== undefined ? refusal('9A') : undefined;
    case 'totals':
      return speaks('totals-none') ? refusal('83') : undefined;
    case 'registration':
      return takesCurrency(request.ask.currency) ? undefined : { code: '841E', data: Uint8Array.of(0x6f) };
    case 'authorisation':
    case 'refund':
      if (request.ask.bringsCard === true) return refusal('A5');
      return request.ask.amountMinor === 0n ? refusal('C8') : undefined;
    default:
      return undefined;
  }
};

/** The command, or the code of its refusal. */
export const requestOf = (apdu: ZvtApdu): ZvtRequest | string => {
  try {
    return decodeRequest(apdu) ?? '83';
  } catch (error) {
    // A command that breaks its own rules is refused, never guessed at.
    return isUnknownBmp(error) ? '83' : '9A';
  }
};
