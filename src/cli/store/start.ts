/** `npm start`: serves the till and its screens until it is stopped. Sales in progress end first. */
import type { Command } from 'commander';
import manifest from '../../../package.json' with { type: 'json' };
import { type ServedTill, serveTill } from '../../app/serve.ts';
import { tillServices } from '../../app/services.ts';
import { errorText } from '../../base/fault.ts';
import { printable } from '../../base/mask.ts';
import type { Mode } from '../../base/mode.ts';
import { malformed, portOf } from '../arguments.ts';
import { tellRights } from '../rights-warning.ts';
import { waitForStop } from '../stop-signals.ts';
import { indexingLine, print, shortLine, tell } from '../terms.ts';
import {
  folderOf,
  warnOfBlockedTill,
  warnOfLiveTill,
  warnOfPlainHttp,
  warnOfUnknownKeys,
  withFolder,
} from '../till-folder.ts';
import { boundTo, count, gatewayOf, MACHINE, namedTerminal, type TillFlags } from '../till-options.ts';
import { openInBrowser, openingLine } from './running-till.ts';

type StartFlags = Pick<
  TillFlags,
  'data' | 'test' | 'machine' | 'terminal' | 'gateway' | 'channel' | 'record' | 'verbose'
> & {
  port: string;
  socket?: string;
  simulate: string;
  training?: true;
  lockAfter?: string;
  openBrowser: boolean;
};

const AFTERWORDS = `
While the till runs, no other program can use its folder. Commands ask the till that runs, with the permissions of the
person in --as NAME. The screens do all that the commands do.
Control-C stops the till, and so do till stop and closing its window: it cancels a sale in
progress and waits for its end. A second Control-C ends it at once, and the next start finishes the sale.

Until staff have been added, only the printed address with #code=… opens the screens. Each start has a new code; with
--socket only the code is printed. till open prints it again.`;

export const addStart = (program: Command): void => {
  withFolder(program.command('start'), 'folder of the till’s journal, configuration and embedded gateway')
    .description('the till with its screens, for a browser on this machine')
    .option('--port <n>', 'TCP port on 127.0.0.1; 0 takes a free one', '8800')
    .option('--socket <path>', 'a socket file that only this user may open, instead of a port')
    .option('--terminal <address>', 'instead of the paired one: mpi+tcp://127.0.0.1:7000, zvt+serial:COM3 …')
    .option('--simulate <protocol>', 'what is simulated while no terminal is paired: mms, neo2, mpi, zvt, none', 'mpi')
    .option('--training', 'nothing is real: it has its own folder, gateway and simulated terminal')
    .option('--machine <name>', MACHINE)
    .option('--gateway <url>', 'a gateway elsewhere, instead of the embedded one: https, with a slash at its end')
    .option('--channel <entityId:token>', 'this till’s channel at that gateway')
    .option('--lock-after <minutes>', 'idle time after which the screens lock; default: 5, or as in till.json')
    .option('--record <file>', 'write the conversation with the terminal into a new file, without card data')
    .option('--no-open-browser', 'do not open the screens in the browser of this machine')
    .option('--verbose', 'print errors in the background')
    .addHelpText('after', AFTERWORDS)
    .action(start);
};

const start = async (flags: StartFlags, command: Command): Promise<void> => {
  const signal = waitForStop();
  const isNamed = command.getOptionValueSource('simulate') === 'cli';
  const terminal = await namedTerminal(flags);
  const named = terminal === undefined ? {} : { terminal };
  const served = await serveTill({ ...optionsOf(flags), ...named, simulateWhen: isNamed ? 'named' : 'unpaired' });
  try {
    await tellRights(folderOf(flags));
    announce(served, flags);
    const stop = Promise.race([signal, served.stopAsked]).then(() => undefined);
    const failed = await Promise.race([stop, served.failed.then((error) => ({ error }))]);
    if (failed !== undefined) throw failed.error;
    const sales = served.underWay();
    if (sales > 0) tell(`Ending. ${count(sales, 'sale')} in progress: cancelling, and waiting for the end.`);
  } finally {
    await served.close();
  }
  tell('The till has ended.');
};

const optionsOf = (flags: StartFlags): Parameters<typeof serveTill>[0] => {
  const { port, socket, terminal, simulate, training, lockAfter, record, verbose } = flags;
  const gateway = gatewayOf(flags);
  if (training === true && (gateway !== undefined || terminal !== undefined))
    throw malformed('--training has a gateway and a terminal of its own');
  return {
    dataDir: folderOf(flags),
    test: flags.test === true,
    at: socket === undefined ? { port: portOf(port) } : { socket },
    version: manifest.version,
    services: tillServices,
    training: training === true,
    boundTo: boundTo(flags),
    indexing: indexingLine(),
    simulate: simulate === 'none' && training !== true ? undefined : simulate,
    terminal,
    gateway,
    record,
    lockAfterMs: lockAfter === undefined ? undefined : minutesIn(lockAfter) * 60_000,
    report(error, counter) {
      if (verbose !== true) return;
      tell(`In passing${counter === undefined ? '' : ` at ${counter}`}: ${printable(errorText(error))}`);
    },
  };
};

const minutesIn = (text: string): number => {
  const minutes = Number(text);
  if (Number.isInteger(minutes) && minutes >= 1 && minutes <= 480) return minutes;
  throw malformed('--lock-after is 1 to 480 minutes');
};

const tills: Readonly<Record<Mode, string>> = { test: 'Test till: no money moves.', live: 'Live till.' };

const announce = (served: ServedTill, { training, terminal, socket, simulate, openBrowser }: StartFlags): void => {
  const running = served.running();
  const { mode, recovered, expired, config } = running;
  const simulates = mode === 'test' && simulate !== 'none';
  if (training !== true) tell(tills[mode]);
  warnOfLiveTill(running);
  warnOfBlockedTill(running);
  warnOfPlainHttp(running);
  warnOfUnknownKeys(running);
  for (const sale of recovered) tell(`The till was stopped in the middle of a sale: ${shortLine(sale)}`);
  for (const sale of expired) tell(`Card data was older than it may be, and was destroyed: ${shortLine(sale)}`);
  if (training === true) tell('TRAINING: nothing that is done here is real.');
  else if (terminal === undefined && config.terminal === undefined)
    tell(simulates ? 'No terminal is paired yet, so a SIMULATED one is used.' : 'No terminal is paired yet.');
  const { path, why } = served.ownerSocket();
  if (path === undefined)
    tell(
      `"till stop" and "till open" cannot reach this till, because it has no socket for them: ${why}. Control-C ends it.`,
    );
  print(`listening on ${served.address}`);
  const { address } = served;
  const code = served.startCode();
  if (code !== undefined) {
    tell('No staff have been added yet: until then anyone with this code has full access.');
    print(openingLine({ address, code }));
  }
  if (socket === undefined && openBrowser && process.stdout.isTTY) openInBrowser({ address, code }, path);
};
