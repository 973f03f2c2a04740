import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { textOf } from '../../drivers/printers/simulator.ts';
import { systemIds } from '../../src/base/ids.ts';
import { loadConfig } from '../../src/folder/config.ts';
import { frame } from '../../src/receipt/columns.ts';
import { bar, paperRig } from './paper-rig.ts';

let rig: Awaited<ReturnType<typeof paperRig>>;
const openRig = async (...rigArguments: Parameters<typeof paperRig>) => {
  rig = await paperRig(...rigArguments);
  return rig;
};
afterEach(async () => {
  rig.service.close();
  await rig.close();
});

const MARK = '********* TEST - NO MONEY MOVED **********';
const customer = { copy: 'customer', width: 80 } as const;
const countCuts = () => rig.simulated.printed.filter(({ kind }) => kind === 'cut').length;
const lastPaper = () => textOf(rig.simulated.printed).map((line) => line.trim());

test('the first print is the original, and every other one says DUPLICATE', async () => {
  const { service, clock } = await openRig();
  const { receipt } = await rig.sell();
  expect(await clock.until(service.print(receipt, customer))).toMatchObject({
    name: 'Bar',
    state: 'ready',
    waiting: 0,
  });
  expect(lastPaper()).toContain('APPROVED');
  expect(lastPaper()).not.toContain('DUPLICATE');
  await clock.until(service.print(receipt, customer));
  expect(lastPaper().filter((line) => line === 'DUPLICATE')).toHaveLength(2);
  await clock.until(service.print(receipt, { ...customer, copy: 'merchant' }));
  expect(lastPaper()).not.toContain('DUPLICATE');
});

test('a restarted till does not know what it has printed, so it prints duplicates', async () => {
  const { service, clock, openService } = await openRig();
  const { receipt } = await rig.sell();
  service.close();
  const again = openService();
  await clock.until(again.print(receipt, customer));
  expect(lastPaper()).toContain('DUPLICATE');
  again.close();
});

test('a disconnected printer does not affect the sale, and the receipt is printed when it is back', async () => {
  const { service, clock, setPlugged: plug } = await openRig({ printers: [bar], paper: { print: 'customer' } });
  plug(false);
  const sale = await rig.sell();
  expect(sale.result?.ending).toBe('approved');
  rig.events.tell({ on: 'sale', number: 1, id: '1-00000000', sale });
  await clock.advance(1_000);
  expect(await clock.until(service.printers())).toMatchObject([
    { state: 'away', waiting: 1, problem: { code: 'printer.away' } },
  ]);
  expect(rig.reported).toMatchObject([{ code: 'printer.away' }]);
  plug(true);
  await clock.advance(10_000);
  expect(lastPaper()).toContain('APPROVED');
  expect(lastPaper()).not.toContain('DUPLICATE');
  expect(await clock.until(service.printers())).toMatchObject([{ state: 'ready', waiting: 0 }]);
});

test('out of paper midway: refused at once, one complete receipt on the new roll, and no extra copies', async () => {
  const { service, clock, simulated } = await openRig({ printers: [bar] }, { paper: 6 });
  const { receipt } = await rig.sell();
  await expect(clock.until(service.print(receipt, customer))).rejects.toMatchObject({ code: 'printer.paperOut' });
  await expect(clock.until(service.print(receipt, customer))).rejects.toMatchObject({ code: 'printer.paperOut' });
  expect(await clock.until(service.printers())).toMatchObject([{ state: 'paperOut', waiting: 1 }]);
  simulated.set({ paper: 500 });
  await clock.advance(10_000);
  expect(countCuts()).toBe(1);
  expect(lastPaper()).toContain('APPROVED');
});

test('a receipt interrupted midway is printed again as a duplicate', async () => {
  const { service, clock, simulated, setPlugged: plug } = await openRig({ printers: [bar] }, { lineMs: 100 });
  const { receipt } = await rig.sell();
  const printing = service.print(receipt, customer);
  const refused = expect(printing).rejects.toMatchObject({ code: 'printer.away' });
  await clock.advance(500);
  simulated.set({ silent: true });
  plug(false);
  await clock.advance(20_000);
  await refused;
  simulated.set({ silent: false });
  plug(true);
  await clock.advance(30_000);
  expect(lastPaper()).toContain('DUPLICATE');
  expect(await clock.until(service.printers())).toMatchObject([{ state: 'ready', waiting: 0 }]);
});

