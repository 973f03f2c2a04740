/** The walls of the house: what each folder may import, and the few files that are exempt from a limit. */
import { gatewaySees } from './gateway-rooms.ts';
import { roomsSee } from './rooms.ts';

/**
 * What each folder may import besides its own files: folders or files of the project. `type` in front allows only
 * types. The longest matching row applies. A folder without a row is rejected in src, in drivers and at the top level.
 */
export const allowedImports: Readonly<Record<string, readonly string[]>> = {
  'src/base': [],
  'src/emv': ['src/base'],
  'src/journal': ['src/base'],
  // It repeats the code it needs, so that a mistake in the writer cannot hide the same mistake in the verifier.
  'src/journal/verifier': [],
  'src/receipt': ['src/base', 'src/emv', 'src/locales/shopper', 'src/locales/shopper.ts'],
  'src/queue': ['src/base', 'src/journal'],
  ...gatewaySees,
  // A merchant's side of a checkout. It knows of a gateway only what the gateway's documentation says.
  'src/shop': ['src/base'],
  'src/till': [
    'src/base',
    'src/emv',
    'src/locales/messages/en',
    'src/till',
    'type drivers/terminal.ts',
    'type drivers/integrated-terminal.ts',
  ],
  // What a sale is, and how an event changes it. Where events come from is not known here.
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
  // Reports about sales: they read the shapes of sales and call nothing of the till.
  'src/reconciliation': [
    'src/base',
    'src/locales/messages/en/settlement.ts',
    'src/gateway/spec/settlement-columns.ts',
    'src/journal',
    'type src/till',
  ],
  // Used by the till's own process and by its owner's commands, and knows neither of them.
  'src/owner': ['src/base'],
  'src/staff': [
    'src/base',
    'src/journal',
    'src/api/contract/roles.ts',
    'src/locales/messages/en',
    'type src/api/contract',
  ],
  // The promised interface of the local API: other rooms import it, and it imports none of them.
  'src/api': ['src/base', 'src/emv/card-text.ts', 'src/locales/messages/en', 'src/api/contract'],
  // Its schemas, and the only table of who may do what. Names from others' tables appear in them once.
  'src/api/contract': [
    'src/base',
    'type src/till/machine/facts.ts',
    'src/till/machine/operations.ts',
    'src/locales/messages/en/reasons.ts',
    'src/till/machine/states.ts',
    'src/reconciliation/whereabouts.ts',
  ],
  // What people read, by language. Rooms that print or show it import it, and it imports none of them.
  'src/locales': ['src/base'],
  // They read the contract and nothing else of the till; `app.ts` types their client by the routes.
  'src/ui': ['src/base', 'src/locales', 'src/api/contract/roles.ts', 'type src/api/contract', 'type src/api/app.ts'],
  ...roomsSee,
  'src/cli': [
    'src/base',
    'type src/api',
    'src/api/contract/roles.ts',
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
  electron: ['src/base', 'src/folder', 'src/terminals', 'src/app', 'src/staff/sessions/tokens.ts'],
  // The files directly in drivers/: the interface, the session, the list of protocols.
  drivers: ['src/base', 'src/emv', 'drivers'],
  'drivers/links': ['src/base', 'src/emv', 'drivers/*'],
  'drivers/framing': ['src/base', 'src/emv', 'drivers/*'],
  'drivers/simulation': ['src/base', 'src/emv', 'drivers/*', 'drivers/links', 'drivers/framing'],
  // A protocol never imports another one.
  'drivers/mms': ['src/base', 'src/emv', 'drivers/*', 'drivers/links', 'drivers/framing', 'drivers/simulation'],
  'drivers/mpi': ['src/base', 'src/emv', 'drivers/*', 'drivers/links', 'drivers/framing', 'drivers/simulation'],
  'drivers/neo2': ['src/base', 'src/emv', 'drivers/*', 'drivers/links', 'drivers/framing', 'drivers/simulation'],
  'drivers/zvt': ['src/base', 'src/emv', 'drivers/*', 'drivers/links', 'drivers/framing', 'drivers/simulation'],
  // Receipt printers are not terminals and know nothing about cards.
  'drivers/printers': ['src/base', 'drivers/*', 'drivers/links'],
  // These may import everything, and nothing imports them.
  test: ['src', 'drivers', 'electron', 'build', 'bench', 'docs/webhook-vectors.json'],
  // The test configuration, and what it uses.
  'vitest.config.ts': ['test/support'],
  bench: ['src', 'drivers', 'build', 'test'],
  // The picture of the rooms is drawn from this table.
  build: ['src', 'drivers', 'electron', 'test/house'],
};

/** Top-level folders that contain no program. */
export const withoutSource = ['.ci', '.github', 'docs'];

/** Generated folders, not written by people. */
export const notOurs = ['.git', 'node_modules', 'data', 'coverage', 'dist'];

/** Packages with native code, and the only places that load them. */
export const natives = {
  packages: ['better-sqlite3', 'serialport', '@serialport', 'node-hid', '@lydell/node-pty'],
  places: ['drivers/links', 'src/journal', 'src/gateway/store', 'test', 'bench'],
} as const;

/**
 * Our own DES and AES and what is built on them are only for simulated terminals, cards and issuers. They are not
 * hardened against timing and cache attacks, so a key that protects real money must never reach them.
 */
export const ownCiphers = {
  files: [
    ...['aes', 'des', 'tdes', 'cipher-modes', 'mac', 'session-keys', 'arpc', 'cryptogram-table', 'cryptogram-versions'],
    ...['script', 'pin-verification', 'cvv', 'pin-block', 'dukpt-aes', 'dukpt-tdes'],
  ],
  places: /^(src\/emv|src\/gateway\/acquirers\/simulator|drivers\/simulation|drivers\/\w+\/simulator|test|bench)\//,
  /** Functions about a key serial number, which is not secret: whether it is valid, and how many keys are left. */
  open: /Ksn(IsValid|UsesLeft)$/,
} as const;

/** Pure tables, which may be longer than other files. */
export const tables = ['src/base/faults.ts', 'src/base/result-codes.ts', 'src/emv/tags.ts', 'src/locales'];

export const limits = { fileLines: 300, functionLines: 60, columns: 120, parameters: 3 };

/** Files where a fourth parameter reads better: the parts of a deadline, and the columns of the parameter tables. */
export const fourParameters = ['src/base/clock.ts', 'src/gateway/spec/parameters/kinds.ts'];

/** Separate programs outside the command line program: they read their arguments and write to the terminal. */
export const programs = ['src/journal/verifier/main.ts'];

/** Places without another clock: the shopper’s browser, and the till’s own page. */
export const platformClocks = ['src/gateway/widget/browser/clock.ts', 'src/ui/clock.ts'];

/** The till’s own page creates its idempotency keys here. */
export const platformChance = ['src/ui/api.ts'];

/**
 * Tests that wait for real time: a virtual machine and a browser's page have no other clock, and a virtual clock cannot
 * move real threads.
 */
export const realWaits = [
  'test/support/engines/in-page',
  'test/system/usb',
  'test/system/usb.nightly.test.ts',
  'test/simulation/real-work.ts',
  'test/windows',
];

/**
 * Files that may contain the digits of a result code: the tables of codes, and samples of their format for documents.
 */
export const resultCodePlaces = [
  'src/base/code-meanings.ts',
  'src/base/result-codes.ts',
  'src/gateway/spec/parameters/queries.ts',
  'src/gateway/server/documents/response-schema.ts',
];

/** Files read as plain UTF-8, because the system, the build or the till itself wrote them. */
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

/** Attributes of screen elements that people read or hear. */
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
