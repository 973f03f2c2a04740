/** The till's paper desk for one command: nobody listens, and nothing is printed by itself. */
import { systemClock } from '../base/clock.ts';
import { wordsOf } from '../base/fault.ts';
import { systemIds, systemRandom } from '../base/ids.ts';
import { openPaperDesk, type PaperDesk, type PrinterState } from '../printing/service.ts';
import { tell } from './terms.ts';
import type { CommandTill } from './till-options.ts';

/** Opens the desk, does `work` with it, and lets go of the printers whatever happens. */
export const withPaper = async <T>(running: CommandTill, work: (desk: PaperDesk) => Promise<T>): Promise<T> => {
  const desk = openPaperDesk({
    ...{
      running,
      dataDir: running.folder,
      clock: systemClock,
      ids: systemIds,
      random: systemRandom,
      mode: running.shown,
    },
    keeps: false,
    events: { listen: () => () => {}, tell: () => {} },
    report: (error) => tell(wordsOf(error)),
  });
  try {
    return await work(desk);
  } finally {
    desk.close();
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
export const printerWords = ({ name, address, width, state, drawer }: PrinterState): string =>
  `Printer ${name} (${address}, ${width} mm${drawer ? ', with a drawer' : ''}) ${states[state]}.`;
