/**
 * What a technician does under the counter, each as one flow: pairs, sells, unplugs, measures, traces, makes a support
 * bundle.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { mpiSimulator } from '../../../drivers/mpi/simulator/simulator.ts';
import { presentationFor } from '../../../drivers/simulation/cardholder.ts';
import { type Station, simulateOnPty } from '../../../drivers/simulation/simulator.ts';
import { systemClock } from '../../../src/base/clock.ts';
import { systemRandom } from '../../../src/base/ids.ts';
import { fill } from '../../../src/base/placeholders.ts';
import { testCards } from '../../../src/emv/test-cards.ts';
import type { TechnicianSection } from '../../../src/ui/technician/sections.ts';
import { scanForCardData } from '../leaks/leak-scan.ts';
import { button, saved, write } from './books.ts';
import type { Counter } from './sales.ts';
import type { ScreenUser } from './screen-user.ts';
import type { DayTill } from './till.ts';

export type Bench = { till: DayTill; user: ScreenUser; anna: Counter };

type Configuration = Readonly<Record<string, unknown>> & {
  terminalId: string;
  terminal?: string;
  terminals?: { terminalId: string; terminal: string }[];
  printers?: { address: string }[];
};

export const configurationOf = ({ till }: Pick<Bench, 'till'>): Configuration =>
  JSON.parse(readFileSync(join(till.folder, 'till', 'till.json'), 'utf8')) as Configuration;

/** Stops the till, changes its till.json, and starts it again. */
export const reconfigure = async (till: DayTill, change: (previous: Configuration) => object): Promise<void> => {
  await till.end();
  writeFileSync(join(till.folder, 'till', 'till.json'), JSON.stringify(change(configurationOf({ till }))));
  await till.start();
};

/** A new till: no terminal is paired, and no printer is set up. */
export const unpair = (till: DayTill): Promise<void> =>
  reconfigure(till, ({ terminal, terminals, printers, ...rest }) => rest);

/** Goes to a section of the navigation, by keys or by touch. */
export const to = async ({ user }: Bench, name: TechnicianSection): Promise<void> => {
  await user.choose(user.page.locator(`.te-rail a[href="/technician/${name}"]`));
  await user.page.getByRole('heading', { level: 1, name: user.words.technician.sections[name], exact: true }).waitFor();
};

export const signIn = async ({ till, user }: Bench): Promise<void> => {
  const { technician: t } = user.words;
  user.page.setDefaultTimeout(60_000);
  await user.isKnownAt(till.url);
  await user.page.goto(till.url);
  await user.flow('sign in', () => user.signIn('Tess'));
  await user.page.getByRole('heading', { level: 1, name: t.sections.devices, exact: true }).waitFor();
  await user.page.getByText(user.words.shared.simulated, { exact: true }).waitFor();
  await user.shot('technician-01-nothing-paired');
};

/** Opens every panel before anything is paired. */
export const checkBench = async (bench: Bench): Promise<void> => {
  const { user } = bench;
  const { technician: t } = user.words;
  for (const name of ['trace', 'printers', 'updates', 'configuration'] as const) {
    await to(bench, name);
    await user.shot(`technician-02-${name}-before`);
  }
  await to(bench, 'line');
  await user.flow('test the line', async () => {
    await user.choose(button(user.page, t.lineTest));
    await user.page.getByText(t.lineAllGood).or(user.page.getByText(t.lineOdd)).first().waitFor({ timeout: 60_000 });
  });
  await user.shot('technician-03-line');
};

type Pairing = { address: string; counter: string; terminalId: string; shot: string };

