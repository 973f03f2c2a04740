/** The technician's panels, each with what it shows once its work is done. */
import type { Page } from './browser.ts';

export const panels: readonly { name: string; path: string; shows(at: Page): Promise<unknown> }[] = [
  { name: 'Terminals', path: 'devices', shows: (at) => at.getByText('M020').first().waitFor() },
  { name: 'Pair', path: 'pair', shows: (at) => at.getByText('MagTek DynaFlex').waitFor() },
  { name: 'Trace', path: 'trace', shows: (at) => at.getByText('ONLINE NEEDED').waitFor() },
  { name: 'Connection', path: 'line', shows: runLine },
  { name: 'Loopback', path: 'loopback', shows: runDiagnosis },
  {
    name: 'Printers',
    path: 'printers',
    shows: (at) => at.getByRole('heading', { name: 'Add a printer' }).waitFor(),
  },
  { name: 'Program keys', path: 'programKeys', shows: (at) => at.getByText('Approver has left').waitFor() },
  { name: 'Configuration', path: 'configuration', shows: (at) => bringConfiguration(at) },
  { name: 'Support bundle', path: 'bundle', shows: lookAtBundle },
  { name: 'Updates', path: 'updates', shows: (at) => at.getByText('started from its folder').waitFor() },
];

async function runLine(at: Page): Promise<void> {
  await at.getByRole('button', { name: 'Test the connection' }).click();
  await at.getByText('first bad step').waitFor();
}
async function runDiagnosis(at: Page): Promise<void> {
  await at.getByRole('button', { name: 'Diagnose' }).click();
  await at.getByText('The terminal works.').waitFor();
}
export async function bringConfiguration(at: Page, text = '{}'): Promise<void> {
  const file = { name: 'till.json', mimeType: 'application/json', buffer: Buffer.from(text) };
  await at.locator('input[type=file]').setInputFiles(file);
  await at.getByText(/This will change|cannot be used/).waitFor();
}
async function lookAtBundle(at: Page): Promise<void> {
  await at.getByRole('button', { name: 'Prepare it' }).click();
  await at.getByText('log till.log (card number').waitFor();
}
