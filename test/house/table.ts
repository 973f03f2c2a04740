/** The walls of the house: which folder sees which, and the few files that are let off a measure. */
import { gatewaySees } from './gateway-rooms.ts';
import { roomsSee } from './rooms.ts';

/**
 * What each folder may import beside its own files: folders or files of the tree. `type` before one allows its types
 * only. The longest matching row holds; a folder of src, of drivers or of the top without a row is refused.
 */
export const sees: Readonly<Record<string, readonly string[]>> = {
  'src/base': [],
  'src/emv': ['src/base'],
  'src/journal': ['src/base'],
  // It repeats what it needs, so that no mistake of the program that writes can hide itself in the one that checks.
  'src/journal/verifier': [],
  'src/receipt': ['src/base', 'src/emv', 'src/locales/receipts', 'src/locales/receipts.ts'],
  'src/queue': ['src/base', 'src/journal'],
  ...gatewaySees,
  // A merchant's side of a checkout, which knows of a gateway what its documents say.
  'src/shop': ['src/base'],
  'src/till': [
    'src/base',
    'src/emv',
    'src/locales/messages/en',
    'src/till',
    'type drivers/terminal.ts',
    'type drivers/integrated-terminal.ts',
  ],
  // What a sale is, and what an event makes of it. How an event comes about is not known here.
  'src/till/machine': [
    'src/base',
    'src/emv',
    'type src/locales/messages/en',
    'type drivers/terminal.ts',
    'type drivers/integrated-terminal.ts',
  ],
  'src/till/offline': ['src/base', 'src/emv', 'type src/locales/messages/en', 'src/till/machine'],
  'src/till/gateway': [
    'src/base',
    'src/emv',
    'src/till/*',
    'src/till/machine',
    'src/till/offline/verdict.ts',
    'type drivers/terminal.ts',
  ],
  'src/till/terminal': [
    'src/base',
    'src/emv',
    'src/till/*',
    'src/till/machine',
    'src/till/gateway',
    'type drivers/terminal.ts',
    'type drivers/integrated-terminal.ts',
  ],
  // What the books say is said of sales: their shapes are read, and nothing of the till is called.
  'src/reconciliation': [
    'src/base',
    'src/locales/messages/en/settlement.ts',
    'src/gateway/spec/settlement-columns.ts',
    'src/journal',
    'type src/till',
  ],
  // Spoken by the till's own process and by its owner's commands: neither is known here.
  'src/owner': ['src/base'],
  'src/staff': ['src/base', 'src/journal', 'src/api/ports/roles.ts', 'src/locales/messages/en'],
  // What the local API promises: rooms see it, and it sees none of them.
  'src/api': ['src/base', 'src/emv/card-text.ts', 'src/locales/messages/en', 'src/api/contract'],
  // Its schemas, and the one table of who may do what. Names of others' tables stand in them once.
  'src/api/contract': [
    'src/base',
    'type src/till/machine/facts.ts',
    'src/till/machine/operations.ts',
    'src/locales/messages/en/reasons.ts',
    'src/till/machine/states.ts',
    'src/reconciliation/whereabouts.ts',
  ],
  // What people read, by language. Whoever tells it sees it, and it sees none of them.
  'src/locales': ['src/base'],
  'src/ui': ['src/base', 'src/locales', 'src/api/ports/roles.ts', 'type src/api'],
  ...roomsSee,
  'src/cli': [
    'src/base',
    'type src/api',
    'src/api/ports/roles.ts',
    'src/emv/card-text.ts',
    'src/owner',
    'src/folder',
    'src/line/gateway-line.ts',
    'src/ledger',
    'src/offline',
    'src/recovery',
    'src/books',
    'src/takeover',
    'src/terminals',
    'src/printing',
    'src/selling',
    'src/app',
    'src/staff',
    'src/gateway',
    'src/shop',
    'src/locales/messages/en',
    'drivers',
    'package.json',
  ],
  electron: ['src/base', 'src/folder', 'src/terminals', 'src/app', 'src/staff/sessions/secret-words.ts'],
  // The files that stand in drivers/ itself: the interface, the session, the list of protocols.
  drivers: ['src/base', 'src/emv', 'drivers'],
  'drivers/links': ['src/base', 'src/emv', 'drivers/*'],
  'drivers/framing': ['src/base', 'src/emv', 'drivers/*'],
  'drivers/simulation': ['src/base', 'src/emv', 'drivers/*', 'drivers/links', 'drivers/framing'],
  // One protocol never sees another.
  'drivers/mms': ['src/base', 'src/emv', 'drivers/*', 'drivers/links', 'drivers/framing', 'drivers/simulation'],
  'drivers/mpi': ['src/base', 'src/emv', 'drivers/*', 'drivers/links', 'drivers/framing', 'drivers/simulation'],
  'drivers/neo2': ['src/base', 'src/emv', 'drivers/*', 'drivers/links', 'drivers/framing', 'drivers/simulation'],
  'drivers/zvt': ['src/base', 'src/emv', 'drivers/*', 'drivers/links', 'drivers/framing', 'drivers/simulation'],
  // Receipt printers are no terminals: they know nothing of cards.
  'drivers/printers': ['src/base', 'drivers/*', 'drivers/links'],
  // These see everything, and nobody sees them.
  test: ['src', 'drivers', 'electron', 'build', 'bench', 'docs/webhook-vectors.json'],
  // How the tests run, with what they have for it.
  'vitest.config.ts': ['test/support'],
  bench: ['src', 'drivers', 'build', 'test'],
  // The picture of the rooms is drawn from this table.
  build: ['src', 'drivers', 'electron', 'test/house'],
};

