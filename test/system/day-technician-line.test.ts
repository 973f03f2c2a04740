/** What a technician sees when little works: a gateway whose certificate has another name, and a full disk. */
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

import { load } from '../../src/locales/load.ts';
import { channel } from '../support/day/line.ts';
import { openScreenUser, type UserOptions } from '../support/day/screen-user.ts';
import { openEngine } from '../support/engines/engine.ts';
import { startGateway } from '../support/gateway/gateway-process.ts';
import { selfSigned } from '../support/servers/certificate.ts';
import { closings, folder, screensOf, tillgate, trackProcesses } from './processes.ts';

trackProcesses();

/** A till that nobody uses, and its screen, at this technician's panel. */
const panelOf = async (userOptions: UserOptions, panel: string, flags: readonly string[]) => {
  const till = tillgate(['start', '--data', join(folder, 'till'), '--port', '0', '--no-open-browser', ...flags]);
  const { url, code } = await screensOf(till);
  const engine = await openEngine('chromium');
  closings.push(() => void engine.close());
  const user = await openScreenUser(engine, userOptions);
  await user.visit.storeItem(url, { key: 'tillgate.language', value: userOptions.language });
  user.page.setDefaultTimeout(60_000);
  await user.page.goto(`${url}#code=${code}`);
  await user.choose(user.page.getByRole('button', { name: userOptions.table.words.signIn.goOn, exact: true }));
  await user.page.goto(`${url}technician/${panel}`);
  return { till, user, url };
};

const small = { width: 800, height: 480 };

test('a gateway whose certificate has another name is reported, with what to do', async () => {
  const { cert, key } = selfSigned();
  const files = { cert: join(folder, 'cert.pem'), key: join(folder, 'key.pem') };
  writeFileSync(files.cert, cert);
  writeFileSync(files.key, key);
  const tls = ['--tls-cert', files.cert, '--tls-key', files.key];
  const gateway = await startGateway(join(folder, 'gateway'), [channel], tls);
  closings.push(() => gateway.notify('SIGKILL'));
  const flags = [
    '--gateway',
    `https://localhost:${gateway.port}/`,
    '--channel',
    `${channel.entityId}:${channel.token}`,
  ];
  const userOptions = { language: 'de', table: await load.de(), size: small, scheme: 'dark', by: 'touch' } as const;
  const { user } = await panelOf(userOptions, 'line', flags);
  const { technician: t } = user.words;
  await user.choose(user.page.getByRole('button', { name: t.lineTest }));
  await user.page.getByText(t.lineBad).waitFor();
  const step = user.page.getByRole('listitem').filter({ hasText: t.lineSteps.tls });
  await step.getByRole('img', { name: t.verdicts.bad }).waitFor();
  await user.shot('technician-line-other-name');
});

test('when nothing can be written any more, every panel still works', async () => {
  const userOptions = {
    language: 'en',
    table: await load.en(),
    size: small,
    scheme: 'light',
    by: 'keys',
  } as const;
  const { till, user, url } = await panelOf(userOptions, 'devices', []);
  const { technician: t } = user.words;
  // The till's files cannot grow any more, as on a full disk.
  execFileSync('prlimit', ['--pid', String(till.child.pid), '--fsize=1:1']);
  const sale = await user.visit.ask(`${url}api/x-reports`, { method: 'POST' });
  expect(sale.ok).toBe(false);
  for (const panel of [
    'devices',
    'pair',
    'trace',
    'line',
    'loopback',
    'printers',
    'configuration',
    'updates',
  ] as const) {
    await user.page.goto(`${url}technician/${panel}`);
    await user.page.getByRole('heading', { level: 1, name: t.sections[panel], exact: true }).waitFor();
    await user.page.waitForLoadState('networkidle');
    expect(await user.page.getByText(t.failed).count()).toBe(0);
  }
  await user.page.goto(`${url}technician/line`);
  await user.choose(user.page.getByRole('button', { name: t.lineTest }));
  await user.page.getByText(t.lineAllGood).or(user.page.getByText(t.lineOdd)).first().waitFor();
  await user.page.goto(`${url}technician/loopback`);
  await user.choose(user.page.getByRole('button', { name: t.diagnose, exact: true }));
  await user.page.getByText(t.histogram).waitFor();
  await user.page.goto(`${url}technician/bundle`);
  await user.choose(user.page.getByRole('button', { name: t.gather }));
  await user.page.getByText(t.allClean).waitFor();
  await user.shot('technician-full-disk');
});
