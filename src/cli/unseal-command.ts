/** `till unseal`: takes the till's secrets out of this machine's key store, for use without the window. */
import type { Command } from 'commander';
import { Fault } from '../base/fault.ts';
import { keyByCode } from '../folder/keys/key-file.ts';
import { recoveryStretchCost } from '../folder/keys/recovery-code.ts';
import { unsealSecrets } from '../folder/keys/secrets.ts';
import { askHidden } from './hidden-input.ts';
import { tell } from './terms.ts';
import { type FolderFlags, folderOf, withFolder } from './till-folder-option.ts';

export const addUnseal = (till: Command): void => {
  withFolder(till.command('unseal'))
    .description('opens the till’s secrets with the recovery code, for commands beside the till’s own window')
    .action(async (flags: FolderFlags) => {
      const folder = folderOf(flags);
      const code = await askHidden('Recovery code: ');
      // One window has both tills, and one key: it lies with the test till, also where the live one is unsealed.
      const key =
        (await keyByCode(folder, code, recoveryStretchCost)) ??
        (await keyByCode(flags.data, code, recoveryStretchCost));
      if (key === undefined) throw new Fault('secrets.wrongCode');
      unsealSecrets(folder, key);
      tell(
        'The secrets lie open in till.secrets.json again, for this user alone. The window seals them when it starts.',
      );
    });
};
