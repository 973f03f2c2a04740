/** `till receipt`: prints the paper of any operation again. */
import type { Command } from 'commander';
import { Fault } from '../base/fault.ts';
import { aboutSale } from '../runtime/bills.ts';
import { outcomeJson } from '../runtime/outcome.ts';
import { receiptLines } from '../runtime/receipts.ts';
import { receiptNumber } from './arguments.ts';
import { print } from './terms.ts';
import { type TillFlags, withTill, withTillOptions } from './till-options.ts';

type ReceiptFlags = TillFlags & { copy: string; width: string };

export const addReceipt = (till: Command): void => {
  withTillOptions(till.command('receipt <receipt>').description('print a receipt again, marked DUPLICATE'))
    .option('--copy <copy>', 'customer or merchant', 'customer')
    .option('--width <mm>', 'paper: 58 or 80 mm', '80')
    .action(async (receipt: string, flags: ReceiptFlags) => {
      const options = { copy: copyOf(flags.copy), width: widthOf(flags.width), duplicate: true } as const;
      await withTill(flags, async (running) => {
        const sale = running.till.find(receiptNumber(receipt));
        if (sale.at !== 'ended') throw new Fault('till.unresolved', { sale: sale.intent.sale });
        const lines = receiptLines(sale, running.config, { ...options, about: aboutSale(running, sale) });
        print(
          flags.json === true
            ? JSON.stringify({ ...outcomeJson(sale), receiptText: lines }, null, 2)
            : lines.join('\n'),
        );
      });
    });
};

const copyOf = (copy: string): 'customer' | 'merchant' => {
  if (copy === 'customer' || copy === 'merchant') return copy;
  throw new Fault('command.malformed', { why: `--copy is customer or merchant, not "${copy}"` });
};

const widthOf = (width: string): 32 | 42 => {
  if (width === '58') return 32;
  if (width === '80') return 42;
  throw new Fault('command.malformed', { why: `--width is 58 or 80, not "${width}"` });
};
