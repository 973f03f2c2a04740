/** The technician's panels, each with what it shows once its work is done. */
import type { Page } from './browser.ts';

export const panels: readonly { name: string; path: string; waitForPanel(page: Page): Promise<unknown> }[] = [
  { name: 'Terminals', path: 'devices', waitForPanel: (page) => page.getByText('M020').first().waitFor() },
  { name: 'Pair', path: 'pair', waitForPanel: (page) => page.getByText('MagTek DynaFlex').waitFor() },
  { name: 'Trace', path: 'trace', waitForPanel: (page) => page.getByText('ONLINE NEEDED').waitFor() },
  { name: 'Connection', path: 'line', waitForPanel: runLine },
  { name: 'Loopback', path: 'loopback', waitForPanel: runDiagnosis },
  {
    name: 'Printers',
    path: 'printers',
    waitForPanel: (page) => page.getByRole('heading', { name: 'Add a printer' }).waitFor(),
  },
  { name: 'Program keys', path: 'programKeys', waitForPanel: (page) => page.getByText('Approver has left').waitFor() },
  { name: 'Configuration', path: 'configuration', waitForPanel: (page) => bringConfiguration(page) },
  { name: 'Support bundle', path: 'bundle', waitForPanel: lookAtBundle },
  { name: 'Updates', path: 'updates', waitForPanel: (page) => page.getByText('started from its folder').waitFor() },
];

async function runLine(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Test the connection' }).click();
  await page.getByText('first bad step').waitFor();
}
async function runDiagnosis(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Diagnose' }).click();
  await page.getByText('The terminal works.').waitFor();
}
export async function bringConfiguration(page: Page, text = '{}'): Promise<void> {
  const file = { name: 'till.json', mimeType: 'application/json', buffer: Buffer.from(text) };
  await page.locator('input[type=file]').setInputFiles(file);
  await page.getByText(/This will change|cannot be used/).waitFor();
}
async function lookAtBundle(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Prepare it' }).click();
  await page.getByText('log till.log (card number').waitFor();
}
