/** `simulate`: a simulated card terminal that speaks its real protocol on a pty or a TCP port. */
import type { Command } from 'commander';
import { type PrinterScript, simulatedPrinter, simulatePrinterOnTcp } from '../../../drivers/printers/simulator.ts';
import { createWallet } from '../../../drivers/simulation/card.ts';
import {
  cardholderOf,
  parseScenario,
  repeatingCardholder,
  seededRandom,
} from '../../../drivers/simulation/cardholder.ts';
import { createKeySlots } from '../../../drivers/simulation/key-slots.ts';
import {
  chosenDialects,
  type Dialects,
  type Model,
  type SimulatorOptions,
  type Station,
  simulateOnPty,
  simulateOnTcp,
} from '../../../drivers/simulation/simulator.ts';
import { simulators } from '../../../drivers/simulators.ts';
import { countCards } from '../../app/serve-simulated.ts';
import { systemClock } from '../../base/clock.ts';
import { Fault } from '../../base/fault.ts';
import { systemRandom } from '../../base/ids.ts';
import { malformed, portOf, textOfFile, wholeNumber } from '../arguments.ts';
import { waitForStop } from '../stop-signals.ts';
import { print, tell } from '../terms.ts';

type SimulateFlags = {
  pty?: string;
  tcp?: string;
  scenario?: string;
  seed?: string;
  data: string;
  dialect?: string;
  json?: true;
};

export const addSimulate = (program: Command): void => {
  program
    .command('simulate <protocol>')
    .description(`a simulated card terminal: ${Object.keys(simulators).join(', ')}; or a receipt printer: printer`)
    .option('--pty <path>', 'create a serial port at this path; not on Windows')
    .option('--tcp <port>', 'a TCP port on 127.0.0.1; 0 takes a free one')
    .option('--scenario <file>', 'JSON: which customers come, with which cards, and which faults happen')
    .option('--seed <n>', 'the same bytes on each run, with new counters of the cards')
    .option('--dialect <names>', 'differences from the strictest terminal: NAME[,NAME…]; list shows them')
    .option('--json', 'of --dialect list')
    .option('--data <dir>', 'folder where the simulated cards’ counters are kept', 'data')
    .action(async (protocol: string, flags: SimulateFlags) => {
      if (protocol === 'printer') return simulatePrinter(flags);
      const model = Object.entries(simulators).find(([name]) => name === protocol)?.[1];
      if (model === undefined) {
        throw malformed(`the terminals that can be simulated are ${Object.keys(simulators)}`);
      }
      const { dialects = {} } = model;
      if (flags.dialect === 'list') return printDialects(dialects, flags.json === true);
      const dialectNames = flags.dialect?.split(',').map((name) => name.trim()) ?? [];
      chosenDialects(dialects, dialectNames);
      const end = waitForStop();
      const station = await serveSimulator(flags, {
        model,
        options: { ...simulatorOptions(flags), dialects: dialectNames },
      });
      print(`simulated terminal at ${protocol}+${station.at}`);
      await end;
      await station.close();
    });
};

/** Prints the dialects for people or, with `--json`, for programs. */
const printDialects = (dialects: Dialects, isJson: boolean): void => {
  const rows = Object.entries(dialects).map(([name, { says, source, models }]) =>
    [name, says, source, ...(models === undefined ? [] : [models])].join('\n  '),
  );
  const none = 'It has none: it behaves as its maker’s document says.';
  print(isJson ? JSON.stringify(dialects, null, 2) : rows.join('\n') || none);
};

/** One device for all connections: its keys and cards keep their counters. */
const simulatorOptions = (flags: SimulateFlags): SimulatorOptions => {
  const random =
    flags.seed === undefined
      ? systemRandom
      : seededRandom(wholeNumber(flags.seed, `"${flags.seed}" is not a seed: give a whole number`));
  const scenario = flags.scenario === undefined ? undefined : parseScenario(read(flags.scenario), flags.scenario);
  const cardholder = scenario === undefined ? repeatingCardholder() : cardholderOf(scenario, random);
  const cards = flags.seed === undefined ? countCards(flags.data, cardholder) : { cardholder, lastAtc: 0 };
  return {
    clock: systemClock,
    random,
    cardholder: cards.cardholder,
    faults: scenario?.faults ?? [],
    config: scenario?.device,
    keys: createKeySlots({ random }),
    wallet: createWallet({ lastAtc: cards.lastAtc }),
    report: tell,
  };
};

const hasPtys = (platform: NodeJS.Platform): boolean => platform !== 'win32';

type Served = { model: Model; options: SimulatorOptions; platform?: NodeJS.Platform };

/** The device at the place that the flags name. Throws `command.malformed`, `link.unavailable`. */
export const serveSimulator = async (
  { pty, tcp }: Pick<SimulateFlags, 'pty' | 'tcp'>,
  { model, options, platform = process.platform }: Served,
): Promise<Station> => {
  if ((pty === undefined) === (tcp === undefined)) {
    throw malformed(`give ${hasPtys(platform) ? 'either --pty or --tcp' : '--tcp'}`);
  }
  if (pty !== undefined && !hasPtys(platform)) {
    throw malformed('Windows has no pseudo terminals: give --tcp 7000 instead of --pty');
  }
  return tcp === undefined ? simulateOnPty(model, pty, options) : simulateOnTcp(model, portOf(tcp), options);
};

const read = (file: string): string =>
  textOfFile(file, (why, cause) => new Fault('config.malformed', { file, why }, cause));

// `simulate printer`: a simulated receipt printer, whose papers appear on the terminal.

/** The keys that a person can type while it runs, and what each does to the printer. */
const keys: Readonly<Record<string, { script: PrinterScript; words: string }>> = {
  p: { script: { paper: 0 }, words: 'The paper is out.' },
  n: { script: { paper: 2_000 }, words: 'A new roll is in.' },
  o: { script: { coverOpen: true }, words: 'The cover is open.' },
  c: { script: { coverOpen: false }, words: 'The cover is closed.' },
};

/** Prints what the printer receives, until it is stopped. Throws `command.malformed` and `link.unavailable`. */
const simulatePrinter = async ({ tcp }: { tcp?: string }): Promise<void> => {
  if (tcp === undefined) throw malformed('a simulated printer needs --tcp');
  const end = waitForStop();
  const simulated = simulatedPrinter({ clock: systemClock, report: print });
  const station = await simulatePrinterOnTcp(simulated, { port: portOf(tcp), clock: systemClock });
  print(`simulated printer at ${station.address}`);
  const hear = (input: Buffer) => {
    for (const letter of input.toString('latin1')) {
      const key = keys[letter];
      if (key === undefined) continue;
      simulated.set(key.script);
      tell(key.words);
    }
  };
  if (process.stdin.isTTY) {
    tell('Type p to take the paper out, n for a new roll, o and c to open and close the cover; then Enter.');
    process.stdin.on('data', hear);
  }
  await end;
  process.stdin.off('data', hear).pause();
  await station.close();
};
