/** `till tip`: a pre-authorisation is charged as it was made, with a tip; what is held too little is held first. */
import type { Command } from 'commander';
import type { RunningTill } from '../app/start-till.ts';
import { Fault } from '../base/fault.ts';
import { type Money, printAmount } from '../base/money.ts';
import { type TipSteps, tipSteps } from '../selling/tips.ts';
import { positiveAmount, receiptNumber } from './arguments.ts';
import type { FollowFlags } from './follow-up.ts';
import { cashierFor, withCashier } from './person.ts';
import { conduct, runSale, saleJson } from './run-sale.ts';
import { printJson, tellMode } from './shown-mode.ts';
import { exitCodeOf, tell } from './terms.ts';
import { withTill, withTillOptions } from './till-options.ts';

export const addTip = (till: Command): void => {
  withCashier(
    withTillOptions(
      till
        .command('tip <receipt> <tip>')
        .description('charge what was pre-authorised, and a tip; where too little is held, the rest is held first'),
    ),
  ).action((receipt: string, text: string, flags: FollowFlags) =>
    withTill(flags, async (running) => {
      const number = receiptNumber(receipt);
      const tip = positiveAmount(text, running.till.find(number).intent.amount.currency);
      const { amount, missing } = wantedOf(running, number, tip);
      const by = await cashierFor(flags, running, 'tip');
      if (missing !== undefined) {
        if (flags.json !== true) tellMode(running);
        const more = { operation: 'increment', asTip: true, receipt: number, amount: missing, ...by } as const;
        const { ended } = await conduct(running, { flags }, (hear) => running.till.follow(more, hear));
        process.exitCode = exitCodeOf(ended);
        if (ended.ending !== 'approved') {
          if (flags.json === true) printJson(running.shown, saleJson(running, ended));
          const without = amount === undefined ? '' : ` ${printAmount(amount)}`;
          tell(`Nothing was charged. Without the tip: npm run till -- complete ${number}${without}`);
          return;
        }
      }
      const charged = { receipt: number, ...(amount && { amount }), tip, ...by };
      const complete = { operation: 'completion', asTip: true, ...charged } as const;
      await runSale(running, { flags }, (hear) => running.till.follow(complete, hear));
    }),
  );
};

const wantedOf = (running: RunningTill, receipt: number, tip: Money): TipSteps => {
  const steps = tipSteps(running, running.till.find(receipt), { tip });
  if (steps !== 'raised') return steps;
  const why = `receipt ${receipt} was raised: say what the bill is, npm run till -- complete ${receipt} AMOUNT --tip`;
  throw new Fault('command.malformed', { why: `${why} ${printAmount(tip)}` });
};
