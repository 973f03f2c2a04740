/** `till printer`: the receipt printers of this till, and whether they print. */
import type { Command } from 'commander';
import type { PrinterState } from '../../api/contract/paper.ts';
import { unwrap } from '../api-client.ts';
import { choiceIn } from '../arguments.ts';
import { type ApiFlags, type CommandSession, withTillApi } from '../front-door.ts';
import { tillCommand } from '../till-options.ts';

const states: Readonly<Record<PrinterState['state'], string>> = {
  ready: 'is ready',
  away: 'does not answer',
  paperOut: 'is out of paper',
  paperLow: 'has little paper left',
  coverOpen: 'has its cover open',
  error: 'reports an error',
  unknown: 'does not report its state',
};

export const printerWords = ({ name, address, width, state, drawer }: PrinterState): string =>
  `Printer ${name} (${address}, ${width} mm${drawer ? ', with a drawer' : ''}) ${states[state]}.`;

/** Throws `command.malformed`. */
export const widthOf = (width: string): 58 | 80 => (choiceIn(width, ['58', '80'], '--width') === '58' ? 58 : 80);

type AddFlags = ApiFlags & { width: string; codePage?: string; drawer?: true };

export const addPrinters = (till: Command): void => {
  const printer = till.command('printer').description('receipt printers: list, add, remove, test, drawer');
  const sub = (usage: string, says: string): Command => tillCommand(printer, usage, says);
  sub('list', 'all printers and their state').action((flags: ApiFlags) =>
    showing(flags, ({ api }) => unwrap(api.printers.$get())),
  );
  sub('add <name> <address>', 'escpos+tcp://192.168.1.50:9100 …')
    .option('--width <mm>', 'paper: 58 or 80 mm', '80')
    .option('--code-page <name>', 'its character set, such as cp858; default: cp437')
    .option('--drawer', 'a cash drawer is connected to it')
    .action((name: string, address: string, flags: AddFlags) => {
      const { codePage, drawer } = flags;
      const json = { name, address, width: widthOf(flags.width), codePage, drawer };
      return showing(flags, async ({ api }) => [await unwrap(api.printers.$post({ json }))]);
    });
  sub('remove <name>', 'remove a printer').action((name: string, flags: ApiFlags) =>
    withTillApi(flags, async ({ api, show }) => {
      await unwrap(api.printers[':name'].$delete({ param: { name: encodeURIComponent(name) } }));
      show({ json: { removed: name }, says: `Printer ${name} was removed.` });
    }),
  );
  sub('test <name>', 'print a test page').action((name: string, flags: ApiFlags) =>
    showing(flags, async ({ api }) => [
      await unwrap(api.printers[':name'].test.$post({ param: { name: encodeURIComponent(name) } })),
    ]),
  );
  sub('drawer', 'open the cash drawer').action((flags: ApiFlags) =>
    showing(flags, async ({ api }) => [await unwrap(api.drawer.$post())]),
  );
};

const showing = (flags: ApiFlags, work: (till: CommandSession) => Promise<readonly PrinterState[]>): Promise<void> =>
  withTillApi(flags, async (till) => {
    const printers = await work(till);
    const none = 'This till has no printer. Add one: npm run till -- printer add NAME ADDRESS';
    till.show({ json: { printers }, plain: printers.map(printerWords), says: printers.length === 0 ? none : [] });
  });