/** The five steps, with the bytes of the second. */
export const pair = async (bench: Bench, { address, counter, terminalId, shot }: Pairing): Promise<void> => {
  const { user } = bench;
  const { technician: t } = user.words;
  await user.flow(`pair ${counter}`, async () => {
    await to(bench, 'pair');
    await write(bench, user.page.getByLabel(t.byHand), address);
    await user.choose(button(user.page, t.meet));
    if (!address.includes('+')) await user.choose(button(user.page, t.probeYes));
    const number = user.page.getByLabel(t.terminalId, { exact: true });
    await number.waitFor({ timeout: 60_000 });
    const bytes = user.page.getByRole('button', { name: new RegExp(`^${t.showBytes.split('(')[0]?.trim()}`) });
    await user.choose(bytes);
    await user.page.locator('.te-hex').first().waitFor();
    await user.shot(`technician-${shot}-met`);
    const select = user.page.getByLabel(t.counter, { exact: true });
    if ((await select.inputValue()) !== counter) {
      if (user.by === 'touch') await select.selectOption(counter);
      else {
        await user.tabTo(select);
        await user.press('ArrowDown');
      }
    }
    expect(await select.inputValue()).toBe(counter);
    await write(bench, number, terminalId);
    await user.choose(button(user.page, fill(t.pairDo, { counter, terminalId })));
    await user.page.getByText(new RegExp(fill(t.pairedTitle, { counter }))).waitFor({ timeout: 60_000 });
  });
  await user.shot(`technician-${shot}-paired`);
  await to(bench, 'devices');
  await user.page.getByRole('region', { name: new RegExp(`^${counter} `) }).waitFor({ timeout: 60_000 });
};

/** A terminal on a serial line, at this path. */
export const serialTerminal = (path: string): Promise<Station> =>
  simulateOnPty(mpiSimulator, path, {
    clock: systemClock,
    random: systemRandom,
    config: { serial: '17000077' },
    cardholder: () => presentationFor({ card: 'visa-no-cvm', by: 'chip', afterMs: 150 }),
  });

/** Asks for its state, and shows its keys. */
export const askIt = async (bench: Bench, counter: string, shot: string): Promise<void> => {
  const { user } = bench;
  const { technician: t } = user.words;
  const card = user.page.getByRole('region', { name: new RegExp(`^${counter} `) });
  await user.flow(`ask ${counter}`, async () => {
    await to(bench, 'devices');
    await user.choose(button(card, t.ask));
    await card.getByText(t.keyUses.sred).first().waitFor({ timeout: 60_000 });
  });
  await user.shot(`technician-${shot}`);
};

/** Unplugged in the middle of the day: reported, diagnosed, and found again when it is back. */
export const unplugAndFind = async (bench: Bench): Promise<void> => {
  const { till, user } = bench;
  const { technician: t } = user.words;
  const [first] = till.terminals;
  await first.unplug();
  await to(bench, 'devices');
  const card = user.page.getByRole('region', { name: /^T1 / });
  await user.choose(button(card, t.ask));
  const problem = card.getByRole('alert').or(card.getByRole('note'));
  await problem.first().waitFor();
  await user.shot('technician-06-unplugged');
  await first.plug();
  await user.choose(button(card, t.ask));
  await expect.poll(() => problem.count(), { timeout: 60_000 }).toBe(0);
  await card.getByText(t.ready, { exact: true }).waitFor();
};

/** The loopback: every answer comes, and its time is drawn. */
export const measure = async (bench: Bench): Promise<void> => {
  const { user } = bench;
  const { technician: t } = user.words;
  await user.flow('diagnose', async () => {
    await to(bench, 'loopback');
    await user.choose(button(user.page, t.diagnose));
    await user.page.getByText(t.histogram).waitFor({ timeout: 60_000 });
  });
  await user.shot('technician-07-loopback');
};

/** The trace of a sale, live; no card data is in it. */
export const traceSale = async (bench: Bench): Promise<void> => {
  const { user, anna, till } = bench;
  const { technician: t } = user.words;
  await to(bench, 'trace');
  await user.page.getByText(t.live, { exact: true }).waitFor();
  const sale = await anna.sell('12.50', { card: 'visa-credit', by: 'chip' });
  expect(sale.result?.ending).toBe('approved');
  await user.page.locator('.te-message').nth(5).waitFor();
  await user.page.getByText(t.masked, { exact: true }).first().waitFor();
  await user.shot('technician-08-trace');
  const text = (await saved({ user }, button(user.page, t.export))).bytes.toString();
  expect(text).toContain('**');
  writeFileSync(join(till.folder, 'trace.txt'), text);
};

