/** The terminal that `--terminal` names: a place without its protocol is asked after a yes, before the till opens. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { readAddress } from '../../drivers/address.ts';
import { holdTill } from '../app/open-sales.ts';
import { systemIds } from '../base/ids.ts';
import { type Config, loadConfig } from '../folder/config.ts';
import { type FolderFlags, folderOf } from './till-folder-option.ts';

/**
 * The full address; undefined where none is named. Throws `terminal.unknown`, `command.malformed` where a yes is
 * missing, `terminal.notFound`, `terminal.several`, and `journal.busy` for a running till, which may be selling there.
 */
export const namedTerminal = async ({
  terminal,
  json,
  ...flags
}: FolderFlags & { terminal?: string; json?: true }): Promise<string | undefined> => {
  if (terminal === undefined || readAddress(terminal).driver !== undefined) return terminal;
  const folder = folderOf(flags);
  const paired = pairedIn(folder).terminal;
  // The drivers are loaded by those commands that ask.
  const { addressOfNamed } = await import('./terminal-search.ts');
  return addressOfNamed(terminal, {
    ...{ paired, noYes: true, untouched: () => holdTill(folder)() },
    ...(json && { json }),
  });
};

export type PairedTerminal = Pick<Config, 'terminal' | 'device'>;

/** A till that was never started is not begun for this. */
export const pairedIn = (folder: string): PairedTerminal => {
  if (!existsSync(join(folder, 'till.json'))) return {};
  const { terminal, device } = loadConfig(folder, systemIds);
  return { ...(terminal !== undefined && { terminal }), ...(device && { device }) };
};