/** Folders of the top that hold no program. */
export const withoutSource = ['.ci', '.github', 'docs'];

/** What is made by running, not written by people. */
export const notOurs = ['.git', 'node_modules', 'data', 'coverage', 'dist'];

/** Packages with native code, and the only places that load them. */
export const natives = {
  packages: ['better-sqlite3', 'serialport', '@serialport', 'node-hid', '@lydell/node-pty'],
  places: ['drivers/links', 'src/journal', 'src/gateway/store', 'test', 'bench'],
} as const;

/**
 * Our own DES and AES, and what is made of them, for simulated terminals, cards and issuers alone. They are not
 * hardened against whoever watches times and caches: a key that guards somebody's money never comes to them.
 */
export const ownCiphers = {
  files: [
    ...['aes', 'des', 'tdes', 'cipher-modes', 'mac', 'session-keys', 'arpc', 'cryptogram-table', 'cryptogram-versions'],
    ...['script', 'pin-verification', 'cvv', 'pin-block', 'dukpt-aes', 'dukpt-tdes'],
  ],
  places: /^(src\/emv|src\/gateway\/acquirers\/simulator|drivers\/simulation|drivers\/\w+\/simulator|test|bench)\//,
  /** Of a key's serial number, which is no key: whether it is right, and how many keys are left. */
  open: /Ksn(IsValid|UsesLeft)$/,
} as const;

/** Pure tables, which may be longer than other files. */
export const tables = ['src/base/faults.ts', 'src/base/result-codes.ts', 'src/emv/tags.ts', 'src/locales'];

export const limits = { fileLines: 300, functionLines: 60, columns: 120, parameters: 3 };

/** Where a fourth parameter reads better: a deadline's parts, and the columns of the parameter tables. */
export const fourParameters = ['src/base/clock.ts', 'src/gateway/spec/parameters/kinds.ts'];

/** Programs of their own, outside the command line: they read their arguments and speak to a terminal. */
export const programs = ['src/journal/verifier/main.ts'];

/** Where a program runs that has no other clock: the shopper’s browser, and the till’s own page. */
export const platformClocks = ['src/gateway/widget/browser/clock.ts', 'src/ui/clock.ts'];

/** The till’s own page makes its idempotency keys here. */
export const platformChance = ['src/ui/api.ts'];

/**
 * Tests that wait for real time: a virtual machine and a browser's page have no other, and no virtual clock moves real
 * threads.
 */
export const realWaits = [
  'test/support/engines/in-page',
  'test/system/usb',
  'test/system/usb.nightly.test.ts',
  'test/simulation/real-work.ts',
  'test/windows',
];

/** Where the digits of a result code may stand: in the tables of them, and in samples of their shape for documents. */
export const resultCodePlaces = [
  'src/base/code-meanings.ts',
  'src/base/result-codes.ts',
  'src/gateway/spec/parameters/queries.ts',
  'src/gateway/server/documents/response-schema.ts',
];

/** What is read as UTF-8 and nothing else: files that the system, the build or the till itself wrote. */
export const machineTexts = [
  'drivers/links/plugged.ts',
  'drivers/links/port-words.ts',
  'electron/cookie-jar.ts',
  'electron/update-files.ts',
  'src/gateway/widget/pages.ts',
  'src/owner/place.ts',
  'src/printing/paper-queue.ts',
  'src/folder/machine.ts',
  'src/app/serve-page.ts',
  'src/app/serve-simulated.ts',
];

/** Attributes of a screen’s parts that people read or hear. */
export const readAttributes = [
  'alt',
  'aria-description',
  'aria-label',
  'aria-roledescription',
  'aria-valuetext',
  'description',
  'label',
  'message',
  'placeholder',
  'title',
];

/** Folder names that say nothing. */
export const emptyNames = ['utils', 'helpers', 'common', 'lib', 'services', 'managers', 'types'];