test('a sale’s receipt is printed automatically once, however often the ending is reported', async () => {
  const { clock } = await openRig({ printers: [bar], paper: { print: 'both' } });
  const sale = await rig.sell();
  for (let times = 0; times < 3; times += 1) rig.events.tell({ on: 'sale', number: 1, id: '1-00000000', sale });
  rig.events.tell({ on: 'sale', sale });
  await clock.advance(5_000);
  expect(countCuts()).toBe(2);
  expect(rig.reported).toEqual([]);
});

test('nothing is printed automatically unless configured', async () => {
  const { clock } = await openRig();
  rig.events.tell({ on: 'sale', number: 1, id: '1-00000000', sale: await rig.sell() });
  await clock.advance(5_000);
  expect(rig.simulated.printed).toEqual([]);
});

test('the drawer opens now or not at all', async () => {
  const { service, clock, simulated, setPlugged: plug } = await openRig();
  await clock.until(service.openDrawer());
  expect(simulated.printed).toEqual([{ kind: 'drawer' }]);
  plug(false);
  await expect(clock.until(service.openDrawer())).rejects.toMatchObject({ code: 'printer.away' });
  plug(true);
  await clock.advance(60_000);
  expect(simulated.printed).toHaveLength(1);
});

test('who opens the drawer and who sets up printers is recorded; failed attempts are not', async () => {
  const { service, clock, notes, setPlugged: plug } = await openRig();
  const boss = { name: 'Max', permissions: [] };
  await clock.until(service.openDrawer(boss));
  plug(false);
  await expect(clock.until(service.openDrawer(boss))).rejects.toMatchObject({ code: 'printer.away' });
  plug(true);
  await clock.until(service.addPrinter({ ...bar, name: 'Kitchen', address: 'escpos+tcp://127.0.0.1:9101' }, boss));
  service.removePrinter('Kitchen', boss);
  expect(notes).toEqual([
    'Max {"on":"drawerOpened"}',
    'Max {"on":"printerAdded","printer":"Kitchen at escpos+tcp://127.0.0.1:9101"}',
    'Max {"on":"printerRemoved","printer":"Kitchen"}',
  ]);
});

test('a missing printer and a missing drawer are refused', async () => {
  const { service, clock } = await openRig({});
  const { receipt } = await rig.sell();
  await expect(service.print(receipt, customer)).rejects.toMatchObject({ code: 'printer.none' });
  await expect(service.printReport(['X'])).rejects.toMatchObject({ code: 'printer.none' });
  await expect(service.openDrawer()).rejects.toMatchObject({ code: 'printer.noDrawer' });
  await expect(service.testPage('Bar')).rejects.toMatchObject({ code: 'printer.none' });
  expect(await clock.until(service.printers())).toEqual([]);
});

test('printers are added to and removed from till.json', async () => {
  const { service, clock, folder, told } = await openRig({});
  const kitchen = {
    name: 'Kitchen',
    address: 'escpos+serial:/dev/ttyUSB0@19200',
    width: 58,
    codePage: 'cp858',
  } as const;
  expect(await clock.until(service.addPrinter(kitchen))).toMatchObject({
    name: 'Kitchen',
    state: 'ready',
    drawer: false,
  });
  expect(loadConfig(folder, systemIds).printers).toEqual([kitchen]);
  await expect(service.addPrinter(kitchen)).rejects.toMatchObject({ code: 'printer.known' });
  await expect(service.addPrinter({ ...bar, address: 'http://x/' })).rejects.toMatchObject({ code: 'printer.address' });
  await expect(service.addPrinter({ ...bar, codePage: 'ebcdic' })).rejects.toMatchObject({ code: 'request.malformed' });
  await clock.until(service.testPage('Kitchen'));
  expect(lastPaper()).toContain('TEST PAGE');
  expect(lastPaper()).toContain('[ QR code: TEST ]');
  service.removePrinter('Kitchen');
  expect(loadConfig(folder, systemIds).printers).toEqual([]);
  expect(told).toContainEqual({ on: 'changed', what: 'printers' });
});

