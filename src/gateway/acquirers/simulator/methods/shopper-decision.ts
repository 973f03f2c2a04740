/** A payment that waits for its shopper, how it ends, and the simulated bank's pages where the shopper decides. */
import { type Money, printMoney } from '../../../../base/money.ts';
import { codes } from '../../../../base/result-codes.ts';
import { escapeText } from '../../../../base/text.ts';
import {
  allowOnly,
  browserPage,
  isOwnForm,
  LEADS_AWAY,
  messagePageOf,
  redirectToShop,
  shortForm,
} from '../../../browser-page.ts';
import type { AcquirerAnswer } from '../../../spec/acquirer-answer.ts';
import { acquirerRefusal, answerOf } from '../answers.ts';
import type { DocumentChange, OperationOutcome } from '../documents.ts';
import type { LedgerTransaction } from '../ledger.ts';
import { createPurseMove, takenAmount } from '../purse.ts';
import { holdingOf, type SimulatorContext } from '../record.ts';
import { visitPath } from './method.ts';

export type Decision = 'pays' | 'refuses' | 'leaves' | 'timesOut';

export type PendingContext = Pick<SimulatorContext, 'ledger' | 'clock' | 'random'>;

/** How long the simulated bank waits for the shopper's answer, from the start of the payment. */
export const PATIENCE_MS = 30 * 60_000;

/**
 * The codes for cancelled by the user; for left, which the catalogue calls "uncertain, probably cancelled" (certain
 * here, since the payment ends with it); and for timed out.
 */
const endings = {
  refuses: codes.cancelledByShopper,
  leaves: codes.withdrawnPending,
  timesOut: codes.timedOutPending,
} as const;

/**
 * Ends the pending payment of this id as its shopper decided, and returns its final answer; for a payment that has
 * already ended, its existing answer. Undefined if there is no such payment. Paying takes the money if the purse still
 * has it, otherwise gives 51 (800.100.155).
 */
export const decidePending = async (
  context: PendingContext,
  id: string,
  decision: Decision,
): Promise<AcquirerAnswer | undefined> => {
  const earlier = await context.ledger.read('outcome', id);
  if (earlier?.pending !== true) return earlier?.answer;
  // A pending outcome keeps its purse, so this name is still right when the transaction runs.
  const names = [`outcome ${id}`, ...(earlier.purse === undefined ? [] : [`purse ${earlier.purse}`])];
  return context.ledger.withLocks(names, async (transaction) => {
    const current = await transaction.read('outcome', id);
    if (current?.pending !== true) return current?.answer;
    const { pending: _, ...rest } = current;
    const ending =
      decision === 'pays'
        ? await payPending(context, transaction, rest)
        : { answer: acquirerRefusal(endings[decision]) };
    const { answer, moved, changes = [] } = ending;
    const document: OperationOutcome = { ...rest, answer, moved };
    await transaction.write([...changes, { kind: 'outcome', name: id, document }]);
    return answer;
  });
};

type PendingEnding = { answer: AcquirerAnswer; moved?: OperationOutcome['moved']; changes?: readonly DocumentChange[] };

const payPending = async (
  { clock, random }: PendingContext,
  transaction: LedgerTransaction,
  outcome: OperationOutcome,
): Promise<PendingEnding> => {
  const { operation, minor, currency, purse, answer: earlier } = outcome;
  const moved = createPurseMove(operation === 'PA' ? 'PA' : 'DB', { minor, currency });
  const money = await holdingOf(transaction, { purse });
  const isEnough = money === undefined || money.available >= takenAmount(moved);
  const answerParts = { at: clock.now(), random, account: earlier.account };
  if (!isEnough) return { answer: answerOf({ code: '51', ...answerParts }) };
  const changes = money === undefined ? [] : [money.changeTo(money.available - takenAmount(moved))];
  return { answer: answerOf({ code: '00', ...answerParts }), moved, changes };
};

// The simulated bank in a shopper's browser: asks whether to pay, and sends the shopper back to the shop.

