/** What a sale took, and how a terminal that authorises by itself gives it back. */
import { Fault } from '../base/fault.ts';
import { compare, type Money } from '../base/money.ts';
import { startOfDay } from '../base/wall-time.ts';
import type { Followed, Intent } from './machine/facts.ts';
import type { Sale } from './machine/sale.ts';
import type { TillParts } from './ports.ts';
import { isUsedOnce } from './terminal/device-numbers.ts';

/** What the customer was charged: perhaps a part, or another amount, by a terminal that would not take it back. */
export const chargedOn = ({ intent, terminal, answer }: Sale): Money =>
  terminal?.payment?.amount ?? answer?.approved ?? intent.amount;

/** Whether it went, or may have gone. */
export const mayHaveGone = (sale: Sale): boolean =>
  sale.at !== 'ended' || sale.ending === 'approved' || sale.ending === 'unknown';

type Back = { operation: 'refund' | 'void'; wanted: Money; followers: readonly Sale[] };

/**
 * Of the day's own payments a terminal takes back a whole one by its number; everything else needs the customer's card.
 * So does what it would not take back when it was asked once, what another counter's terminal took, and a number that
 * the terminal gave twice. Throws `terminal.unready` when this till has none now,
 * and `till.cannotFollow` for a void of what it no longer takes back.
 */
export const atTerminal = (
  { integrated, clock, ledger, terminalId, timeZone }: TillParts,
  sale: Sale,
  { operation, wanted, followers }: Back,
): Pick<Intent, 'operation' | 'amount' | 'by' | 'follows'> => {
  const { intent } = sale;
  const { receipt } = intent;
  if (integrated === undefined) {
    const why = `receipt ${receipt} was paid at a terminal that authorises by itself, and this till has none now`;
    throw new Fault('terminal.unready', { why });
  }
  const { receiptNumber: payment, traceNumber, maskedPan } = sale.terminal?.payment ?? {};
  const device = sale.terminal?.device ?? '';
  const isWhole = compare(wanted, chargedOn(sale)) === 0 && !followers.some(mayHaveGone);
  const wasRefused = followers.some((follower) => follower.intent.follows?.at?.how === 'reverse' && isNo(follower));
  // The day of a terminal's receipt numbers: it takes back payments of today only.
  const began = startOfDay(intent.at, timeZone);
  const today = startOfDay(clock.now(), timeZone) === began;
  const isHere = intent.terminalId === terminalId;
  const isOne =
    payment !== undefined && isUsedOnce(payment, ledger.atDevice({ device, terminalId: intent.terminalId }, began));
  const how = isOne && isHere && isWhole && today && !wasRefused ? 'reverse' : 'refund';
  if (operation === 'void' && how === 'refund') {
    const why =
      payment !== undefined && !isOne
        ? `its terminal gave receipt number ${payment} more than once today; a refund needs the customer’s card`
        : !isHere
          ? 'only the terminal of its own counter can take it back; a refund needs the customer’s card'
          : 'its terminal takes back whole payments of the same day only; a refund needs the customer’s card';
    throw new Fault('till.cannotFollow', { receipt, operation: 'a void', why });
  }
  const told = { ...(traceNumber !== undefined && { traceNumber }), ...(maskedPan !== undefined && { maskedPan }) };
  const at = { device, how, ...(how === 'reverse' && told) } as const;
  const follows: Followed = { sale: intent.sale, payment: payment ?? '', receipt, at };
  return { operation, by: 'terminal', amount: wanted, follows };
};

/** The terminal will not take it back: not now, and not on this device. */
const isNo = (refund: Sale): boolean =>
  refund.at === 'ended' && ['reversalDeclined', 'otherTerminal', 'notBegunAtTerminal'].includes(refund.reason);
