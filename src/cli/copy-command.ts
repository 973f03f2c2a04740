/** `till journal copy`: whether the second copy of journal and queue has all there is. */
import type { Command } from 'commander';
import { printJson } from './shown-mode.ts';
import { FAULT, print, tell } from './terms.ts';
import { type TillFlags, withTill, withTillOptions } from './till-options.ts';

export const addCopy = (journal: Command): void => {
  withTillOptions(journal.command('copy'))
    .description('how far the second copy is that till.json names as secondCopy; brings it up to date')
    .action(async (flags: TillFlags) => {
      await withTill(flags, async ({ secondCopy, shown }) => {
        if (secondCopy === undefined) {
          if (flags.json === true) printJson(shown, { secondCopy: null });
          tell('There is no second copy: name a folder on another disk as secondCopy in till.json.');
          return;
        }
        const state = await secondCopy.caughtUp();
        const { folder, entries, behind, fault } = state;
        if (flags.json === true) printJson(shown, { secondCopy: state });
        else print(`${entries} entries in ${folder}, ${behind === 0 ? 'all there are' : `${behind} behind`}.`);
        if (fault === undefined && behind === 0) return;
        process.exitCode = FAULT;
        tell(`It is not kept: ${fault ?? 'it is slow'}. Sales go on. See to that disk; it catches up by itself.`);
      });
    });
};