test('a report is printed as laid out, and control characters in it have no effect', async () => {
  const { service, clock } = await openRig();
  await clock.until(
    service.printReport(['X REPORT 1', 'NET EUR                12.50', '\u001bp\u0000 \u001dV\u0000 ']),
  );
  expect(lastPaper()).toEqual([MARK, 'X REPORT 1', 'NET EUR                12.50', '?p? ?V?', MARK]);
  expect(rig.simulated.printed.filter(({ kind }) => kind === 'drawer')).toEqual([]);
  expect(countCuts()).toBe(1);
});

test('a report has its mark in its own language; on paper the mark is large and appears once', async () => {
  const { service, clock, simulated } = await openRig();
  const german = '****** TEST - KEIN GELD GEFLOSSEN *******';
  await clock.until(service.printReport([german, 'X-BERICHT 1', german]));
  expect(lastPaper()).toEqual([
    frame('TEST - KEIN GELD GEFLOSSEN', 42),
    'X-BERICHT 1',
    frame('TEST - KEIN GELD GEFLOSSEN', 42),
  ]);
  const large = simulated.printed.flatMap((what) =>
    what.kind === 'line' && what.size === 1 && what.bold ? [what.text] : [],
  );
  expect(large).toHaveLength(2);
  // A mark at one end only does not count as one.
  await clock.until(service.printReport([german, 'X-BERICHT 2']));
  expect([lastPaper().at(0), lastPaper().at(-1)]).toEqual([MARK, MARK]);
  await clock.until(service.testPage('Bar'));
  expect([lastPaper().at(0), lastPaper().at(-1)]).toEqual([MARK, MARK]);
});

test('every form is made in the requested language', async () => {
  const { service } = await openRig();
  const { receipt } = await rig.sell();
  const form = async (kind: Parameters<typeof service.receipt>[1], language?: string) => {
    const { body, ...rest } = await service.receipt(receipt, kind, { ...customer, language: language || undefined });
    return { ...rest, text: typeof body === 'string' ? body : Buffer.from(body).toString('latin1') };
  };
  expect(await form('text')).toMatchObject({ type: 'text/plain; charset=utf-8', name: 'receipt-000001.txt' });
  expect((await form('text', 'de-AT')).text).toContain('GENEHMIGT');
  expect((await form('svg', 'ar')).text).toContain('direction="rtl"');
  expect((await form('pdf')).text).toMatch(/^%PDF-1\.\d[\s\S]*%%EOF\s*$/);
  expect((await form('escpos')).text).toContain('APPROVED');
  expect((await form('receiptline')).text).toContain('^^^APPROVED');
  for (const kind of ['text', 'svg', 'escpos', 'receiptline'] as const)
    expect((await form(kind)).text.match(/\* TEST - NO MONEY MOVED \*/g)).toHaveLength(2);
  const mail = (await form('email', 'fr')).text;
  expect(mail).toMatch(/^X-Unsent: 1\r\nSubject: =\?utf-8\?B\?/);
  expect(Buffer.from(mail.split('\r\n\r\n')[1] ?? '', 'base64').toString()).toContain('ACCEPTÉ');
});

test('an invalid logo is reported and left out of the receipt, and the test page says what is wrong', async () => {
  const { service, clock, folder } = await openRig({ printers: [bar], paper: { logo: 'logo.png' } });
  writeFileSync(join(folder, 'logo.png'), 'GIF89a not a picture');
  const { receipt } = await rig.sell();
  await clock.until(service.print(receipt, customer));
  expect(lastPaper()).toContain('APPROVED');
  expect(rig.reported).toMatchObject([{ code: 'printer.picture' }]);
  await expect(service.testPage('Bar')).rejects.toMatchObject({ code: 'printer.picture' });
});
