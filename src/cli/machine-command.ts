/** `till machine`: where the data folder belongs, what the gateway knows beyond it, and a manager's word about both. */
import type { Command } from 'commander';
import { systemClock as clock } from '../base/clock.ts';
import { Fault } from '../base/fault.ts';
import { openMachine } from '../takeover/machine.ts';
import { actorIfKnown, type PersonFlags, withPerson } from './person.ts';
import { printJson } from './shown-mode.ts';
import { isWanted } from './terminal-words.ts';
import { FAULT, print, tell } from './terms.ts';
import { type CommandTill, count, type TillFlags, withTill, withTillOptions } from './till-options.ts';

type MachineDesk = ReturnType<typeof openMachine>;
type MachineState = ReturnType<MachineDesk['state']>;
type Actor = Parameters<MachineDesk['moved']>[0];

type MachineFlags = TillFlags & PersonFlags & { yes?: true };

const AFTERWORDS = `
A till's data folder belongs to one machine: to the system's own id of it, or to the name that --machine gives (or the
variable TILLGATE_MACHINE), as in a container, whose id is made anew or copied. On another machine nothing is sold and
nothing that waits is sent, until a manager says what the folder is there:

  npm run till -- machine moved                            it was moved, and nobody sells with it elsewhere
  npm run till -- machine copied --terminal-id 10000002    it is a copy: the original goes on selling

After each start the gateway is asked what it knows of this till. An older copy, such as yesterday's, is noticed by
that; it sells again once it has taken over what the gateway knows:

  npm run till -- machine take-over

Two tills that sell under one terminal number look like copies of each other. Take nothing over there: give one of
them a "terminalId" of its own in its till.json, and start it anew.`;

export const addMachine = (till: Command): void => {
  const machine = till
    .command('machine')
    .description('where this till’s data folder belongs, and what the gateway knows beyond it')
    .addHelpText('after', AFTERWORDS);
  withTillOptions(machine.command('show', { isDefault: true }))
    .description('which machine the folder belongs to; asks the gateway what it knows')
    .action(show);
  withPerson(withTillOptions(machine.command('moved')))
    .description('the folder was moved here, and nobody sells with it elsewhere')
    .option('--yes', 'ask no questions')
    .action((flags: MachineFlags) => say(flags, 'was moved here', (desk, by) => desk.moved(by)));
  withPerson(withTillOptions(machine.command('copied')))
    .description('the folder is a copy: the original goes on selling, and this till gets terminals of its own')
    .requiredOption('--terminal-id <numbers>', 'the acquirer’s numbers, one for each terminal: 10000002,10000003')
    .option('--yes', 'ask no questions')
    .action((flags: MachineFlags & { terminalId: string }) => {
      const numbers = flags.terminalId.split(',').map((one) => one.trim());
      return say(flags, 'is a copy', (desk, by) => desk.copied(numbers, by));
    });
  withPerson(withTillOptions(machine.command('take-over')))
    .description('takes over what the gateway knows of this till and its folder does not')
    .action(takeOver);
};

/** The machine's desk over the till of a command, which sells nothing meanwhile. */
export const deskOf = (running: CommandTill): MachineDesk =>
  openMachine({
    ...{ running, clock, isSelling: () => false, changed: () => {} },
    report: (error) => tell(error instanceof Error ? error.message : String(error)),
    // The next command finds it as it was said.
    restart: async () => {},
  });

const show = (flags: TillFlags): Promise<void> =>
  withTill(flags, async (running) => {
    const state = await deskOf(running).compare();
    if (flags.json === true) printJson(running.shown, { machine: state });
    else for (const line of linesOf(state)) print(line);
    const isHeld = state.binding === 'elsewhere' || state.comparison?.state === 'behind';
    if (isHeld) process.exitCode = FAULT;
  });

const bindings: Readonly<Record<MachineState['binding'], string>> = {
  here: 'The data folder belongs to this machine.',
  unbound:
    'This machine cannot be told from others: a copy of the data folder would not be noticed. Give it a name: --machine.',
  elsewhere:
    'The data folder belongs to another machine: nothing is sold here, and nothing that waits is sent. Say what it is: till machine moved, or till machine copied.',
};

const linesOf = ({ binding, comparison }: MachineState): string[] => [
  bindings[binding],
  ...(comparison === undefined ? [] : [comparedLine(comparison)]),
];

const comparedLine = (comparison: NonNullable<MachineState['comparison']>): string => {
  if (comparison.state === 'compared') return 'The gateway knows nothing of this till that is not here.';
  if (comparison.state === 'behind')
    return `The gateway knows ${count(comparison.sales, 'sale')} of this till’s terminal number that this folder does not. If it is an older copy: till machine take-over. If another till sells under the same number, give this one a "terminalId" of its own in till.json.`;
  return comparison.refused === undefined
    ? 'Not compared with the gateway: it did not answer.'
    : `Not compared with the gateway: it gives no list, ${comparison.refused}.`;
};

const say = (flags: MachineFlags, what: string, act: (desk: MachineDesk, by: Actor) => void): Promise<void> =>
  withTill(flags, async (running) => {
    const desk = deskOf(running);
    if (desk.state().binding !== 'elsewhere') throw new Fault('machine.settled');
    const by = await actorIfKnown(flags, running, 'placeTill');
    if (!(await isWanted(flags, { question: `This folder ${what}?`, toAdd: 'Add --yes to say so.' }))) return;
    act(desk, by);
    if (flags.json === true) printJson(running.shown, { machine: { said: what } });
    else tell(`Noted: this folder ${what}. It holds from the next command on.`);
  });

const takeOver = (flags: MachineFlags): Promise<void> =>
  withTill(flags, async (running) => {
    const by = await actorIfKnown(flags, running, 'placeTill');
    const taken = await deskOf(running).takeOver(by);
    if (flags.json === true) return printJson(running.shown, { taken });
    print(`Taken over from the gateway: ${count(taken.sales, 'sale')}.`);
    if (taken.left > 0)
      print(`${taken.left} are not decided there yet: take them over later. Nothing is sold until then.`);
    if (taken.setAside > 0)
      print(`Set aside, because they may have been voided since: ${count(taken.setAside, 'message')}. See till queue.`);
  });
