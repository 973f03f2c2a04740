/**
 * `till unpaid`: sales that were taken offline and whose money did not come. Each is charged again with the customer's
 * card, settled otherwise, or written off.
 */
import type { Command } from 'commander';
import { systemClock } from '../../base/clock.ts';
import { Fault } from '../../base/fault.ts';
import { printAmount, printMoney } from '../../base/money.ts';
import { tellEvidence } from '../../locales/messages/en/sales.ts';
import { otherCardsOf, type Unpaid } from '../../offline/unpaid.ts';
import { type QueueRow, queueRows } from '../../recovery/queue-view.ts';
import { acceptOf, positiveAmount, receiptNumber } from '../arguments.ts';
import { cashierFor, personOf, withCashier } from '../person.ts';
import { FAULT, paragraph, sentence, tell } from '../terms.ts';
import { printJson, printLines, tellMode } from '../till-folder.ts';
import { type CommandTill, count, type TillFlags, withTill, withTillOptions } from '../till-options.ts';
import { againOf, notChargedYet, runSale, withAgain } from './run-sale.ts';
import type { SellFlags } from './sell.ts';

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
  withAgain(
    withCashier(
      withTillOptions(
        till.command('unpaid [receipt]').description('sales taken offline whose money did not come, and what is done'),
      ),
    ),
  )
    .addHelpText('after', examples)
    .option('--charge-again', 'take what is missing with the customer’s card, as a new sale')
    .option('--amount <amount>', 'with --charge-again: a part of it')
    .option('--accept <list>', 'how a card may be presented: chip, tap, swipe, manual', 'chip,tap,swipe')
    .option('--settled', 'say that it was paid another way; needs --reason and --as')
    .option('--write-off', 'say that it will not be paid; needs --reason and --as')
    .option('--reason <text>', 'how it was settled, or why it is written off')
    .action((receipt: string | undefined, flags: UnpaidFlags) =>
      withTill(flags, async (running) => {
        if (receipt === undefined) return list(running, flags);
        const number = receiptNumber(receipt);
        const ways = [flags.chargeAgain, flags.settled, flags.writeOff].filter((way) => way === true);
        if (ways.length !== 1)
          throw new Fault('command.malformed', { why: 'say one of --charge-again, --settled and --write-off' });
        return flags.chargeAgain === true ? chargeAgain(running, number, flags) : end(running, number, flags);
      }),
    );
};

const list = (running: CommandTill, flags: TillFlags): void => {
  const open = running.unpaid.open();
  const rows = queueRows({ ...running, sql: running.journal.sql, clock: systemClock });
  if (flags.json === true) printJson(running.shown, { unpaid: open.map(unpaidJson) });
  else if (open.length === 0) tell('Nothing is unpaid.');
  else
    printLines(running, [...open.flatMap((one) => unpaidLines(one, rows)), `${count(open.length, 'sale')} not paid.`]);
  if (open.length > 0) process.exitCode = FAULT;
};

/** Receipt, what is missing, and what can be done. */
export const unpaidLines = (unpaid: Unpaid, rows: readonly QueueRow[]): string[] => {
  const { sale, state, missing } = unpaid;
  const row = rows.find((one) => one.sale === sale.intent.sale && one.state === 'task');
  const word = state === 'charging' ? 'BEING CHARGED AGAIN' : 'NOT PAID';
  return [
    `receipt ${String(sale.intent.receipt).padStart(6, '0')}  ${printMoney(missing).padStart(14)}  ${word}`,
    ...(row === undefined ? [] : paragraph('    ', `${sentence(row.why)} ${sentence(row.toDo)}`)),
    ...otherCardsOf(unpaid).flatMap((other) => paragraph('    ', otherCardWords(other))),
  ];
};

const otherCardWords = ({ receipt, before, now }: ReturnType<typeof otherCardsOf>[number]): string =>
  sentence(tellEvidence('otherCard', { receipt, before, now }).says);

const unpaidJson = (unpaid: Unpaid) => {
  const { sale, state, missing, tries } = unpaid;
  const { receipt, sale: merchantTransactionId } = sale.intent;
  const otherCards = otherCardsOf(unpaid);
  return {
    receipt,
    merchantTransactionId,
    state,
    missing: printAmount(missing),
    currency: missing.currency,
    again: tries.map((one) => one.intent.receipt),
    otherCards: otherCards.length > 0 ? otherCards : undefined,
  };
};

const chargeAgain = async (running: CommandTill, receipt: number, flags: UnpaidFlags): Promise<void> => {
  const accept = acceptOf(flags.accept);
  const unpaid = running.unpaid.of(running.till.find(receipt));
  if (unpaid === undefined) throw new Fault('unpaid.none', { receipt });
  const amount = flags.amount === undefined ? unpaid.missing : positiveAmount(flags.amount, unpaid.missing.currency);
  const chargesAgain = running.unpaid.toCharge(receipt, amount);
  const request = {
    amount,
    chargesAgain,
    ...(await cashierFor(flags, running, 'sell')),
    ...notChargedYet(running, { operation: 'sale', amount }, againOf(flags)),
  };
  await running.terminalReady();
  await runSale(running, { flags, accept }, (hear) => running.till.sell({ ...request, options: { accept } }, hear));
  const now = running.unpaid.of(running.till.find(receipt));
  const other = now && otherCardsOf(now).at(-1);
  if (other !== undefined && other.receipt === now?.tries.at(-1)?.intent.receipt) tell(otherCardWords(other));
};

const end = async (running: CommandTill, receipt: number, flags: UnpaidFlags): Promise<void> => {
  const reason = flags.reason?.trim() ?? '';
  if (reason.length < 3) throw new Fault('command.malformed', { why: 'this needs --reason, in words' });
  // What cannot be ended is said before anybody is asked for a PIN.
  running.till.find(receipt);
  const { name, role } = await personOf(flags, running, 'settleUnpaid');
  const how = flags.settled === true ? 'settledOtherwise' : 'writtenOff';
  const sale = running.unpaid.end(receipt, { how, who: name, role, reason });
  const unpaid = running.unpaid.of(sale);
  if (flags.json === true) return printJson(running.shown, unpaid === undefined ? {} : unpaidJson(unpaid));
  tellMode(running);
  const amount = unpaid === undefined ? '' : printMoney(unpaid.missing);
  tell(
    `Receipt ${receipt}: ${amount} ${how === 'writtenOff' ? 'written off' : 'settled otherwise'} by ${name} (${role}).`,
  );
};
