/** `simulate printer`: a simulated receipt printer, whose papers appear on the terminal. */
import { type PrinterScript, simulatedPrinter, simulatePrinterOnTcp } from '../../drivers/printers/simulator.ts';
import { systemClock } from '../base/clock.ts';
import { Fault } from '../base/fault.ts';
import { portOf } from './port.ts';
import { stopped } from './stop-signals.ts';
import { print, tell } from './terms.ts';

/** What a person types while it runs, and what that does to the printer. */
const keys: Readonly<Record<string, { script: PrinterScript; words: string }>> = {
  p: { script: { paper: 0 }, words: 'The paper is out.' },
  n: { script: { paper: 2_000 }, words: 'A new roll is in.' },
  o: { script: { coverOpen: true }, words: 'The cover is open.' },
  c: { script: { coverOpen: false }, words: 'The cover is closed.' },
};

/** Prints what it is sent, until the process is stopped. Throws `command.malformed`, `link.unavailable`. */
export const simulatePrinter = async ({ tcp }: { tcp?: string }): Promise<void> => {
  if (tcp === undefined) throw new Fault('command.malformed', { why: 'a simulated printer needs --tcp' });
  const end = stopped();
  const simulated = simulatedPrinter({ clock: systemClock, report: print });
  const station = await simulatePrinterOnTcp(simulated, { port: portOf(tcp), clock: systemClock });
  print(`simulated printer at ${station.address}`);
  const hear = (typed: Buffer) => {
    for (const letter of typed.toString('latin1')) {
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
