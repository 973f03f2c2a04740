/**
 * What a register asked for at its registration, which the simulated terminal respects: it sends nothing else. Source:
 * PA00P015 13.08, 2.1 (configuration byte), 2.24 (log-off), 9.2 and 9.4.2 (containers, tag 26).
 */
import type { ZvtApdu } from '../../framing/zvt-frame.ts';
import { decodeRequest, type ZvtAsk, type ZvtRequest } from '../protocol/commands.ts';
import type { ZvtDialectPredicate } from '../protocol/dialects.ts';
import { isUnknownBmp } from '../protocol/fields.ts';
import { refusalApdu } from '../protocol/messages.ts';

export type Register = {
  /** The register prints the receipts of payments, and those of administration; they are sent as 06D1 or 06D3. */
  prints: { payments: boolean; administration: boolean };
  /** The register wants to receive intermediate statuses (04FF). */
  statuses: boolean;
  /** Receipts can be sent as text blocks (06D3). */
  textBlocks: boolean;
  /** The register accepts containers (06). */
  containers: boolean;
};

const bits = { payments: 0x02, administration: 0x04, statuses: 0x08, asPrints: 0x80 } as const;

const registerBy = (
  config: number,
  { containers, textBlocks }: Pick<Register, 'containers' | 'textBlocks'>,
): Register => {
  const has = (bit: number): boolean => (config & bit) !== 0;
  // A register that wants no print data makes its receipts from the result.
  const comes = has(bits.asPrints);
  return {
    prints: { payments: comes && has(bits.payments), administration: comes && has(bits.administration) },
    statuses: has(bits.statuses),
    containers,
    textBlocks: containers && textBlocks,
  };
};

/** For a register that has logged off or never registered: configuration 86, without containers. */
export const unregistered: Register = registerBy(0x86, { containers: false, textBlocks: false });

export const registerOf = ({ config, containers = false, textBlocks }: ZvtAsk<'registration'>): Register =>
  registerBy(Number.parseInt(config, 16), { containers, textBlocks });

/** The currencies that this terminal accepts: those of the countries where ZVT is used. */
export const takesCurrency = (currency: string): boolean => ['EUR', 'CHF'].includes(currency);

// Which commands the simulated ZVT terminal accepts, and the codes with which it refuses the others.

/** Refused before anything begins: a foreign currency, card data that no register may supply, nothing to pay. */
export const refusalOf = (request: ZvtRequest, isDialect: ZvtDialectPredicate): ZvtApdu | undefined => {
  switch (request.name) {
    case 'status':
      return isDialect('status-plain') && request.ask.service !== undefined ? refusalApdu('9A') : undefined;
    case 'totals':
      return isDialect('totals-none') ? refusalApdu('83') : undefined;
    case 'registration':
      return takesCurrency(request.ask.currency) ? undefined : { code: '841E', data: Uint8Array.of(0x6f) };
    case 'authorisation':
    case 'refund':
      if (request.ask.bringsCard === true) return refusalApdu('A5');
      return request.ask.amountMinor === 0n ? refusalApdu('C8') : undefined;
    default:
      return undefined;
  }
};

/** The command, or the code of its refusal. */
export const requestOf = (apdu: ZvtApdu): ZvtRequest | string => {
  try {
    return decodeRequest(apdu) ?? '83';
  } catch (error) {
    // A malformed command is refused; its meaning is never guessed.
    return isUnknownBmp(error) ? '83' : '9A';
  }
};
