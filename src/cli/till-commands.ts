/** The commands of the till, one for each action. */
import type { Command } from 'commander';

type Add = (till: Command) => void;

/** Each command is loaded on its own, because every command is a start of the program. */
const groups: Readonly<Record<string, Readonly<Record<string, () => Promise<Add>>>>> = {
  'Selling:': {
    sell: async () => (await import('./selling/sell.ts')).addSell,
    refund: async () => (await import('./selling/follow-ups.ts')).addFollowUp('refund'),
    void: async () => (await import('./selling/follow-ups.ts')).addFollowUp('void'),
    gift: async () => (await import('./selling/sell.ts')).addGift,
    credit: async () => (await import('./selling/sell.ts')).addWithCard('credit'),
    receipt: async () => (await import('./selling/receipt.ts')).addReceipt,
    sales: async () => (await import('./selling/sales.ts')).addSales,
  },
  'Holding amounts on cards:': {
    preauth: async () => (await import('./selling/sell.ts')).addWithCard('preauthorisation'),
    increment: async () => (await import('./selling/follow-ups.ts')).addFollowUp('increment'),
    complete: async () => (await import('./selling/follow-ups.ts')).addFollowUp('completion'),
    tip: async () => (await import('./selling/follow-ups.ts')).addTip,
    release: async () => (await import('./selling/follow-ups.ts')).addFollowUp('release'),
    preauths: async () => (await import('./selling/sales.ts')).addPreauths,
  },
  'What is open:': {
    queue: async () => (await import('./selling/queue.ts')).addQueue,
    resolve: async () => (await import('./selling/resolve.ts')).addResolve,
    settle: async () => (await import('./selling/resolve.ts')).addSettle,
    unpaid: async () => (await import('./selling/unpaid.ts')).addUnpaid,
  },
  'The business day:': {
    batch: async () => (await import('./selling/batch.ts')).addBatch,
  },
  'The till that runs:': {
    open: async () => (await import('./store/running-till.ts')).addOpen,
    stop: async () => (await import('./store/running-till.ts')).addStop,
    boot: async () => (await import('./store/boot.ts')).addBoot,
  },
  'The store:': {
    staff: async () => (await import('./store/staff.ts')).addStaff,
    limits: async () => (await import('./store/limits.ts')).addLimits,
    unseal: async () => (await import('./store/machine.ts')).addUnseal,
    'pos-key': async () => (await import('./store/staff.ts')).addPosKey,
    'go-live': async () => (await import('./store/go-live.ts')).addGoLive,
    machine: async () => (await import('./store/machine.ts')).addMachine,
    'plain-http': async () => (await import('./store/machine.ts')).addPlainHttp,
  },
  'Terminals:': {
    terminals: async () => (await import('./terminals/terminals.ts')).addTerminals,
    pair: async () => (await import('./terminals/pair.ts')).addPair,
    unpair: async () => (await import('./terminals/pair.ts')).addUnpair,
    'test-host': async () => (await import('./terminals/terminals.ts')).addTestHost,
    diagnose: async () => (await import('./terminals/diagnose.ts')).addDiagnose,
    trace: async () => (await import('./terminals/trace.ts')).addTrace,
    printer: async () => (await import('./store/printers.ts')).addPrinters,
  },
  'What happened:': {
    journal: async () => (await import('./store/journal.ts')).addJournal,
  },
};

/** Selects the command with this name, or all if there is none. */
const commandFilter = (name = '') => {
  const isOne = Object.values(groups).some((group) => Object.hasOwn(group, name));
  return (each: string): boolean => !isOne || each === name;
};

/** The till's commands that these arguments name; all of them without arguments. */
export const tillFor = async ([name]: readonly string[]): Promise<(program: Command) => void> => {
  const isNamed = commandFilter(name);
  const loaded = await Promise.all(
    Object.entries(groups).map(async ([heading, group]) => ({
      heading,
      commands: await Promise.all(Object.entries(group).flatMap(([each, load]) => (isNamed(each) ? [load()] : []))),
    })),
  );
  return (program) => {
    const till = program.command('till').description('all actions of the till: npm run till -- <command>');
    for (const { heading, commands } of loaded) {
      till.commandsGroup(heading);
      for (const add of commands) add(till);
    }
  };
};
