/** `till receipt`: the paper of any operation again. */
import { writeFileSync } from 'node:fs';
import type { Command } from 'commander';
import { systemClock } from '../../base/clock.ts';
import { Fault, wordsOf } from '../../base/fault.ts';
import { systemIds, systemRandom } from '../../base/ids.ts';
import { aboutSale } from '../../ledger/bills.ts';
import { outcomeJson } from '../../ledger/outcome.ts';
import { receiptLines } from '../../printing/receipts.ts';
import { openPaperService, type PaperPort } from '../../printing/service.ts';
import { receiptNumber } from '../arguments.ts';
import { printerWords, widthOf } from '../store/printers.ts';
import { print, tell } from '../terms.ts';
import { printJson } from '../till-folder.ts';
import { type CommandTill, type TillFlags, withTill, withTillOptions } from '../till-options.ts';

type ReceiptFlags = TillFlags & {
  copy: string;
  width: string;
  language?: string;
  print?: true;
  pdf?: string;
  svg?: string;
  email?: string;
};

export const addReceipt = (till: Command): void => {
  withTillOptions(till.command('receipt <receipt>').description('print a receipt again, marked DUPLICATE'))
    .option('--copy <copy>', 'customer or merchant', 'customer')
    .option('--width <mm>', 'paper: 58 or 80 mm', '80')
    .option('--language <tag>', 'de, fr, ar …; the store’s own if left out')
    .option('--print', 'on the receipt printer')
    .option('--pdf <file>', 'into this PDF file')
    .option('--svg <file>', 'into this SVG file')
    .option('--email <file>', 'into this file, which a mail program opens')
    .action(async (receipt: string, flags: ReceiptFlags) => {
      const number = receiptNumber(receipt);
      await withTill(flags, (running) =>
        isElsewhere(flags) ? put(running, number, flags) : show(running, number, flags),
      );
    });
};

const isElsewhere = ({ print: paper, pdf, svg, email, language }: ReceiptFlags): boolean =>
  paper === true || [pdf, svg, email, language].some((given) => given !== undefined);

/** As text on the terminal. */
const show = async (running: CommandTill, number: number, flags: ReceiptFlags): Promise<void> => {
  const sale = running.till.find(number);
  if (sale.at !== 'ended') throw new Fault('receipt.notYet', { receipt: sale.intent.receipt });
  const options = { copy: copyOf(flags.copy), width: widthOf(flags.width) === 58 ? 32 : 42, duplicate: true } as const;
  const lines = receiptLines(sale, running.config, {
    mode: running.shown,
    ...options,
    about: aboutSale(running, sale),
  });
  if (flags.json === true) printJson(running.shown, { ...outcomeJson(sale, running.shown), receiptText: lines });
  else print(lines.join('\n'));
};

const put = (running: CommandTill, number: number, flags: ReceiptFlags): Promise<void> =>
  withPaper(running, async (service) => {
    const { language } = flags;
    const ask = { copy: copyOf(flags.copy), width: widthOf(flags.width), duplicate: true, language };
    const files = { pdf: flags.pdf, svg: flags.svg, email: flags.email } as const;
    for (const form of ['pdf', 'svg', 'email'] as const) {
      const file = files[form];
      if (file === undefined) continue;
      save(file, (await service.receipt(number, form, ask)).body);
      tell(`Receipt ${number} is in ${file}.`);
    }
    if (flags.print === true) tell(printerWords(await service.print(number, ask)));
    else if (Object.values(files).every((file) => file === undefined)) {
      print(String((await service.receipt(number, 'text', ask)).body).trimEnd());
    }
  });

const save = (file: string, body: string | Uint8Array): void => {
  try {
    writeFileSync(file, body);
  } catch (error) {
    throw new Fault('command.malformed', { why: `${file} cannot be written: ${wordsOf(error)}` }, error);
  }
};

const copyOf = (copy: string): 'customer' | 'merchant' => {
  if (copy === 'customer' || copy === 'merchant') return copy;
  throw new Fault('command.malformed', { why: `--copy is customer or merchant, not "${copy}"` });
};

// The till's paper service for one command: nobody listens, and nothing is printed by itself.

/** Opens the service, does `work` with it, and lets go of the printers whatever happens. */
const withPaper = async <T>(running: CommandTill, work: (service: PaperPort) => Promise<T>): Promise<T> => {
  const service = openPaperService({
    running,
    dataDir: running.folder,
    clock: systemClock,
    ids: systemIds,
    random: systemRandom,
    mode: running.shown,
    keeps: false,
    events: { listen: () => () => {}, tell: () => {} },
    report: (error) => tell(wordsOf(error)),
  });
  try {
    return await work(service);
  } finally {
    service.close();
  }
};
