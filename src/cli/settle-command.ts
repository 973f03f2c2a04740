/** `till settle`: what a person found in the terminal's own journal about a sale that it could not tell of. */
import type { Command } from 'commander';
import { Fault } from '../base/fault.ts';
import { outcomeJson } from '../runtime/outcome.ts';
import { receiptNumber } from './sell.ts';
import { exitCodeOf, print, resultLines, tell } from './terms.ts';
import { type TillFlags, withTill, withTillOptions } from './till-options.ts';

type SettleFlags = TillFlags & { charged?: true; notCharged?: true };

export const addSettle = (till: Command): void => {
  withTillOptions(
    till
      .command('settle <receipt>')
      .description('end a sale that its terminal cannot tell of, once you have looked into the terminal’s own journal'),
  )
    .option('--charged', 'the payment, or the refund, stands there')
    .option('--not-charged', 'it does not')
    .action(async (receipt: string, flags: SettleFlags) => {
      if ((flags.charged === true) === (flags.notCharged === true))
        throw new Fault('command.malformed', { why: 'say either --charged or --not-charged' });
      await withTill(flags, async (running) => {
        const sale = running.till.personSays(receiptNumber(receipt), flags.charged === true);
        if (flags.json === true) print(JSON.stringify(outcomeJson(sale), null, 2));
        else for (const line of resultLines(sale)) tell(line);
        process.exitCode = exitCodeOf(sale);
      });
    });
};
