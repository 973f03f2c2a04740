/** Every action of the till, as a command of its own. */
import type { Command } from 'commander';

type Add = (till: Command) => void;

/** Each with what it needs: most need a part of what all of them do, and each of them is a start of its own. */
const groups: Readonly<Record<string, Readonly<Record<string, () => Promise<Add>>>>> = {
  'Selling:': {
    sell: async () => (await import('./sell.ts')).addSell,
    refund: async () => (await import('./refund-command.ts')).addRefund,
    void: async () => (await import('./void-command.ts')).addVoid,
    gift: async () => (await import('./gift-command.ts')).addGift,
    credit: async () => (await import('./credit-command.ts')).addCredit,
    receipt: async () => (await import('./receipt-command.ts')).addReceipt,
    sales: async () => (await import('./sales-command.ts')).addSales,
  },
  'Holding amounts on cards:': {
    preauth: async () => (await import('./preauth-command.ts')).addPreauth,
    increment: async () => (await import('./increment-command.ts')).addIncrement,
    complete: async () => (await import('./complete-command.ts')).addComplete,
    tip: async () => (await import('./tip-command.ts')).addTip,
    release: async () => (await import('./release-command.ts')).addRelease,
    preauths: async () => (await import('./preauths-command.ts')).addPreauths,
  },
  'What is open:': {
    queue: async () => (await import('./queue-command.ts')).addQueue,
    resolve: async () => (await import('./resolve-command.ts')).addResolve,
    settle: async () => (await import('./resolve-command.ts')).addSettle,
    unpaid: async () => (await import('./unpaid-command.ts')).addUnpaid,
  },
  'The business day:': {
    batch: async () => (await import('./batch-command.ts')).addBatch,
  },
  'The till that runs:': {
    open: async () => (await import('./open-command.ts')).addOpen,
    stop: async () => (await import('./stop-command.ts')).addStop,
    boot: async () => (await import('./boot-command.ts')).addBoot,
  },
  'The store:': {
    staff: async () => (await import('./staff-command.ts')).addStaff,
    limits: async () => (await import('./limits-command.ts')).addLimits,
    unseal: async () => (await import('./unseal-command.ts')).addUnseal,
    'pos-key': async () => (await import('./pos-key-command.ts')).addPosKey,
    'go-live': async () => (await import('./go-live-command.ts')).addGoLive,
    machine: async () => (await import('./machine-command.ts')).addMachine,
    'plain-http': async () => (await import('./plain-http-command.ts')).addPlainHttp,
  },
  'Terminals:': {
    terminals: async () => (await import('./terminals-command.ts')).addTerminals,
    pair: async () => (await import('./pair-command.ts')).addPair,
    unpair: async () => (await import('./pair-command.ts')).addUnpair,
    'test-host': async () => (await import('./test-host-command.ts')).addTestHost,
    diagnose: async () => (await import('./diagnose-command.ts')).addDiagnose,
    trace: async () => (await import('./trace-command.ts')).addTrace,
    printer: async () => (await import('./printer-command.ts')).addPrinters,
  },
  'What happened:': {
    journal: async () => (await import('./journal-command.ts')).addJournal,
  },
};

/** The command that was asked for by name; all of them where none is, or one that is none. */
const isAsked = (name = '') => {
  const isOne = Object.values(groups).some((group) => Object.hasOwn(group, name));
  return (each: string): boolean => !isOne || each === name;
};

/** The till's commands that these arguments may ask for; without arguments all of them. */
export const tillFor = async ([name]: readonly string[]): Promise<(program: Command) => void> => {
  const asked = isAsked(name);
  const loaded = await Promise.all(
    Object.entries(groups).map(async ([heading, group]) => ({
      heading,
      commands: await Promise.all(Object.entries(group).flatMap(([each, load]) => (asked(each) ? [load()] : []))),
    })),
  );
  return (program) => {
    const till = program.command('till').description('every action of the till: npm run till -- <command>');
    for (const { heading, commands } of loaded) {
      till.commandsGroup(heading);
      for (const add of commands) add(till);
    }
  };
};
