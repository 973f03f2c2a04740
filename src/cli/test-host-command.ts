/** `till test-host`: a manager's word that a terminal is at its maker's test host, so that a test till sells on it. */
import type { Command } from 'commander';
import { systemIds } from '../base/ids.ts';
import { openAudit } from '../staff/audit/audit.ts';
import { permissionToChange } from '../staff/running.ts';
import { changeTestHost } from '../terminals/pairing/test-host.ts';
import { type PersonFlags, personIfKnown, withPerson } from './person.ts';
import { printJson } from './shown-mode.ts';
import { tell } from './terms.ts';
import { type TillFlags, withTill, withTillOptions } from './till-options.ts';

type TestHostFlags = TillFlags & PersonFlags & { counter: string; off?: true };

export const addTestHost = (till: Command): void => {
  withPerson(
    withTillOptions(
      till
        .command('test-host')
        .description(
          'say that a terminal which asks its bank itself is at its maker’s test host: a test till sells on it',
        ),
    ),
  )
    .option('--counter <name>', 'which terminal', 'T1')
    .option('--off', 'it is at no test host any more')
    .action(say);
};

const say = (flags: TestHostFlags): Promise<void> =>
  withTill(flags, async (running) => {
    const { counter } = flags;
    const atTestHost = flags.off !== true;
    const person = await personIfKnown(flags, running, permissionToChange('device.testHost'));
    const wish = { folder: running.folder, ids: systemIds, mode: running.shown };
    const { model, serial } = changeTestHost(wish, { counter, atTestHost });
    const device = `${model} ${serial}`.trim();
    openAudit(running.journal).note(
      { on: atTestHost ? 'testHostSaid' : 'testHostDenied', counter, device },
      { ...(person && { name: person.name, role: person.role }), permissions: [] },
    );
    if (flags.json === true) return printJson(running.shown, { counter, model, serial, atTestHost });
    if (atTestHost) tell(`The till sells on ${device} from now on: you said that it is at its maker’s test host.`);
    else tell(`The till does not sell on ${device} any more: it would charge real cards.`);
  });
