/** `till printer`: the receipt printers of this till, and whether they print. */
import type { Command } from 'commander';
import { Fault } from '../base/fault.ts';
import type { PaperDesk, PrinterState } from '../printing/service.ts';
import { permissionToChange } from '../staff/running.ts';
import { printerWords, withPaper } from './paper-desk.ts';
import { type PersonFlags, personIfKnown, withPerson } from './person.ts';
import { printJson } from './shown-mode.ts';
import { print, tell } from './terms.ts';
import { type CommandTill, type TillFlags, withTill, withTillOptions } from './till-options.ts';

type AddFlags = TillFlags & PersonFlags & { width: string; codePage?: string; drawer?: true };

export const addPrinters = (till: Command): void => {
  const printer = till.command('printer').description('receipt printers: list, add, remove, test, drawer');
  withTillOptions(printer.command('list').description('each printer and how it is')).action((flags: TillFlags) =>
    at(flags, async (desk, till) => show(await desk.printers(), till, flags)),
  );
  withPerson(withTillOptions(printer.command('add <name> <address>').description('escpos+tcp://192.168.1.50:9100 …')))
    .option('--width <mm>', 'paper: 58 or 80 mm', '80')
    .option('--code-page <name>', 'the letters it has, such as cp858; cp437 if left out')
    .option('--drawer', 'a cash drawer is plugged into it')
    .action((name: string, address: string, flags: AddFlags) =>
      at(flags, async (desk, till) => {
        const { codePage, drawer } = flags;
        const more = { ...(codePage !== undefined && { codePage }), ...(drawer === true && { drawer }) };
        const fresh = { name, address, width: widthOf(flags.width), ...more };
        show([await desk.addPrinter(fresh, await whoSetsUp(till, flags))], till, flags);
      }),
    );
  withPerson(withTillOptions(printer.command('remove <name>').description('forget a printer'))).action(
    (name: string, flags: TillFlags & PersonFlags) =>
      at(flags, async (desk, till) => {
        desk.removePrinter(name, await whoSetsUp(till, flags));
        if (flags.json === true) printJson(till.shown, { removed: name });
        else tell(`Printer ${name} is forgotten.`);
      }),
  );
  withTillOptions(printer.command('test <name>').description('print a page that shows what it can')).action(
    (name: string, flags: TillFlags) => at(flags, async (desk, till) => show([await desk.testPage(name)], till, flags)),
  );
  withTillOptions(printer.command('drawer').description('open the cash drawer')).action((flags: TillFlags) =>
    at(flags, async (desk, till) => show([await desk.openDrawer()], till, flags)),
  );
};

/** Once people are known somebody answers for the till's printers. */
const whoSetsUp = async (till: CommandTill, flags: PersonFlags) => {
  const person = await personIfKnown(flags, till, permissionToChange('printers'));
  return person && { ...person, permissions: [] };
};

const at = (flags: TillFlags, work: (desk: PaperDesk, till: CommandTill) => Promise<void>): Promise<void> =>
  withTill(flags, (till) => withPaper(till, (desk) => work(desk, till)));

const show = (states: readonly PrinterState[], { shown }: CommandTill, { json }: TillFlags): void => {
  if (json === true) printJson(shown, { printers: states });
  else if (states.length === 0) tell('This till has no printer. Add one: npm run till -- printer add NAME ADDRESS');
  else for (const state of states) print(printerWords(state));
};

const widthOf = (width: string): 58 | 80 => {
  if (width === '58') return 58;
  if (width === '80') return 80;
  throw new Fault('command.malformed', { why: `--width is 58 or 80, not "${width}"` });
};
