/**
 * `till unpaid`: sales that were taken offline and never paid. Each is charged again with the customer's card, settled
 * another way, or written off.
 */
import type { Command } from 'commander';
import type { QueueItem } from '../../api/contract/recovery.ts';
import type { OtherCard, UnpaidView } from '../../api/contract/sales.ts';
import { Fault } from '../../base/fault.ts';
import { amountOf } from '../../ledger/wire-money.ts';
import { tellEvidence } from '../../locales/messages/en/sales.ts';
import { unwrap } from '../api-client.ts';
import { acceptOf, malformed, positiveAmount, receiptNumber } from '../arguments.ts';
import { type ApiFlags, type CommandSession, signedPerson, withTillApi } from '../front-door.ts';
import { cashierIn } from '../person.ts';
import { amountWords, FAULT, hostAmount, paragraph, receiptWords, sentence, tell } from '../terms.ts';
import { linesOr, printJson, tellMode } from '../till-folder.ts';
import { count } from '../till-options.ts';
import { againOf, cardCommand, runSale, withAgain } from './live-sale.ts';
import { begin, type SellFlags } from './sell.ts';

type UnpaidFlags = SellFlags & {
  chargeAgain?: true;
  amount?: string;
  settled?: true;
  writeOff?: true;
  reason?: string;
};

const examples = `
  npm run till -- unpaid                       what is not paid; exit code 5 when there is any
  npm run till -- unpaid 7 --charge-again      asks for what is missing of receipt 7 with the customer's card
  npm run till -- unpaid 7 --settled --reason "paid in cash, cash receipt 318" --as Anna
  npm run till -- unpaid 7 --write-off --reason "the customer cannot be reached" --as Anna`;

export const addUnpaid = (till: Command): void => {
  const says = 'unpaid offline sales, and what to do about them';
  withAgain(cardCommand(till, 'unpaid [receipt]', says))
    .addHelpText('after', examples)
    .option('--charge-again', 'charge the missing amount to the customer’s card, as a new sale')
    .option('--amount <amount>', 'with --charge-again: only this amount')
    .option('--settled', 'say that it was paid another way; needs --reason and --as')
    .option('--write-off', 'say that it will not be paid; needs --reason and --as')
    .option('--reason <text>', 'how it was settled, or why it is written off')
    .action((receipt: string | undefined, flags: UnpaidFlags) => {
      if (receipt === undefined) return list(flags);
      const number = receiptNumber(receipt);
      const ways = [flags.chargeAgain, flags.settled, flags.writeOff].filter((way) => way === true);
      if (ways.length !== 1) throw malformed('say one of --charge-again, --settled and --write-off');
      return flags.chargeAgain === true ? chargeAgain(number, flags) : end(number, flags);
    });
};

const list = (flags: ApiFlags): Promise<void> =>
  withTillApi(flags, async (till) => {
    const { items } = await unwrap(till.api.queue.$get());
    const open = items.filter(({ state }) => state === 'task');
    const lines = open.length === 0 ? [] : [...open.flatMap(unpaidLines), `${count(open.length, 'sale')} not paid.`];
    till.show({ json: { unpaid: open.map(unpaidJson) }, ...linesOr(lines, 'Nothing is unpaid.') });
    if (open.length > 0) process.exitCode = FAULT;
  });

/** The receipt, the missing amount and what can be done. Empty for an item that is not unpaid. */
export const unpaidLines = ({ receipt, unpaid, why, toDo }: QueueItem): string[] => {
  if (unpaid === undefined) return [];
  const word = unpaid.state === 'charging' ? 'BEING CHARGED AGAIN' : 'NOT PAID';
  return [
    `receipt ${receiptWords(receipt)}  ${amountWords(unpaid.missing).padStart(14)}  ${word}`,
    ...paragraph('    ', `${sentence(why)} ${sentence(toDo)}`),
    ...(unpaid.otherCards ?? []).flatMap((other) => paragraph('    ', otherCardWords(other))),
  ];
};

const otherCardWords = ({ receipt, before, now }: OtherCard): string =>
  sentence(tellEvidence('otherCard', { receipt, before, now }).says);

const unpaidJson = ({ receipt, sale, unpaid }: Pick<QueueItem, 'receipt' | 'sale' | 'unpaid'>) =>
  unpaid && {
    receipt,
    merchantTransactionId: sale,
    state: unpaid.state,
    missing: hostAmount(unpaid.missing),
    currency: unpaid.missing.currency,
    again: unpaid.again ?? [],
    otherCards: unpaid.otherCards,
  };

const chargeAgain = (receipt: number, flags: UnpaidFlags): Promise<void> => {
  const accept = acceptOf(flags.accept);
  return withTillApi(flags, async (session) => {
    const { missing } = await unpaidOf(session, receipt);
    const amount = flags.amount === undefined ? missing : amountOf(positiveAmount(flags.amount, missing.currency));
    const request = { amount, accept, chargesAgain: receipt, again: againOf(flags), ...cashierIn(flags) };
    await runSale(session, { flags, accept }, (key) => begin(session, request, key));
    const { again, otherCards = [] } = await unpaidOf(session, receipt);
    const other = otherCards.at(-1);
    if (other !== undefined && other.receipt === again?.at(-1)) tell(otherCardWords(other));
  });
};

const unpaidOf = async ({ api }: CommandSession, receipt: number): Promise<UnpaidView> => {
  const { unpaid } = await unwrap(api.sales[':receipt{[0-9]{1,9}}'].$get({ param: { receipt: String(receipt) } }));
  if (unpaid === undefined) throw new Fault('unpaid.none', { receipt });
  return unpaid;
};

const end = (receipt: number, flags: UnpaidFlags): Promise<void> => {
  const reason = flags.reason?.trim() ?? '';
  if (reason.length < 3) throw malformed('this needs --reason, in words');
  const action = flags.settled === true ? 'settleOtherwise' : 'writeOff';
  return withTillApi(flags, async (till) => {
    const { name, role } = signedPerson(till);
    const { api, shown } = till;
    const param = { receipt: String(receipt) };
    await unwrap(api['open-items'][':receipt{[0-9]{1,9}}'].$post({ param, json: { action, reason } }));
    const { id, unpaid } = await unwrap(api.sales[':receipt{[0-9]{1,9}}'].$get({ param }));
    if (flags.json === true) return printJson(shown, { ...unpaidJson({ receipt, sale: id, unpaid }) });
    tellMode(till);
    const amount = unpaid === undefined ? '' : amountWords(unpaid.missing);
    const how = action === 'writeOff' ? 'written off' : 'settled otherwise';
    tell(`Receipt ${receipt}: ${amount} ${how} by ${name} (${role}).`);
  });
};
