/** `till receipt` and `till printer`: the paper of any operation again, and the receipt printers. */
import { writeFileSync } from 'node:fs';
import type { Command } from 'commander';
import { systemClock } from '../../base/clock.ts';
import { Fault, wordsOf } from '../../base/fault.ts';
import { systemIds, systemRandom } from '../../base/ids.ts';
import { aboutSale } from '../../ledger/bills.ts';
import { outcomeJson } from '../../ledger/outcome.ts';
import { receiptLines } from '../../printing/receipts.ts';
import { openPaperService, type PaperPort, type PrinterState } from '../../printing/service.ts';
import { permissionToChange } from '../../staff/running.ts';
import { receiptNumber } from '../arguments.ts';
import { type PersonFlags, personIfKnown, withPerson } from '../person.ts';
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

const widthOf = (width: string): 58 | 80 => {
  if (width === '58') return 58;
  if (width === '80') return 80;
  throw new Fault('command.malformed', { why: `--width is 58 or 80, not "${width}"` });
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

const states: Readonly<Record<PrinterState['state'], string>> = {
  ready: 'is ready',
  away: 'does not answer',
  paperOut: 'is out of paper',
  paperLow: 'has little paper left',
  coverOpen: 'has its cover open',
  error: 'reports an error',
  unknown: 'says nothing of itself',
};

/** One line about a printer. */
const printerWords = ({ name, address, width, state, drawer }: PrinterState): string =>
  `Printer ${name} (${address}, ${width} mm${drawer ? ', with a drawer' : ''}) ${states[state]}.`;

type AddFlags = TillFlags & PersonFlags & { width: string; codePage?: string; drawer?: true };

/** `till printer`: the receipt printers of this till, and whether they print. */
export const addPrinters = (till: Command): void => {
  const printer = till.command('printer').description('receipt printers: list, add, remove, test, drawer');
  withTillOptions(printer.command('list').description('each printer and how it is')).action((flags: TillFlags) =>
    at(flags, async (service, till) => showPrinters(await service.printers(), till, flags)),
  );
  withPerson(withTillOptions(printer.command('add <name> <address>').description('escpos+tcp://192.168.1.50:9100 …')))
    .option('--width <mm>', 'paper: 58 or 80 mm', '80')
    .option('--code-page <name>', 'the letters it has, such as cp858; cp437 if left out')
    .option('--drawer', 'a cash drawer is plugged into it')
    .action((name: string, address: string, flags: AddFlags) =>
      at(flags, async (service, till) => {
        const { codePage, drawer } = flags;
        const more = { codePage, drawer: drawer || undefined };
        const fresh = { name, address, width: widthOf(flags.width), ...more };
        showPrinters([await service.addPrinter(fresh, await whoSetsUp(till, flags))], till, flags);
      }),
    );
  withPerson(withTillOptions(printer.command('remove <name>').description('forget a printer'))).action(
    (name: string, flags: TillFlags & PersonFlags) =>
      at(flags, async (service, till) => {
        service.removePrinter(name, await whoSetsUp(till, flags));
        if (flags.json === true) printJson(till.shown, { removed: name });
        else tell(`Printer ${name} is forgotten.`);
      }),
  );
  withTillOptions(printer.command('test <name>').description('print a page that shows what it can')).action(
    (name: string, flags: TillFlags) =>
      at(flags, async (service, till) => showPrinters([await service.testPage(name)], till, flags)),
  );
  withTillOptions(printer.command('drawer').description('open the cash drawer')).action((flags: TillFlags) =>
    at(flags, async (service, till) => showPrinters([await service.openDrawer()], till, flags)),
  );
};

/** Once people are known somebody answers for the till's printers. */
const whoSetsUp = async (till: CommandTill, flags: PersonFlags) => {
  const person = await personIfKnown(flags, till, permissionToChange('printers'));
  return person && { ...person, permissions: [] };
};

const at = (flags: TillFlags, work: (service: PaperPort, till: CommandTill) => Promise<void>): Promise<void> =>
  withTill(flags, (till) => withPaper(till, (service) => work(service, till)));

const showPrinters = (states: readonly PrinterState[], { shown }: CommandTill, { json }: TillFlags): void => {
  if (json === true) printJson(shown, { printers: states });
  else if (states.length === 0) tell('This till has no printer. Add one: npm run till -- printer add NAME ADDRESS');
  else for (const state of states) print(printerWords(state));
};