/** The page's path, with `:id` for the payment's id. */
export const shopperPagePath = visitPath(':id');

const methods = ['GET', 'HEAD', 'POST'];

/** A form with one field is far shorter. */
const BODY_MAX_BYTES = 4096;

/**
 * Answers GET with the question and POST with a redirect (303) to the shop, where the payment's result can be queried;
 * answers a POST without a decision, as shops send their shoppers, with the question. A second click also leads back to
 * the shop, so that the shopper is not stranded. 404 if no payment waits, 405 for other methods, 413 for a long body.
 * Calls `onDecision` with the id of a payment that has ended, before the shopper returns and asks for it. Throws only
 * what the ledger and `onDecision` throw.
 */
export const shopperPage =
  (context: PendingContext, onDecision: (id: string) => Promise<void> = async () => {}) =>
  async (request: Request): Promise<Response> => {
    if (!methods.includes(request.method)) {
      return allowOnly(methods, messagePage(405, 'Not possible', 'This page can only be viewed and answered.'));
    }
    const id = idOf(request.url);
    const visit = id === undefined ? undefined : await context.ledger.read('visit', id);
    if (id === undefined || visit === undefined) return nothingPendingPage();

    const decision = request.method === 'POST' ? await decisionOf(request) : 'none';
    if (decision === 'tooLong') return messagePage(413, 'Not possible', 'The answer was too long.');
    // As when the window is closed: nothing is decided, and the shop learns that the payment waits.
    if (decision === 'later') return redirectToShop(visit.returnTo);
    if (decision !== 'none') {
      await decidePending(context, id, decision);
      await onDecision(id);
      return redirectToShop(visit.returnTo);
    }
    const outcome = await context.ledger.read('outcome', id);
    if (outcome?.pending !== true) return nothingPendingPage();
    const { minor, currency } = outcome;
    return questionPage({ ...visit, amount: { minor, currency } });
  };

const nothingPendingPage = (): Response =>
  messagePage(404, 'No payment waits here', 'It may have ended already, or it never started. Please ask the shop.');

const idOf = (url: string): string | undefined =>
  /^\/v1\/simulators\/bank\/([A-Za-z0-9]{1,64})\/?$/.exec(new URL(url).pathname)?.[1];

/** `later`: the shopper closed the window, and the payment waits until its time is over. */
type ShopperChoice = 'pays' | 'refuses' | 'later';

const decisions: ReadonlySet<string> = new Set<ShopperChoice>(['pays', 'refuses', 'later']);

/** A form sent by another site decides nothing, whatever it contains: only this page's own buttons do. */
const decisionOf = async (request: Request): Promise<ShopperChoice | 'none' | 'tooLong'> => {
  const form = await shortForm(request, BODY_MAX_BYTES);
  if (form === 'tooLong') return form;
  const decision = form.get('decision') ?? '';
  return decisions.has(decision) && isOwnForm(request) ? (decision as ShopperChoice) : 'none';
};

type Question = { shop: string; amount: Money };

const OF = 'simulated bank';

/** Asks the shopper. The form posts `decision` (pays, refuses or later) to the same address. */
const questionPage = ({ shop, amount }: Question): Response => {
  const body = `
<h1>Pay ${escapeText(printMoney(amount))}?</h1>
<p class="note">This is a simulated bank. No real money moves.</p>
<dl>
<dt>Shop</dt><dd>${escapeText(shop)}</dd>
<dt>Amount</dt><dd>${escapeText(printMoney(amount))}</dd>
</dl>
<form method="post">
<button class="yes" type="submit" name="decision" value="pays">Yes, pay</button>
<button type="submit" name="decision" value="refuses">No, do not pay</button>
<button type="submit" name="decision" value="later">Close without an answer</button>
</form>`;
  return browserPage({ status: 200, title: 'Confirm the payment', of: OF, body, formAction: LEADS_AWAY });
};

/** Explains why there is nothing to decide. */
const messagePage = messagePageOf(OF);