/** The second printer of a shop: added, tried, out of paper. */
export const addPrinter = async (bench: Bench, address: string): Promise<void> => {
  const { till, user } = bench;
  const { technician: t, shared } = user.words;
  const card = user.page.getByRole('region', { name: 'Bar', exact: true });
  await user.flow('add a printer', async () => {
    await to(bench, 'printers');
    await write(bench, user.page.getByLabel(shared.fields.name, { exact: true }), 'Bar');
    await write(bench, user.page.getByLabel(shared.fields.address, { exact: true }), address);
    await user.choose(button(user.page, t.add));
    await card.getByText(t.printerStates.ready).waitFor({ timeout: 60_000 });
  });
  const previousCount = till.printer.printed.length;
  await user.flow('print a test page', () => user.choose(button(card, t.testPage)));
  await expect
    .poll(() => till.printer.printed.slice(previousCount).some(({ kind }) => kind === 'cut'), { timeout: 30_000 })
    .toBe(true);
  await user.shot('technician-09-printer');
  till.printer.set({ paper: 0 });
  await user.choose(button(card, t.testPage));
  await card.getByText(t.printerStates.paperOut).first().waitFor({ timeout: 60_000 });
  await user.shot('technician-10-paper-out');
  till.printer.set({ paper: 2_000 });
};

/** Exports the configuration, changes it, imports it, and undoes that. */
export const changeConfiguration = async (bench: Bench): Promise<void> => {
  const { user } = bench;
  const { technician: t, shared } = user.words;
  await to(bench, 'configuration');
  const file = await saved({ user }, button(user.page, t.exportIt));
  const text = file.bytes.toString();
  expect(text).not.toMatch(/"token"|"tillKey"|"signingKey"/);
  const importText = async (changed: string): Promise<void> => {
    const file = { name: 'till.json', mimeType: 'application/json', buffer: Buffer.from(changed) };
    await user.visit.chooseFile(() => user.choose(button(user.page, shared.chooseFile)), file);
  };
  await importText(text.replace('"EUR"', '"EURO"'));
  await user.page.getByText(t.wrongTitle).waitFor();
  await user.shot('technician-11-configuration-wrong');
  await user.flow('bring a configuration', async () => {
    await importText(text.replace('NORDWIND BAKERY', 'NORDWIND BAKERY AND MILL'));
    await user.page.getByText('NORDWIND BAKERY AND MILL').waitFor();
    await user.shot('technician-12-configuration');
    await user.choose(button(user.page, t.apply));
    await user.page.getByText(t.applied).waitFor({ timeout: 60_000 });
  });
  expect(configurationOf(bench)['merchant']).toMatchObject({ name: 'NORDWIND BAKERY AND MILL' });
  await user.flow('put it back', async () => {
    await user.choose(button(user.page, t.undo));
    await user.page.getByText(t.undone).waitFor({ timeout: 60_000 });
  });
  expect(configurationOf(bench)['merchant']).toMatchObject({ name: 'NORDWIND BAKERY' });
};

/** One file for support: neither it nor anything else that was written contains a card number. */
export const takeBundle = async (bench: Bench): Promise<void> => {
  const { till, user } = bench;
  const { technician: t } = user.words;
  await to(bench, 'bundle');
  await user.flow('look at the bundle', async () => {
    await user.choose(button(user.page, t.gather));
    await user.page.getByText(t.allClean).waitFor({ timeout: 60_000 });
  });
  await user.shot('technician-13-bundle');
  const { bytes } = await saved({ user }, button(user.page, t.saveBundle));
  expect(bytes.length).toBeGreaterThan(1_000);
  writeFileSync(join(till.folder, 'bundle.txt'), bytes);
  const needles = Object.values(testCards).map(({ pan }) => pan);
  const roots = [join(till.folder, 'till'), join(till.folder, 'bundle.txt'), join(till.folder, 'trace.txt')];
  expect(scanForCardData({ roots, needles })).toEqual([]);
};

/** The gateway is dead, and nothing can be written: what a technician needs still works. */
export const whenNothingElseWorks = async (bench: Bench): Promise<void> => {
  const { user, till } = bench;
  const { technician: t } = user.words;
  await till.line.disconnect();
  await to(bench, 'line');
  await user.choose(button(user.page, t.lineTest));
  await user.page.getByText(t.lineBad).waitFor({ timeout: 60_000 });
  await user.shot('technician-14-gateway-dead');
  await to(bench, 'devices');
  await user.page.getByRole('region', { name: /^T1 / }).waitFor();
  await to(bench, 'trace');
  await user.page.locator('.te-message').first().waitFor();
};
